/**
 * What tasks of PMTL, FedAvg and FedProx have without the others: a model of the same family.
 * @module
 */
import { joinIntercepts } from "../../tasks/constant-column.js";
import { modelsAlone } from "../../local-selection/alone.js";
import { bestHolds, HOLDS, nearStart } from "../../steps/near-start.js";
import type { LocalModels } from "../../tasks/ridge.js";
import type { FoldBatch } from "../../tasks/task-folds.js";
import type { ParticipantContext } from "../../round/halves.js";
import { placeTasks } from "../../fitted/place-tasks.js";
import type { FederatedOptions } from "./federated-options.js";
import { placeModel } from "./federated-work.js";

/** The side that a safeguard compares with. Models are [m, parameters], as the method has them. */
export interface FederatedAlone {
  /** How many models a task has to choose from. */
  readonly tried: number;
  /** Those of a batch's entries, which are the tasks of `fold`. */
  onFolds(batch: FoldBatch, fold: ParticipantContext): Generator<void, Float64Array[]>;
  /**
   * Settles which one every task is best off with.
   * @param losses of all rows, held out, for each that is tried.
   * @returns those under the best.
   */
  settle(losses: readonly Float64Array[]): Float64Array;
  /** Every task's best model, on all of its rows. */
  models(): Generator<void, Float64Array>;
}

/** Ridge where the weight is chosen by leave-one-out in closed form, else the family held to its start. */
export function federatedAlone(
  options: FederatedOptions,
  context: ParticipantContext,
): FederatedAlone {
  return options.model === "linear" && options.loss !== "softmax"
    ? ridgeAlone(options, context)
    : heldAlone(options, context);
}

function ridgeAlone(options: FederatedOptions, context: ParticipantContext): FederatedAlone {
  // Intercepts are beside the features here, not among them.
  const place = ({ core, data, sizes, classes }: ParticipantContext) =>
    placeTasks(data, options, { core, classes, sizes }).tasks;
  const parametersOf = ({ weights, intercepts }: LocalModels) =>
    options.intercept ? joinIntercepts(weights, intercepts) : weights;
  const alone = modelsAlone(place(context), "auto");
  return {
    tried: 1,
    // eslint-disable-next-line require-yield
    *onFolds(batch, fold) {
      return [parametersOf(alone.onFolds(batch, () => place(fold)))];
    },
    settle: ([losses]) => losses!,
    // eslint-disable-next-line require-yield
    *models() {
      return parametersOf(alone);
    },
  };
}

function heldAlone(options: FederatedOptions, context: ParticipantContext): FederatedAlone {
  const { offsets } = context.data;
  const path = (of: ParticipantContext, upTo?: Uint8Array) => {
    const { model, shared, initial } = placeModel(options, of);
    return nearStart({ model, held: shared, start: initial }, upTo);
  };
  let holds: Uint8Array = new Uint8Array(context.data.m);
  return {
    tried: HOLDS.length,
    onFolds: (_batch, fold) => path(fold),
    settle(losses) {
      holds = bestHolds(losses, offsets);
      return gather(losses, holds, offsets);
    },
    *models() {
      const found = yield* path(context, holds);
      const size = found[0]!.length / holds.length;
      return gather(
        found,
        holds,
        Uint32Array.from({ length: holds.length + 1 }, (_, i) => i * size),
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
