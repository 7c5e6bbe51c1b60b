/**
 * From the scores of an attack to a privacy loss that is proven at a stated confidence.
 *
 * **Statement.** If (eps, delta)-DP holds between two worlds, then P(A) <= e^eps Q(A) + delta for
 * every event A and either order of the worlds. With a lower bound p on P(A) and an upper bound q on
 * Q(A), delta >= p - e^eps q and eps >= ln((p - delta) / q) are proven.
 *
 * **Method.** The first half of the trials chooses the distinguisher, the order of the worlds and the
 * threshold; the second half, which no choice has seen, is tested once by Clopper and Pearson's
 * bounds. So there is no multiple testing to correct for, and the attack may be as clever or as
 * wrong as it likes: a bound is false with probability at most 1 - confidence. The eps and the delta
 * come from an event each and share that probability. Thresholds keep clear of ties, so what is
 * attacked is the noise's law, not the low-order bits that floating-point noise gives away besides
 * (Mironov 2012).
 *
 * @see Ding et al. (2018); Jagielski, Ullman, Oprea (2020); Nasr et al. (2021).
 * @module
 */
import * as math from "../../core/elementary.js";
import { array, float64Array, integer, nonNegative, object } from "../../core/checks.js";
import { roundDown } from "../accounting/rounding.js";
import { clopperPearsonLower, clopperPearsonUpper } from "./clopper-pearson.js";

/** What an attack saw in the trials of two neighbouring worlds. */
export interface TrialScores {
  /** Name of the distinguisher. */
  readonly name: string;
  /** One score per trial: large speaks for `present`, Infinity proves it. No NaN. */
  readonly present: Float64Array;
  /** As many scores of trials in the neighbouring world; -Infinity proves that one was there. */
  readonly neighbour: Float64Array;
  /** Trials before this one trained the distinguisher, and do not choose the threshold. Default 0. */
  readonly trained?: number;
}

/** The (eps, delta) that is claimed for the two worlds. */
export interface PrivacyClaim {
  /** Its eps, >= 0. */
  readonly epsilon: number;
  /** The delta that goes with it. */
  readonly delta: number;
}

/** An event, how often it came up where no choice was made, and what that proves. */
export interface LossEvidence {
  /** Name of the attack whose score it is. */
  readonly distinguisher: string;
  /** The world that the event speaks for; the bound is on its loss against the other. */
  readonly world: "present" | "neighbour";
  /** The event is a score beyond this, to the side of `world`. */
  readonly threshold: number;
  /** How often it came up in `world`. */
  readonly hits: number;
  /** How often it came up in the other world. */
  readonly falseAlarms: number;
  /** Trials that tested it, in each of the two worlds: half of all. */
  readonly trials: number;
  /** Largest eps proven at the claimed delta, >= 0. */
  readonly epsilon: number;
  /** Largest delta proven at the claimed eps, >= 0. */
  readonly delta: number;
}

/** What was proven, and what it means for the claim. */
export interface LossProof {
  /** What was claimed. */
  readonly claim: PrivacyClaim;
  /** In (0, 1): a claim that holds is called violated with probability at most 1 - confidence. */
  readonly confidence: number;
  /** "violated": a loss beyond the claim is proven. Otherwise nothing was found: "consistent". */
  readonly verdict: "violated" | "consistent";
  /** The event that proves the largest eps at the claimed delta. */
  readonly byEpsilon: LossEvidence;
  /** The event that proves the largest delta at the claimed eps. */
  readonly byDelta: LossEvidence;
}

interface Counts {
  readonly hits: number;
  readonly falseAlarms: number;
  readonly trials: number;
}

/** Both bounds from one pair of counts, false together with probability at most alpha. */
function bounds({ hits, falseAlarms, trials }: Counts, claim: PrivacyClaim, alpha: number) {
  const p = clopperPearsonLower(hits, trials, alpha / 2);
  const q = clopperPearsonUpper(falseAlarms, trials, alpha / 2);
  const epsilon = p > claim.delta ? roundDown(Math.max(0, math.log((p - claim.delta) / q))) : 0;
  return { epsilon, delta: roundDown(Math.max(0, p - math.exp(claim.epsilon) * q)) };
}

/** Number of entries above a threshold. */
function above(scores: Float64Array, threshold: number, from: number, to: number): number {
  let count = 0;
  for (let r = from; r < to; r++) if (scores[r]! > threshold) count++;
  return count;
}

/**
 * Scores this close, in units of the largest, are a tie. Many mechanisms have a largest score, up to
 * rounding, and a threshold within a tie would attack the low-order bits of a score.
 */
const TIE = 1e-10;

/**
 * Thresholds just above and just below the largest, second, third, fifth, … score of the other
 * world, and the one at infinity.
 */
function thresholds(hit: Float64Array, other: Float64Array): Set<number> {
  const found = new Set<number>();
  if (hit.at(-1) === Infinity) found.add(Number.MAX_VALUE);
  const finite = other.filter(Number.isFinite).map(Math.abs);
  const tie = TIE * finite.reduce((a, b) => Math.max(a, b), 0);
  for (let k = 0; k < other.length; k = Math.max(k + 1, Math.floor(k * 1.4))) {
    const score = other[other.length - 1 - k]!;
    if (!Number.isFinite(score)) continue;
    found.add(score + tie);
    found.add(score - tie);
  }
  found.add(-Number.MAX_VALUE);
  return found;
}

interface Choice {
  readonly scores: TrialScores;
  readonly world: LossEvidence["world"];
  readonly threshold: number;
}

/** The two worlds as "the event's own" and "the other", with scores that grow towards the first. */
function oriented({ present, neighbour }: TrialScores, world: LossEvidence["world"]) {
  return world === "present"
    ? { hit: present, other: neighbour }
    : { hit: neighbour.map((score) => -score), other: present.map((score) => -score) };
}

/** The choices that prove most on the selection half, one for eps and one for delta. */
function choose(all: readonly TrialScores[], half: number, claim: PrivacyClaim, alpha: number) {
  const best = { epsilon: -1, delta: -1 };
  const chosen = {} as { epsilon: Choice; delta: Choice };
  for (const scores of all) {
    for (const world of ["present", "neighbour"] as const) {
      const sides = oriented(scores, world);
      const hit = sides.hit.slice(scores.trained ?? 0, half).sort();
      const other = sides.other.slice(scores.trained ?? 0, half).sort();
      for (const threshold of thresholds(hit, other)) {
        const trials = hit.length;
        const hits = above(hit, threshold, 0, trials);
        const falseAlarms = above(other, threshold, 0, trials);
        const proven = bounds({ hits, falseAlarms, trials }, claim, alpha);
        for (const kind of ["epsilon", "delta"] as const) {
          if (proven[kind] <= best[kind]) continue;
          best[kind] = proven[kind];
          chosen[kind] = { scores, world, threshold };
        }
      }
    }
  }
  return chosen;
}

/** Tests a choice on the half that it has not seen. */
function test(choice: Choice, half: number, claim: PrivacyClaim, alpha: number): LossEvidence {
  const { scores, world, threshold } = choice;
  const { hit, other } = oriented(scores, world);
  const counts = {
    hits: above(hit, threshold, half, hit.length),
    falseAlarms: above(other, threshold, half, other.length),
    trials: hit.length - half,
  };
  const written = world === "present" ? threshold : -threshold;
  return {
    distinguisher: scores.name,
    world,
    threshold: written,
    ...counts,
    ...bounds(counts, claim, alpha),
  };
}

/**
 * The largest privacy loss that these scores prove.
 *
 * @param all        scores of every distinguisher, from the same N trials in each world, N >= 8.
 * @param claim      eps >= 0 and 0 <= delta < 1 that the worlds are claimed to keep.
 * @param confidence in (0, 1): a claim that holds is called "violated" with probability at most
 *                   1 - confidence, and both bounds hold together with at least this probability.
 * @throws RangeError if sizes differ, a score is NaN or an argument is out of range.
 */
export function proveLoss(
  all: readonly TrialScores[],
  claim: PrivacyClaim,
  confidence: number,
): LossProof {
  array("all", all);
  nonNegative("claim.epsilon", object("claim", claim).epsilon);
  nonNegative("claim.delta", claim.delta);
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`confidence: expected 0 < confidence < 1, got ${confidence}`);
  }
  all.forEach(({ present, neighbour }, k) => {
    float64Array(`all[${k}].present`, present);
    float64Array(`all[${k}].neighbour`, neighbour);
  });
  const trials = integer("trials", all[0]?.present.length ?? 0, 8);
  for (const { name, present, neighbour } of all) {
    if (present.length !== trials || neighbour.length !== trials) {
      throw new RangeError(`scores of "${name}": expected ${trials} in each world`);
    }
    if (present.some(Number.isNaN) || neighbour.some(Number.isNaN)) {
      throw new RangeError(`scores of "${name}": expected numbers, one is NaN`);
    }
  }
  const half = trials >> 1;
  const alpha = (1 - confidence) / 2;
  const chosen = choose(all, half, claim, alpha);
  const tested = [chosen.epsilon, chosen.delta].map((choice) => test(choice, half, claim, alpha));
  // Both events' bounds hold together, so either may serve for eps and for delta.
  const [byEpsilon, byDelta] = (["epsilon", "delta"] as const).map((kind) =>
    tested.reduce((best, other) => (other[kind] > best[kind] ? other : best)),
  ) as [LossEvidence, LossEvidence];
  const violated = byEpsilon.epsilon > claim.epsilon || byDelta.delta > claim.delta;
  return {
    claim,
    confidence,
    verdict: violated ? "violated" : "consistent",
    byEpsilon,
    byDelta,
  };
}
