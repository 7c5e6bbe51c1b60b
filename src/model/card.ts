/**
 * The model card: configuration, guarantee, ledger and figures of a fit, as JSON for people and
 * programs.
 * @module
 */
import { requireModel } from "../learning/fitted/require-model.js";
import type { FittedModel, FittedModelState, PooledFigures } from "../learning/index.js";
import { TASK_LIMITS } from "../learning/fitted/feature-limits.js";
import { UNTOLD } from "../learning/fitted/unseen/untold.js";
import type { Ledger } from "../privacy/index.js";
import { describeArchitecture, type ArchitectureCard } from "./architecture.js";
import { VERSION } from "../core/index.js";

/** Newest version of the file's layout; readers refuse what they do not know, and read all older ones. */
export const MODEL_FORMAT = 3;

/**
 * The oldest version whose readers predict with the model as it does: those of version 1 do not average
 * probabilities over a posterior, nor hold features within limits; those of version 2 predict for tasks never seen where levels are not known.
 */
function formatOf({ components }: FittedModel): number {
  if (components[UNTOLD]) return MODEL_FORMAT;
  const held = components["featureLimits"] ?? components[TASK_LIMITS];
  return components["mixtureWeights"] || held ? 2 : 1;
}

/** What `model-card.json` holds; with the weights it is the whole model. */
export interface ModelCard extends Omit<
  FittedModelState,
  "weights" | "intercepts" | "architecture" | "components" | "ledger" | "recordLedger" | "objective"
> {
  /** Name of the layout. */
  readonly format: "mp-mtl-model";
  /** Version of the layout. */
  readonly version: number;
  /** Release of mp-mtl that wrote it. */
  readonly writtenBy: string;
  /** How parameters become predictions; null for the linear model. */
  readonly architecture: ArchitectureCard | null;
  /** JSON of the run's ledger; null where nothing was charged. */
  readonly ledger: ReturnType<Ledger["toJSON"]> | null;
  /** With an untrusted curator: JSON of one task's ledger of its records. */
  readonly recordLedger?: ReturnType<Ledger["toJSON"]> | null;
  /** Figures over all tasks, for the curator's eyes. */
  readonly figures: PooledFigures;
}

/** The card of a model. It names all tasks and pooled figures: for the curator only. */
export function modelCard(model: FittedModel): ModelCard {
  requireModel(model);
  return {
    format: "mp-mtl-model",
    version: formatOf(model),
    writtenBy: VERSION,
    method: model.method,
    loss: model.loss,
    lossScale: model.lossScale,
    classes: model.classes,
    architecture: describeArchitecture(model.architecture),
    options: model.options,
    guarantee: model.guarantee,
    certificate: model.certificate,
    rounds: model.rounds,
    figures: model.figures,
    preprocessing: model.preprocessing,
    ...(model.choice ? { choice: model.choice } : {}),
    taskNames: model.taskNames,
    featureNames: model.featureNames,
    ledger: model.ledger?.toJSON() ?? null,
    recordGuarantee: model.recordGuarantee,
    recordLedger: model.recordLedger?.toJSON() ?? null,
    ...(model.owners ? { owners: model.owners } : {}),
    history: model.history,
  };
}
