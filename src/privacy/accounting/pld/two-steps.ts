/**
 * Rounds whose loss is known under zero-out only (one-sided Wishart), composed under replace: through
 * a world between the two neighbours.
 *
 * **Statement.** Let A and C be neighbours under replace, w_t and w'_t the column that differs in
 * Wishart round t. Let B be the world in which those rounds have neither column (or both), and all other
 * releases are those of C. Then for every split e1 + e2 = eps, e1, e2 >= 0,
 *   H_eps(A | C) <= H_e1(A | B) + e^e1 H_e2(B | C).
 * From A to B the Wishart rounds lose a column (or gain one), which is what the zero-out law bounds, and
 * the others change as replace lets them; from B to C the Wishart rounds alone gain one (or lose one).
 *
 * **Proof.** For an event S, A(S) <= e^e1 B(S) + H_e1(A | B) and B(S) <= e^e2 C(S) + H_e2(B | C). In every
 * round, whatever was released before, the conditional laws of A against B, and of B against C, are dominated by
 * the round's pair; dominating pairs compose adaptively (Zhu, Dong, Wang 2022, Theorem 10). A shorter
 * column is dominated by one of norm K (wishart-profile.ts). QED
 *
 * Splitting once over all rounds, not in every round, pays e^e1 once.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { smallest } from "../bisect.js";
import { roundUp, sum } from "../rounding.js";
import { throughWorld } from "../wishart-profile.js";
import { composeLosses } from "./compose.js";
import type { Part } from "./loss-law.js";
import type { Target } from "./tilt.js";
import { infiniteMass } from "./parts.js";
import { deltaReader } from "./read.js";

/** The way from one neighbouring data set to the other in two steps, and the privacy losses of each. */
export interface TwoSteps {
  readonly first: readonly Part[];
  readonly second: readonly Part[];
}

/** Relative error of each step's epsilon aimed at. */
const ACCURACY = 1e-6;
/** Compositions made anew around the best split: the second is where it belongs. */
const REFINEMENTS = 2;
/** Relative width to which epsilon is found. */
const WIDTH = 1e-9;

/** delta(eps) of a step, an upper bound, sharpest around the target. */
function profileOf(parts: readonly Part[], target: Target): (epsilon: number) => number {
  const greatest = sum(parts.length, (i) => parts[i]!.count * parts[i]!.law.supremum);
  const infinite = infiniteMass(parts);
  const read = deltaReader(composeLosses(parts, target, "upper", ACCURACY), "upper");
  return (epsilon) => (epsilon >= greatest ? infinite : read(epsilon));
}

/** The bound of one chain with both steps composed for a target, and where it splits. */
function chainBound({ first, second }: TwoSteps, targets: readonly [Target, Target]) {
  const [one, two] = [profileOf(first, targets[0]), profileOf(second, targets[1])];
  return (epsilon: number) => throughWorld(one, two, epsilon, 0);
}

const at = (epsilon: number): Target => ({ kind: "epsilon", epsilon: Math.max(0, epsilon) });

/** Upper bound of delta(eps) under replace, the least over the chains. */
export function twoStepDelta(chains: readonly TwoSteps[], epsilon: number): number {
  const deltas = chains.map((chain) => {
    let best = 1;
    let targets: [Target, Target] = [at(epsilon / 2), at(epsilon / 2)];
    for (let k = 0; k < REFINEMENTS; k++) {
      const { value, split } = chainBound(chain, targets)(epsilon);
      best = Math.min(best, value);
      targets = [at(split), at(epsilon - split)];
    }
    return best;
  });
  return Math.min(...deltas.map(roundUp));
}

/** Smallest eps found at a delta, the least over the chains; Infinity where there is none. */
export function twoStepEpsilon(chains: readonly TwoSteps[], delta: number): number {
  const epsilons = chains.map((chain) => {
    const infinite = infiniteMass(chain.first) + infiniteMass(chain.second);
    if (infinite >= delta) return Infinity;
    const half: Target = { kind: "delta", logDelta: math.log((delta - infinite) / 2) };
    let best = Infinity;
    let targets: [Target, Target] = [half, half];
    for (let k = 0; k < REFINEMENTS; k++) {
      const bound = chainBound(chain, targets);
      if (bound(0).value <= delta) return 0;
      const epsilon = smallest((e) => bound(e).value <= delta, 1, WIDTH);
      if (epsilon === Infinity) break;
      best = Math.min(best, epsilon);
      const { split } = bound(epsilon);
      targets = [at(split), at(epsilon - split)];
    }
    return best;
  });
  return Math.min(...epsilons.map(roundUp));
}
