/**
 * What releases that hide a whole task give one record of it, by a sensitivity of its own.
 *
 * **Statement.** A release with Gaussian noise sigma whose sum over tasks moves by at most Delta under one record is, for
 * records, the Gaussian mechanism of sensitivity Delta with the same noise; several compose as any others.
 *
 * A person in t tasks moves the sum by at most Delta, and by at most t times what replacing a task does; where the adjacency is that a
 * task becomes zero, that is at most twice what it is sized for. Where noise comes in shares on
 * vectors that their owners round to a grid, Delta grows by t grid sqrt(n), n the entries.
 *
 * **Proof.** The noise does not know for whom it was drawn. A record that adds nothing leaves its task something to upload, which is
 * not zero: two uploads, each no farther from zero than the task's sensitivity is, are apart by twice that. Tasks change one after another: the triangle inequality. Each
 * of the t vectors in either world is rounded by at most half of the grid an entry, and the others alike in both. QED
 *
 * **Where a task's vector is cut to norm B in floating point** Delta, as `computed-statistic.ts` has it for N records of norm at most k, holds too,
 * for d up to 2^36 entries and, of vectors of one, N up to 2^25. What is computed is f(v) = alpha v, but for one rounding of each entry, which is
 * among the N + 2; alpha is 1 where nothing is cut, and never more: what v's norm is divided by was found to be above B. Of a vector that is
 * cut |f(v)| lies within j of that of any other, and any |f(v)| is at most j above it, j = (d/2 + 96) 2^-52 B (`clipRows` cuts below B by up
 * to 3/8 d + 96 parts of 2^-52, `clippedTo` misses it by d/4 + 3). Then |f(v) - f(v')|^2 <= |v - v'|^2 + j^2. **Proof.** With
 * r = |f(v)|, r' = |f(v')| and t the distance of the directions, |f(v) - f(v')|^2 = (r - r')^2 + r r' t^2, and of v and v' alike, where
 * |v| |v'| t^2 is no less. So it exceeds |v - v'|^2 by at most (r - r')^2 - (|v| - |v'|)^2. Both cut: |r - r'| <= j. Only v' cut, so that r = |v|
 * and r' <= |v'|: r <= r' gives r' - r <= |v'| - |v|, and r > r' gives r - r' <= j. QED. B need not be above N k, and records move v by no less than k if they
 * move it farthest, so the jump is worth j^2 / (2 k) <= (d/2 + 96)^2 2^-105 N^2 k. Errors of sums are counted root d times, by their largest entry,
 * where their norms would do: that leaves 2^-52 N^2 k (sqrt(d) - 1), and records are held to k less a part in 2^40. Of a person in t tasks each
 * is moved by a t-th of k at most, so that both sides stay what they are.
 * @module
 */
import {
  createMechanism,
  epsilonOf,
  type PersonBound,
  type PrivacyEvent,
} from "../../privacy/index.js";
import { sensitivitiesOf } from "../../privacy/own-budget.js";
import { sensitivity as sensitivityOf } from "../../privacy/sensitivity.js";
import type { PlannedStage, RecordAccount, ReleasePlan } from "../round/release-plan.js";

/** How much one record, or a person's, moves a stage's sum. */
export interface RecordBound {
  /** Records of the run, for what floating point adds. */
  readonly records: number;
  /** Bound on the l2 norm of what one of them, or the person, adds to the sum. */
  readonly clip: number;
  /** Where they may be of a person who is in several tasks: how many rows and tasks. */
  readonly person?: PersonBound | undefined;
  /** Factor in (0, 1] of what this owner's add; those of others may count in full. Default 1. */
  readonly weight?: number;
}

/** Pays for the rounding of sums and differences of few numbers. */
const ABOVE_ONE = 1 + 2 ** -50;

/** The same noise on what one record changes. @throws RangeError for noise that is not Gaussian. */
export function eventOfRecord(
  event: PrivacyEvent,
  { statistic, d: dimension }: PlannedStage,
  { records, clip, person, weight = 1 }: RecordBound,
): PrivacyEvent {
  if (event.kind !== "gaussian" && event.kind !== "discrete-gaussian") {
    throw new RangeError(`event: expected Gaussian noise, got "${event.kind}"`);
  }
  const { adjacency } = event;
  const discrete = event.kind === "discrete-gaussian";
  const of = { statistic, tasks: records, dimension, clip, adjacency };
  const whole = createMechanism({ ...of, delta: 0.5, discrete }).event(1) as typeof event;
  // What rounding adds to the sum is of the others' size, whatever this owner's factor.
  const left = (1 - weight) * sensitivityOf({ ...of, norm: "frobenius" });
  const sensitivity = weight === 1 ? whole.sensitivity : (whole.sensitivity - left) * ABOVE_ONE;
  const vectors = person?.tasksPerPerson ?? 1;
  const alone =
    event.kind === "discrete-gaussian" && event.shares !== undefined
      ? (sensitivity + vectors * event.grid * Math.sqrt(event.entries)) * ABOVE_ONE
      : sensitivity;
  const replaced = (adjacency === "zero-out" ? 2 : 1) * event.sensitivity;
  return { ...event, sensitivity: Math.min(alone, vectors * replaced) };
}

/** What a guarantee says of it. */
export function statedRecord({ epsilon, delta, events }: RecordAccount) {
  return { epsilon, delta, sensitivities: sensitivitiesOf(events) };
}

/** The plan with what one record has of it, at the plan's delta. */
export function withRecordAccount(plan: ReleasePlan, bound: RecordBound): ReleasePlan {
  const { delta } = plan.ledger;
  const events = plan.stages.flatMap((stage) =>
    stage.events.map((event) => eventOfRecord(event, stage, bound)),
  );
  const recordOf: RecordAccount = { epsilon: epsilonOf(events, { delta }), delta, events };
  const { person } = bound;
  return { ...plan, recordOf, ...(person ? { person } : {}) };
}
