/**
 * A mechanism by name at unit sensitivity, for accounting without a problem at hand.
 * @module
 */
import { mechanismNamed } from "./catalogue.js";
import { createMechanism } from "./create.js";
import type { Mechanism, MechanismName } from "./mechanism.js";
import type { Adjacency } from "../events/event-kinds.js";
/**
 * A budget is relative to the sensitivity, so sizes do not matter for accounting: one task, one
 * feature, clip 1.
 */
export function unitMechanism(name: MechanismName, adjacency: Adjacency = "replace"): Mechanism {
  const { statistics, budgetKind } = mechanismNamed(name);
  return createMechanism({
    name,
    statistic: statistics[0],
    tasks: 1,
    dimension: 1,
    clip: 1,
    adjacency,
    delta: budgetKind === "mu" ? 0.5 : 0,
  });
}
