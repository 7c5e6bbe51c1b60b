/**
 * Exact figures where a closed form exists: pure-DP rounds by their dominating randomized response,
 * or a single round of any mechanism by its own profile.
 * @module
 */
import { defineAccountant } from "./accountant.js";
import { bisect, smallest } from "../bisect.js";
import { pureEpsilonOf, wishartRatio, type EventGroup } from "../groups.js";
import { compositionBoundOfRuns, compositionTerms, type PureRun } from "../kov.js";
import { notPure, pureRuns } from "./kov-accountant.js";
import { laplaceDelta, laplaceEpsilon } from "../laplace-profile.js";
import {
  atomCount,
  atomsDelta,
  atomsEpsilon,
  composedAtoms,
  MOST_ATOMS,
} from "../randomized-response.js";
import { inSmallest, roundUp } from "../rounding.js";
import { sampledAddDelta, sampledRemoveDelta } from "../sampled-gaussian.js";
import {
  wishartInfiniteMass,
  wishartReplaceDelta,
  wishartZeroOutDelta,
  wishartZeroOutEpsilon,
} from "../wishart-profile.js";
import type { PrivacyEvent } from "../../events/event-kinds.js";

/** Relative error of the closed forms' arithmetic, far above what was measured. */
const SLACK = 1e-11;
/**
 * The same for each unit by which a normal tail's place is a difference of numbers that large: tails are none beyond 39, and move by up to 40
 * times what the place does.
 */
const PLACE_ERROR = 40 * 2 ** -50;
/** Absolute error of a difference of two chi-square probabilities. */
const TAIL_ERROR = 2e-15;

/** More noise than this is taken for this much. */
const MOST_NOISE = 1e150;

/** A single round's profile in both forms. */
interface Profile {
  delta(epsilon: number): number;
  epsilon(delta: number): number;
}

/** Smallest eps of a decreasing delta(eps). */
function invert(delta: (epsilon: number) => number, target: number): number {
  if (delta(0) <= target) return 0;
  return smallest((epsilon) => delta(epsilon) <= target);
}

/** n and b of a Wishart event: see wishart-profile.ts. */
export function wishartLaw(event: Extract<PrivacyEvent, { kind: "wishart" }>) {
  return {
    n: event.degreesOfFreedom - event.dimension + 1,
    b: wishartRatio(event),
  };
}

function singleRound(event: PrivacyEvent): Profile | undefined {
  switch (event.kind) {
    case "laplace": {
      const eps0 = pureEpsilonOf(event)!;
      return {
        delta: (epsilon) => laplaceDelta(epsilon, eps0),
        epsilon: (delta) => laplaceEpsilon(delta, eps0),
      };
    }
    case "subsampled-gaussian": {
      if (event.sensitivity === 0) return { delta: () => 0, epsilon: () => 0 };
      const law = {
        rate: event.sampling.rate,
        sigma: Math.min(event.sigma / event.sensitivity, MOST_NOISE),
      };
      // Half of the slack covers places up to 140. Never none: what is below all numbers is not 0.
      const delta = (epsilon: number) =>
        Math.max(
          sampledRemoveDelta(law, epsilon),
          sampledAddDelta(law, epsilon),
          Number.MIN_VALUE,
        ) *
        (1 + Math.max(0, PLACE_ERROR * (epsilon * law.sigma + 1 / law.sigma) - SLACK / 2));
      return { delta, epsilon: (target) => (target === 0 ? Infinity : invert(delta, target)) };
    }
    case "wishart": {
      const law = wishartLaw(event);
      if (event.adjacency === "zero-out") {
        return {
          delta: (epsilon) => wishartZeroOutDelta(law, epsilon) + TAIL_ERROR,
          epsilon: (delta) => wishartZeroOutEpsilon(law, Math.max(0, delta - TAIL_ERROR)),
        };
      }
      const delta = (epsilon: number) => wishartReplaceDelta(law, epsilon) + TAIL_ERROR;
      return {
        delta,
        epsilon(target) {
          if (wishartInfiniteMass(law) > target) return Infinity;
          if (delta(0) <= target) return 0;
          const high = smallest((epsilon) => delta(epsilon) <= target, 1, 0.5);
          if (high === Infinity) return Infinity;
          return bisect((e) => delta(e) <= target, { inside: high, outside: 0 }, 1e-10).inside;
        },
      };
    }
    default:
      return undefined;
  }
}

/** Losses whose sum is larger may come to no number on the way, be it with others that are as far below 0. */
const MOST_LOSS = 1e308;

/** The composition of pure rounds, where their losses can be added up. */
function pureRounds(runs: readonly PureRun[]): Profile {
  const { basic } = compositionTerms(runs, 0);
  const bound = compositionBoundOfRuns(runs, 0);
  if (!(basic < MOST_LOSS)) {
    return { delta: (epsilon) => (bound <= epsilon ? 0 : 1), epsilon: () => bound };
  }
  const atoms = composedAtoms(runs);
  const most = runs.reduce((all, run) => all + BigInt(run.count) * inSmallest(run.epsilon), 0n);
  return {
    delta(epsilon) {
      if (epsilon === Infinity || inSmallest(epsilon) >= most) return 0;
      // All losses are the largest with a probability, be it below all numbers.
      return Math.max(atomsDelta(atoms, epsilon), Number.MIN_VALUE);
    },
    epsilon: (delta) => atomsEpsilon(atoms, delta * (1 - SLACK)),
  };
}

const onlyRound = (groups: readonly EventGroup[]) =>
  groups.length === 1 && groups[0]!.count === 1 ? singleRound(groups[0]!.event) : undefined;

/** Closed forms. */
export const exactAccountant = defineAccountant({
  name: "exact",
  refusal(groups) {
    if (onlyRound(groups)) return undefined;
    const other = notPure(groups);
    if (other) return `no closed form for their composition: ${other}`;
    if (groups.some(({ event }) => event.kind === "laplace")) {
      return "composed Laplace rounds cost less than any pure rounds; no closed form is used";
    }
    const atoms = atomCount(pureRuns(groups));
    return atoms > MOST_ATOMS
      ? `their composition has more than ${MOST_ATOMS} different losses`
      : undefined;
  },
  epsilon(groups, delta) {
    if (delta === 0 && notPure(groups) === undefined) {
      return compositionBoundOfRuns(pureRuns(groups), 0);
    }
    const profile = onlyRound(groups) ?? pureRounds(pureRuns(groups));
    return profile.epsilon(delta) * (1 + SLACK);
  },
  delta(groups, epsilon) {
    const profile = onlyRound(groups) ?? pureRounds(pureRuns(groups));
    return Math.min(1, roundUp(profile.delta(epsilon) * (1 + SLACK)));
  },
});
