/**
 * What a sum with Gaussian noise costs, by who takes part in its rounds.
 * @module
 */
import { gaussianEvent, subsampledGaussianEvent } from "../events/events.js";
import type { Adjacency, PrivacyEvent } from "../events/event-kinds.js";
import { randomAllocationEvent } from "../events/random-allocation.js";
import type { Mechanism } from "./mechanism.js";

/**
 * Who takes part in a round: everyone; each task by itself with probability `rate`; `size` tasks; or, of all rounds of the run,
 * each task in `picks`, one of each of so many blocks of rounds, drawn in secret.
 */
export type Sampling =
  | { kind: "all" }
  | {
      kind: "poisson";
      /** Probability of each task to take part in a round, in (0, 1]. */
      rate: number;
    }
  | {
      kind: "fixed-size";
      /** Tasks that take part in a round, from 1 to m. */
      size: number;
    }
  | {
      kind: "allocation";
      /** Rounds of the run in which each task takes part, from 1 to their number. */
      picks: number;
    };

/** Noise and sensitivity of a round. */
interface RoundNoise {
  readonly sigma: number;
  readonly sensitivity: number;
  readonly adjacency: Adjacency;
}

/** Whether an accountant counts on the sample's secrecy. */
export const isAmplified = (sampling: Sampling): boolean =>
  (sampling.kind === "poisson" && sampling.rate < 1) || sampling.kind === "allocation";

/** What rounds cost, as `Mechanism` has it. */
export type SampledEvents = Pick<Mechanism, "event" | "events">;

/**
 * What rounds with such a sample cost at a budget. Of an allocation one round by itself amplifies nothing; all of it is charged
 * before the first round, and the later ones, which are part of what was charged, cost nothing more.
 *
 * @param noiseAt noise and sensitivity of a round at a budget.
 */
export function sampledEvents(
  sampling: Sampling,
  noiseAt: (budget: number) => RoundNoise,
): SampledEvents {
  if (sampling.kind === "poisson") {
    const { rate } = sampling;
    const event = (budget: number) =>
      subsampledGaussianEvent({ ...zeroOut(noiseAt(budget)), rate });
    return { event };
  }
  const event = (budget: number) => gaussianEvent(noiseAt(budget));
  if (sampling.kind !== "allocation") return { event };
  const { picks } = sampling;
  const whole = (budget: number, rounds: number) =>
    randomAllocationEvent({ ...zeroOut(noiseAt(budget)), rounds, picks });
  const events = (budget: number, rounds: number): PrivacyEvent[] => [
    whole(budget, rounds),
    ...new Array<PrivacyEvent>(rounds - 1).fill(PAID),
  ];
  return { event, events };
}

/**
 * Refuses a combination of sample and adjacency that no theorem covers.
 * @throws RangeError for a sample that amplifies under replace.
 */
export function requireCovered(sampling: Sampling, adjacency: Adjacency): void {
  const { event, events } = sampledEvents(sampling, () => ({
    sigma: 1,
    sensitivity: 1,
    adjacency,
  }));
  event(1);
  if (sampling.kind === "allocation") events?.(1, sampling.picks);
}

/** A round that was paid for with the first. */
const PAID: PrivacyEvent = { kind: "pure", epsilon: 0, adjacency: "zero-out" };

/** The noise as one of zero-out adjacency. Nothing is checked here: whoever makes the event refuses another adjacency by name. */
const zeroOut = (noise: RoundNoise) => noise as RoundNoise & { readonly adjacency: "zero-out" };
