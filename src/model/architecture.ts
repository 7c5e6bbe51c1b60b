/**
 * What a saved model says of its architecture, and the way back.
 * @module
 */
import { DataError } from "../core/index.js";
import {
  HiddenLayerNetwork,
  type DifferentiableModel,
  type NetworkSpec,
} from "../learning/index.js";

/** An architecture in plain JSON. */
export interface ArchitectureCard {
  readonly name: string;
  readonly parameters: number;
  /** Present for the built-in network, which can be made from it. */
  readonly network?: NetworkSpec;
}

/** The card of an architecture; null for the linear model. */
export function describeArchitecture(model: DifferentiableModel | null): ArchitectureCard | null {
  if (!model) return null;
  const { name, parameters } = model;
  return model instanceof HiddenLayerNetwork
    ? { name, parameters, network: model.spec }
    : { name, parameters };
}

/**
 * The architecture of a card: none, the built-in network, or the caller's own.
 * @throws DataError if the caller's is needed and not given, or is another one.
 */
export function restoreArchitecture(
  card: ArchitectureCard | null | undefined,
  given: DifferentiableModel | undefined,
): DifferentiableModel | null {
  if (!card) return null;
  if (card.network) return new HiddenLayerNetwork(card.network);
  const wanted = `${JSON.stringify(card.name)} with ${card.parameters} parameters`;
  if (!given) {
    throw new DataError(
      `model file: it was trained with the caller's own model ${wanted}; pass it: ` +
        `loadModel(bytes, { architecture }).`,
    );
  }
  if (given.name !== card.name || given.parameters !== card.parameters) {
    throw new DataError(
      `model file: it was trained with the model ${wanted}, the one given is ` +
        `${JSON.stringify(given.name)} with ${given.parameters}.`,
    );
  }
  return given;
}
