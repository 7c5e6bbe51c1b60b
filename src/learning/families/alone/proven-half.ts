/**
 * Tasks that take no part in rounds, each solved to a proof of its own; and what all proofs together say.
 * @module
 */
import type { Certificate } from "../../fitted/certificate.js";
import { sumOfLosses } from "../../fitted/linear-models.js";
import type { BatchModels, ParticipantHalf } from "../../round/halves.js";
import { inTurns } from "../../round/run.js";

/** How near a task's model is to its optimum. */
export interface TaskProof {
  readonly objective: number;
  /** On the distance of the objective to the optimum. */
  readonly bound: number;
  /** Its largest free slope. */
  readonly interceptResidual?: number;
  /** What its solver counted. */
  readonly rounds?: number;
}

/** Component of the models, a row for each task: bound, residual and rounds. */
export const PROOF = "proof";
const FIELDS = 3;

/** The proofs of a batch. */
export class TaskProofs {
  /** The objective that every task reached, [m]. */
  readonly objectives: Float64Array<ArrayBuffer>;
  readonly rows: Float64Array;

  constructor(m: number) {
    this.objectives = new Float64Array(m);
    this.rows = new Float64Array(FIELDS * m);
  }

  keep(i: number, { objective, bound, interceptResidual = 0, rounds = 0 }: TaskProof): void {
    this.objectives[i] = objective;
    this.rows.set([bound, interceptResidual, rounds], FIELDS * i);
  }
}

/** The half of tasks that are solved in turns. Losses are the objectives. */
export function provenHalf(
  solve: () => Generator<void, void>,
  models: () => Pick<BatchModels, "weights" | "intercepts">,
  { objectives, rows }: TaskProofs,
): ParticipantHalf {
  return {
    stages: [],
    broadcastLengths: [],
    rounds: [],
    finish: (signal) => inTurns(solve(), signal),
    models: () => ({
      ...models(),
      components: { [PROOF]: { shape: [objectives.length, FIELDS], data: rows } },
    }),
    byTask: [PROOF],
    losses: () => objectives,
    close: () => undefined,
  };
}

/** The certificate of all tasks from the proofs of each, in their order, and the most rounds of any. */
export function provenBy(
  proofs: Float64Array,
  objective: number,
  { kind, tolerance }: Pick<Certificate, "kind" | "tolerance">,
): { readonly certificate: Certificate; readonly rounds: number } {
  const column = (at: number) => proofs.filter((_, k) => k % FIELDS === at);
  const most = (values: Float64Array) => values.reduce((a, b) => Math.max(a, b), 0);
  const value = objective > 0 ? sumOfLosses(column(0)) / objective : 0;
  const interceptResidual = most(column(1));
  return {
    certificate: { kind, value, tolerance, met: value <= tolerance, interceptResidual },
    rounds: most(column(2)),
  };
}
