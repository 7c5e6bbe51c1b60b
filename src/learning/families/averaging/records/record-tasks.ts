/**
 * A batch of tasks whose single records are hidden, ready for the rounds: clipped gradients, samples of rows, and the models at the end.
 * @module
 */
import { plannedClip } from "../../../options/clip-option.js";
import { OptionError } from "../../../../core/index.js";
import { LinearModel } from "../../../models/linear-model.js";
import { OwnRelease } from "../../../release/own-release.js";
import type { ParticipantContext } from "../../../round/halves.js";
import { ClippedGradients } from "./clipped-gradients.js";
import { LocalUpdates, type LocalUpdatesOptions } from "../updates/local-updates.js";
import type { FederatedOptions } from "../options.js";
import { RecordGradients } from "./record-gradients.js";
import { asShared, fromNoisyGradients, fromOwnRows, type Conclusion } from "./record-models.js";
import type { RecordOptions } from "./record-options.js";
import { RowSamples } from "./row-samples.js";
import type { PlacedModel } from "../updates/placed-model.js";
import { uploadFactors } from "../../../release/owner-accounts.js";

/** What the tasks are made from. */
export interface RecordParts {
  readonly placed: PlacedModel;
  /** Of the local steps at the end, where a task's own model comes from its own rows. */
  readonly updates: LocalUpdatesOptions;
  readonly options: FederatedOptions & RecordOptions;
}

/** Tasks, their own releases if there are any, and what wipes keys. */
export interface RecordTasks {
  readonly participants: RecordGradients;
  readonly own: OwnRelease | undefined;
  close(): void;
}

/** Weight of a row: one over the mean number of rows a task, so that the sum over all rows is m times the mean gradient. */
export const factorOf = ({ m, rows }: { readonly m: number; readonly rows: number }) => m / rows;

/** Makes a batch ready. */
export function recordTasks(
  { placed, updates, options }: RecordParts,
  { core, sizes, positions, releases }: ParticipantContext,
): RecordTasks {
  const { model, initial, shared } = placed;
  if (!(model instanceof LinearModel)) {
    throw new OptionError(
      'model: gradients of single rows are of linear models; expected "linear"',
    );
  }
  const { random, recordClip: clip, recordRate: rate, unit, ownModel } = options;
  const factor = factorOf(sizes);
  const gradients = new ClippedGradients(model, { clip, factor });
  const samples = rate < 1 ? new RowSamples(core, random, rate) : undefined;
  const weights = uploadFactors(releases, positions);
  const own = releases.own ? new OwnRelease(core, releases.own, { random, positions }) : undefined;
  const conclusion = (): Conclusion => {
    if (own) {
      const { lambda } = updates;
      const steps = releases.own!.stage.rounds;
      const { stepSize, serverStepSize: most } = options;
      return fromNoisyGradients({
        own,
        gradients,
        factor,
        steps,
        stepSize,
        most,
        clip,
        lambda,
        shared,
        weights,
      });
    }
    if (ownModel === "noisy") return asShared;
    return fromOwnRows(new LocalUpdates(model, updates));
  };
  return {
    participants: new RecordGradients(model, {
      gradients,
      samples,
      positions,
      weights,
      initial,
      taskClip: unit === "both" ? plannedClip(options.clip) : undefined,
      conclusion: conclusion(),
    }),
    own,
    close: () => samples?.close(),
  };
}
