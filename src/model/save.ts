/**
 * `saveModel`, `loadModel`: a fitted model as one safetensors file.
 * @module
 */
import { DataError } from "../core/index.js";
import { FittedModel, type FittedModelState } from "../learning/index.js";
import { Ledger } from "../privacy/index.js";
import { MODEL_FORMAT, modelCard, type ModelCard } from "./card.js";
import { decodeSafetensors, encodeSafetensors, type Tensor } from "./safetensors.js";

/** Key of the card in the file's metadata. */
const CARD = "mp-mtl";

/** Prefix of the tensors that hold a model's components. */
const COMPONENT = "component.";

/**
 * The whole model as safetensors bytes: `weights` [m, d] and, where there are any, `intercepts`
 * [m] and `component.NAME`, F64; the model card as metadata. All tasks' models are in it: for the curator only.
 */
export function saveModel(model: FittedModel): Uint8Array<ArrayBuffer> {
  const tensors: Record<string, Tensor> = {
    weights: { shape: [model.m, model.d], data: model.weights },
  };
  if (model.intercepts) {
    tensors["intercepts"] = { shape: [model.m], data: model.intercepts };
  }
  for (const [name, component] of Object.entries(model.components)) {
    tensors[COMPONENT + name] = component;
  }
  return encodeSafetensors({ tensors, metadata: { [CARD]: JSON.stringify(modelCard(model)) } });
}

/**
 * Reads what `saveModel` wrote; predictions are the same to the last bit.
 * @throws DataError if the file is damaged, of another program, or of a newer format.
 */
export function loadModel(bytes: Uint8Array): FittedModel {
  const { tensors, metadata } = decodeSafetensors(bytes);
  const card = parseCard(metadata[CARD]);
  const { weights, intercepts } = tensors;
  const [m, d] = [card.taskNames.length, card.featureNames.length];
  if (!weights || weights.data.length !== m * d) {
    throw new DataError(`model file: expected weights of ${m} tasks and ${d} features.`);
  }
  if (intercepts && intercepts.data.length !== m) {
    throw new DataError(`model file: expected ${m} intercepts, found ${intercepts.data.length}.`);
  }
  const { format: _format, version: _version, writtenBy: _writtenBy, figures, ...fields } = card;
  const state: FittedModelState = {
    ...fields,
    weights: weights.data,
    intercepts: intercepts?.data ?? null,
    components: Object.fromEntries(
      Object.entries(tensors)
        .filter(([name]) => name.startsWith(COMPONENT))
        .map(([name, tensor]) => [name.slice(COMPONENT.length), tensor]),
    ),
    ledger: card.ledger ? Ledger.fromJSON(card.ledger) : null,
    objective: figures.objective,
  };
  return new FittedModel(state);
}

function parseCard(text: string | undefined): ModelCard {
  if (text === undefined) throw new DataError("model file: it holds no mp-mtl model card.");
  let card: ModelCard;
  try {
    card = JSON.parse(text) as ModelCard;
  } catch (cause) {
    throw new DataError("model file: its model card is not JSON; the file is damaged.", { cause });
  }
  if (card.format !== "mp-mtl-model" || typeof card.version !== "number") {
    throw new DataError("model file: its model card is not one of mp-mtl.");
  }
  if (card.version > MODEL_FORMAT) {
    throw new DataError(
      `model file: format version ${card.version}, this release reads up to ${MODEL_FORMAT}; ` +
        `use a newer mp-mtl.`,
    );
  }
  return card;
}
