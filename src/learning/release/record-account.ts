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
