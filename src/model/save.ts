/**
 * `saveModel`, `loadModel`: a fitted model as one safetensors file.
 * @module
 */
import { kindOf } from "../core/messages/kind-of.js";
import { DataError } from "../core/errors.js";
import { checkFormat } from "../core/file-format.js";
import { FittedModel, type DifferentiableModel, type FittedModelState } from "../learning/index.js";
import { restoreArchitecture } from "./architecture.js";
import { asRead } from "../privacy/guarantee/check-statement.js";
import type { OwnBudget } from "../privacy/index.js";
import { checkCard, checkOwners, checkPromises, ledgerOf } from "./check-card.js";
import { MODEL_FORMAT, modelCard, type ModelCard } from "./card.js";
import { decodeSafetensors, encodeSafetensors, type Tensor } from "./safetensors.js";

/** Key of the card in the file's metadata. */
const CARD = "mp-mtl";

/** Prefix of the tensors that hold a model's components. */
const COMPONENT = "component.";

/**
 * The whole model as safetensors bytes: `weights` [m, d] ([m, d, C] for the softmax loss,
 * [m, parameters] for a network) and, where there are any, `intercepts` [m] or [m, C] and
 * `component.NAME`, F64; the model card as metadata. All tasks' models are in it: for the curator
 * only.
 */
export function saveModel(model: FittedModel): Uint8Array<ArrayBuffer> {
  requireFitted(model);
  const classes = model.loss === "softmax" ? [model.outputsPerRow] : [];
  const tensors: Record<string, Tensor> = {
    weights: {
      shape: model.architecture ? [model.m, model.parameters] : [model.m, model.d, ...classes],
      data: model.weights,
    },
  };
  if (model.intercepts) {
    tensors["intercepts"] = { shape: [model.m, ...classes], data: model.intercepts };
  }
  for (const [name, component] of Object.entries(model.components)) {
    tensors[COMPONENT + name] = component;
  }
  return encodeSafetensors({ tensors, metadata: { [CARD]: JSON.stringify(modelCard(model)) } });
}

/**
 * Reads what `saveModel` wrote; predictions are the same to the last bit.
 * @param bytes the whole file.
 * @param options.architecture the `DifferentiableModel` of your own that the model was trained
 *   with; not needed for linear models and the built-in network.
 * @throws DataError if the file is damaged, of another program, or of a newer format, if its guarantee promises more
 *   than its ledger paid for, or if its architecture is not the one given.
 */
export function loadModel(
  bytes: Uint8Array | ArrayBuffer,
  options: { architecture?: DifferentiableModel } = {},
): FittedModel {
  const { tensors, metadata } = decodeSafetensors(bytesOf(bytes));
  const card = parseCard(metadata[CARD]);
  const { weights, intercepts } = tensors;
  const [m, d] = [card.taskNames.length, card.featureNames.length];
  const architecture = restoreArchitecture(card.architecture, options.architecture);
  const outputs = card.loss === "softmax" ? card.classes!.length : 1;
  const parameters = architecture?.parameters ?? d * outputs;
  const classes = card.loss === "softmax" ? [outputs] : [];
  const shape = architecture ? [m, parameters] : [m, d, ...classes];
  if (!weights || String(weights.shape) !== String(shape)) {
    throw new DataError(
      `model file: expected weights of ${m} tasks and ${d} features, ${parameters} numbers a task.`,
    );
  }
  if (intercepts && String(intercepts.shape) !== String([m, ...classes])) {
    throw new DataError(
      `model file: expected ${m * outputs} intercepts, found ${intercepts.data.length} or another shape.`,
    );
  }
  const ledger = ledgerOf("ledger", card);
  const recordLedger = ledgerOf("recordLedger", card);
  checkPromises(card, ledger, recordLedger);
  checkOwners(card, ledger, recordLedger);
  const { format: _format, version: _version, writtenBy: _writtenBy, figures, ...fields } = card;
  const state: FittedModelState = {
    ...fields,
    guarantee: asRead(card.guarantee),
    ...(card.owners ? { owners: card.owners.map(ownerAsRead) } : {}),
    architecture,
    weights: weights.data,
    intercepts: intercepts?.data ?? null,
    components: Object.fromEntries(
      Object.entries(tensors)
        .filter(([name]) => name.startsWith(COMPONENT))
        .map(([name, tensor]) => [name.slice(COMPONENT.length), tensor]),
    ),
    ledger,
    recordGuarantee: card.recordGuarantee ?? null,
    recordLedger,
    objective: figures.objective,
  };
  return new FittedModel(state);
}

/** The account of an owner without what nothing bears out; the guarantee says so. */
function ownerAsRead({ recordOf, ...owner }: OwnBudget): OwnBudget {
  return recordOf?.sensitivities ? { ...owner, recordOf } : owner;
}

/** @throws TypeError for what `fit` did not return, with what to do with a task's own model. */
function requireFitted(model: FittedModel): void {
  const { taskNames, weights } = (model ?? {}) as Partial<FittedModel>;
  if (taskNames && weights) return;
  throw new TypeError(
    `saveModel: expected what fit returns, the models of all tasks, got ${kindOf(model)}; one task's own is JSON: JSON.stringify(own), and ` +
      "new TaskModel(JSON.parse(text)) is that model again",
  );
}

/** What hosts give for the content of a file. */
function bytesOf(given: Uint8Array | ArrayBuffer): Uint8Array {
  // Of another realm they are no instances of this one's classes.
  if (ArrayBuffer.isView(given)) {
    return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  }
  if (Object.prototype.toString.call(given) === "[object ArrayBuffer]") {
    return new Uint8Array(given);
  }
  throw new TypeError(
    `loadModel: expected the bytes of a file as a Uint8Array or an ArrayBuffer, got ${typeof given}`,
  );
}

function parseCard(text: string | undefined): ModelCard {
  if (text === undefined) throw new DataError("model file: it holds no mp-mtl model card.");
  let card: ModelCard;
  try {
    card = JSON.parse(text) as ModelCard;
  } catch {
    // The host's own message would show a piece of the file.
    throw new DataError("model file: its model card is not JSON; the file is damaged.");
  }
  const older = card?.version >= 1 && card.version < MODEL_FORMAT;
  const version = older ? card.version : MODEL_FORMAT;
  checkFormat("model file", card ?? {}, { format: "mp-mtl-model", version });
  return checkCard(card);
}
