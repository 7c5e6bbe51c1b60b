/**
 * A fit of tasks that share nothing: their batches on one thread or on several, and no rounds.
 * @module
 */
import { closeCore, openCore } from "../../../core/index.js";
import type { TaskSet } from "../../../data/index.js";
import { modelOf, type FitRecord } from "../../fitted/build-model.js";
import type { Certificate } from "../../fitted/certificate.js";
import type { FittedModel } from "../../fitted/fitted-model.js";
import { sumOfLosses } from "../../fitted/linear-models.js";
import { spreadTasks } from "../../parallel/spread-tasks.js";
import { checkedThreads } from "../../parallel/threads.js";
import { publicSizes } from "../../release/public-sizes.js";
import type { Batches } from "../../round/batches.js";
import type { FitOptions } from "../../round/estimator.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import { outputsOf } from "../../tasks/losses.js";
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
  /** Models to start from: of all tasks, W[m, d] and then b[m]; null (default) for zeros. */
  readonly start?: Float64Array | null;
}

/**
 * Fits all tasks.
 * @throws DataError if the data does not suit the method; HostError if it fits the memories of no threads there are; whatever
 *   `signal` was aborted with.
 */
export async function fitAlone(
  owner: AloneOwner,
  data: TaskSet,
  { signal, threads: asked, workers, start = null }: FitOptions & AloneStart,
): Promise<FittedModel> {
  const { method, guarantee, options } = owner;
  const { loss } = options;
  const core = openCore();
  const { classes } = targetsOf(data, loss);
  const positions = Array.from({ length: data.m }, (_, i) => i);
  const context = { core, data, sizes: publicSizes(data), positions, classes, start };
  const { half, threads } = await spreadTasks({ ...owner, stages: [] }, context, {
    ...{ threads: checkedThreads(asked), workers, signal },
    ...{ outputs: outputsOf(loss, classes), isObserved: false },
  });
  const tasks = half ?? owner.batches.place(context);
  try {
    await tasks.finish?.(signal);
    const { components, ...models } = tasks.models();
    const losses = tasks.losses();
    // Of a fit that failed something may still be at work.
    closeCore(core);
    const objective = sumOfLosses(losses);
    const proofs = components?.[PROOF]?.data;
    const { tolerance } = options;
    const proven = proofs && provenBy(proofs, objective, { kind: owner.proof, tolerance });
    return modelOf(data, classes, models, {
      ...{ method, guarantee, options, objective, threads },
      ...{ certificate: null, rounds: 0, ...proven },
      ...{ ledger: null, history: [] },
    });
  } finally {
    tasks.close();
  }
}
