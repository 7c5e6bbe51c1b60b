/**
 * A mechanism by name at unit sensitivity, for accounting without a problem at hand.
 * @module
 */
import type { Adjacency } from "../events.js";
import { createMechanism } from "./create.js";
import type { Mechanism, MechanismName } from "./mechanism.js";
import type { Statistic } from "../sensitivity.js";

function statisticOf(name: MechanismName): Statistic {
  if (name === "gaussian-diagonal" || name === "laplace-diagonal") return "diagonal";
  if (name === "spherical-laplace" || name === "gaussian-mean") return "vector";
  return "covariance";
}

/**
 * A budget is relative to the sensitivity, so sizes do not matter for accounting: one task, one
 * feature, clip 1.
 */
export function unitMechanism(name: MechanismName, adjacency: Adjacency = "replace"): Mechanism {
  return createMechanism({
    name,
    statistic: statisticOf(name),
    rows: 1,
    dimension: 1,
    clip: 1,
    adjacency,
    delta: name.startsWith("gaussian") ? 0.5 : 0,
  });
}
