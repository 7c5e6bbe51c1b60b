/**
 * A fit of tasks that share nothing: their batches on one thread or on several, and no rounds.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";
import { modelOf, type FitRecord } from "../../fitted/build-model.js";
import type { Certificate } from "../../fitted/certificate.js";
import type { FittedModel } from "../../fitted/fitted-model.js";
import { sumOfLosses } from "../../fitted/linear-models.js";
import { fitInBatches } from "../../parallel/fit-in-batches.js";
import { publicSizes } from "../../release/public-sizes.js";
import type { Batches } from "../../round/batches.js";
import type { FitOptions } from "../../round/estimator.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import { targetsOf } from "../../tasks/targets.js";
import { PROOF, provenBy } from "./proven-half.js";

/** Whose tasks they are, and what is said of the fit. */
export interface AloneOwner extends Pick<FitRecord, "method" | "guarantee"> {
  readonly options: CommonOptions & { readonly tolerance: number };
  readonly batches: Batches;
  /** What proves that a task's model is near its optimum, where something does. */
  readonly proof: Certificate["kind"];
}

/** Beside the hooks of a fit. */
export interface AloneStart {
  /** Models to start from: of all tasks, W[m, d] and then b[m]; null for zeros. */
  readonly start: Float64Array | null;
}

/**
 * Fits all tasks.
 * @throws DataError if the data does not suit the method; HostError if it fits the memories of no threads there are; whatever
 *   `signal` was aborted with.
 */
export async function fitAlone(
  owner: AloneOwner,
  data: TaskSet,
  { start = null, ...hooks }: FitOptions & AloneStart,
): Promise<FittedModel> {
  const { method, guarantee, options, batches, proof } = owner;
  const { classes } = targetsOf(data, options.loss);
  const { models, losses, threads } = await fitInBatches(
    { method, options, batches, statistics: [] },
    { data, sizes: publicSizes(data), classes, start },
    hooks,
    () => undefined,
  );
  const { components, ...at } = models;
  const objective = sumOfLosses(losses);
  const proofs = components?.[PROOF]?.data;
  const { tolerance } = options;
  const proven = proofs && provenBy(proofs, objective, { kind: proof, tolerance });
  return modelOf(data, classes, at, {
    method,
    guarantee,
    options,
    objective,
    threads,
    certificate: null,
    rounds: 0,
    ...proven,
    ledger: null,
    history: [],
  });
}
