/**
 * Features that a table holds beside its columns: of every row only those that are not zero, by number.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { takeSparse, type SparseRows } from "./sparse-rows.js";

/** Which numbers features have. */
export interface FeatureNumbers {
  /** The first, 0 or 1. */
  readonly first: number;
  /** How many there are. */
  readonly count: number;
}

/** The sparse features of every row of a table. */
export interface SparseFeatures extends FeatureNumbers {
  /** Columns are counted from 0. */
  readonly rows: SparseRows;
}

/** `x1`, `x2`, … */
export function numberedNames({ first, count }: FeatureNumbers): string[] {
  return Array.from({ length: count }, (_, j) => `x${j + first}`);
}

/** The features of these rows, in this order. */
export function takeFeatures(features: SparseFeatures, rows: ArrayLike<number>): SparseFeatures {
  return { ...features, rows: takeSparse(features.rows, Uint32Array.from(rows)) };
}

/** @throws DataError if a table holds sparse features and the encoding knows of none, or the other way round. */
export function requireSame(
  name: string,
  found: SparseFeatures | undefined,
  expected: FeatureNumbers | undefined,
): void {
  if ((found === undefined) === (expected === undefined)) return;
  throw new DataError(
    expected
      ? `${name}: expected sparse features, as the training data had (a file that ends in .svmlight); this is a table of columns.`
      : `${name} holds sparse features; the training data were a table of columns.`,
  );
}
