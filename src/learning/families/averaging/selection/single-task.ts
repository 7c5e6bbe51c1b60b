/**
 * What tasks of PMTL, FedAvg and FedProx have without the others: a model of the same family.
 * @module
 */
import { closeCore, openCore } from "../../../../core/index.js";
import { joinIntercepts } from "../../../tasks/constant-column.js";
import { ready } from "../../../local-selection/fold-replay.js";
import { bestStrengths, STRENGTHS, nearStart } from "./near-start.js";
import type { FoldBatch } from "../../../local-selection/folds.js";
import type { ParticipantContext } from "../../../round/halves.js";
import { ownModels, ownModelsWithoutFolds } from "../../../tasks/own-models/own-models.js";
import { placeTasks, type ResidentTasks } from "../../../tasks/resident-tasks.js";
import type { FederatedOptions } from "../options.js";
import { placeModel } from "../updates/local-training.js";
import type { LocalModels } from "../../../tasks/local-models.js";

/** The side that the fallback compares with. Models are [m, parameters], as the method has them. */
export interface SingleTask {
  /** How many models a task has to choose from. */
  readonly tried: number;
  /** Those of a batch's entries, which are the tasks of `fold`. */
  withoutFolds(batch: FoldBatch, fold: ParticipantContext): Generator<void, Float64Array[]>;
  /**
   * Settles which one every task is best off with.
   * @param losses of all rows, held out, for each that is tried.
   * @returns those under the best.
   */
  settle(losses: readonly Float64Array[]): Float64Array;
  /** Every task's best model, on all of its rows. */
  models(): Generator<void, Float64Array>;
  /** Gives memory back, once the folds are done. */
  close(): void;
}

/**
 * Ridge where the weight is chosen by leave-one-out in closed form, else the family held to its start.
 * @param tasks as they are placed for the rounds.
 */
export function singleTaskOf(
  options: FederatedOptions,
  context: ParticipantContext,
  tasks: ResidentTasks,
): SingleTask {
  return options.model === "linear" && options.loss !== "softmax"
    ? ridgeModels(options, context, tasks)
    : modelsNearStart(options, context);
}

/** The tasks in a memory of their own: beside those of the rounds they might be more than one holds. */
const apart = (context: ParticipantContext) => ({ ...context, core: openCore() });

function ridgeModels(
  options: FederatedOptions,
  context: ParticipantContext,
  tasks: ResidentTasks,
): SingleTask {
  // Intercepts are beside the features here, not among them.
  const place = ({ core, data, sizes, classes }: ParticipantContext) =>
    placeTasks(data, options, { core, classes, sizes }).tasks;
  const parametersOf = ({ weights, intercepts }: LocalModels) =>
    options.intercept ? joinIntercepts(weights, intercepts) : weights;
  const own = options.intercept ? apart(context) : undefined;
  const rows = own ? place(own) : tasks;
  const models = parametersOf(ownModels(rows, "zeros"));
  const withoutFolds = (batch: FoldBatch, fold: ParticipantContext) =>
    ownModelsWithoutFolds(rows, batch, () => place(fold));
  return {
    tried: 1,
    withoutFolds: (batch, fold) => ready([parametersOf(withoutFolds(batch, fold))]),
    settle: ([losses]) => losses!,
    models: () => ready(models),
    close: () => own && closeCore(own.core),
  };
}

function modelsNearStart(options: FederatedOptions, context: ParticipantContext): SingleTask {
  const { offsets } = context.data;
  const path = (of: ParticipantContext, upTo?: Uint8Array) => {
    const { model, shared, initial } = placeModel(options, of);
    return nearStart({ model, held: shared, start: initial }, upTo);
  };
  let chosen: Uint8Array = new Uint8Array(context.data.m);
  return {
    tried: STRENGTHS.length,
    withoutFolds: (_batch, fold) => path(fold),
    settle(losses) {
      chosen = bestStrengths(losses, offsets);
      return gather(losses, chosen, offsets);
    },
    close: () => undefined,
    *models() {
      const own = apart(context);
      const found = yield* path(own, chosen);
      closeCore(own.core);
      const size = found[0]!.length / chosen.length;
      return gather(
        found,
        chosen,
        Uint32Array.from({ length: chosen.length + 1 }, (_, i) => i * size),
      );
    },
  };
}

/** Block i of the result is block i of `arrays[which[i]]`, from `offsets[i]` on. */
function gather(
  arrays: readonly Float64Array[],
  which: Uint8Array,
  offsets: Uint32Array,
): Float64Array {
  const out = arrays[0]!.slice();
  which.forEach((k, i) => {
    out.set(arrays[k]!.subarray(offsets[i], offsets[i + 1]), offsets[i]);
  });
  return out;
}
