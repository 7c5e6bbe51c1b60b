/**
 * What is known of the scale of features and target before a task's rows are seen.
 * @module
 */
import type { DataEncoding } from "../../../data/index.js";
import { rangedFeatures } from "../../../data/provenance/ranged-features.js";
import { TYPICAL_SIZE } from "./settings.js";

/** What is known of the scale of features and target beforehand. */
export interface KnownScale {
  readonly features: boolean;
  /** By what each feature is multiplied, [d]: given wherever features are declared, since kernels have no default. */
  readonly multiples?: Float64Array | undefined;
  readonly target: boolean;
}

/**
 * Whether the ranges of all features, and of the target, are declared. Numbers of declared ranges are brought to the size of indicators.
 * @param whole whether models have the encoding's features and no others.
 */
export function knownScale(encoding: DataEncoding, whole: boolean): KnownScale {
  const { columns, target } = encoding;
  const features = whole && columns.every(({ scale }) => scale !== null);
  const multiple = (ranged: boolean) => (ranged ? 1 / TYPICAL_SIZE : 1);
  return {
    features,
    target: target.scale !== null,
    ...(features && { multiples: Float64Array.from(rangedFeatures(encoding), multiple) }),
  };
}
