/**
 * A mechanism of one name, statistic and size.
 * @module
 */
import { integer, nonNegative, object, oneOf, positive } from "../../core/checks.js";
import { STATISTICS, type Statistic } from "../sensitivity.js";
import { defaultMechanism, MECHANISM_NAMES, mechanismNamed, mechanismsFor } from "./catalogue.js";
import type { Mechanism, MechanismName } from "./mechanism.js";
import type { Sampling } from "./sampled-events.js";
import { checkAdjacency } from "../events/adjacency.js";
import type { Adjacency } from "../events/event-kinds.js";

/** Options of {@link createMechanism}. */
export interface CreateMechanismOptions {
  /** Default `"auto"`. */
  name?: MechanismName | "auto";
  /** What is released. */
  statistic: Statistic;
  /** m, tasks. */
  tasks: number;
  /** d, features. */
  dimension: number;
  /** K > 0, l2 bound on every task's vector. */
  clip: number;
  /**
   * Noise shares only: vectors of norm at most `clip` here are rounded to a grid as they are, and what the noise hides has parts in
   * at most `perUnit` of them, of norm `clip` above in all. Absent: it is one vector, held to an integer norm.
   */
  vectors?: {
    /** l2 bound on each vector as it is rounded. */
    readonly clip: number;
    /** In how many of them what the noise hides has parts, at most. */
    readonly perUnit: number;
  };
  /** Default `"replace"`. */
  adjacency?: Adjacency;
  /** The guarantee's delta, which `"auto"` looks at: 0 asks for a pure mechanism. */
  delta: number;
  /** One-sided Wishart only. */
  degreesOfFreedom?: number;
  /** Gaussian mean only. */
  sampling?: Sampling;
  /**
   * Exact noise on a grid instead of floating-point noise, whose proofs are for real numbers only; every mechanism but
   * the one-sided Wishart. Default false.
   */
  discrete?: boolean;
}

/** Makes a mechanism for a statistic: {@link createMechanism}, or one whose noise comes in shares. */
export type MechanismFactory = (options: CreateMechanismOptions) => Mechanism;

/**
 * Builds a mechanism for one statistic.
 *
 * @throws RangeError if the name does not go with the statistic, a size is out of range, or a
 *   Gaussian mechanism is asked for with delta 0.
 * @example createMechanism({ statistic: "covariance", tasks: 139, dimension: 27, clip: 1, delta: 1e-4 })
 */
export function createMechanism(options: CreateMechanismOptions): Mechanism {
  const { statistic } = object("options", options);
  oneOf("statistic", statistic, STATISTICS);
  const delta = nonNegative("delta", options.delta);
  integer("tasks", options.tasks, 1);
  integer("dimension", options.dimension, 1);
  positive("clip", options.clip);
  checkAdjacency(options.adjacency ?? "replace");
  const asked = oneOf("mechanism", options.name ?? "auto", ["auto", ...MECHANISM_NAMES]);
  const name = asked === "auto" ? defaultMechanism(statistic, delta) : asked;
  const suited = mechanismsFor(statistic);
  if (!suited.includes(name)) {
    throw new RangeError(
      `mechanism: expected one of ${suited.join(", ")} for the statistic "${statistic}", got "${name}"`,
    );
  }
  const { budgetKind, make, makeExact } = mechanismNamed(name);
  if (delta === 0 && budgetKind === "mu") {
    throw new RangeError(
      `delta: expected delta > 0 for mechanism "${name}"; for delta 0 use ` +
        `"${defaultMechanism(statistic, 0)}"`,
    );
  }
  if (!options.discrete) return make(options);
  if (makeExact) return makeExact(options);
  throw new RangeError(
    `discrete: expected another mechanism than "${name}", which has no exact form`,
  );
}
