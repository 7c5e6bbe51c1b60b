/**
 * Tasks of accelerated proximal gradient in batches.
 * @module
 */
import type { Batches } from "../../round/batches.js";
import type { PublicSizes } from "../../round/halves.js";
import { residentBytes, type BatchSize } from "../../tasks/resident-size.js";
import { placeBatch } from "../joint-fit.js";
import type { SplitBatchesOptions } from "../splitting/batches.js";
import { descentHalf } from "./half.js";

/** The tasks in batches. @param entries of all rows, which are sparse. */
export function descentBatches(
  { options, ...penalties }: SplitBatchesOptions,
  entries: number,
): Batches {
  const parts = penalties.local ? 2 : 1;
  const isSquare = penalties.shared.statistic === "covariance";
  return {
    work: ({ sizes }) => descentWork(sizes, entries, parts, isSquare),
    bytes: (batch) => descentBytes(batch, parts),
    place: (context) => descentHalf({ ...penalties, ...placeBatch(context, options, parts) }),
  };
}

/** Rounds that a fit is likely to take, and multiplications of one by what they take of time: for each entry, and number of a model. */
const ROUNDS = 100;
const PER_ENTRY = 8;
const PER_NUMBER = 12;

function descentWork(
  { m, d }: PublicSizes,
  entries: number,
  parts: number,
  isSquare: boolean,
): number {
  const models = m * d * (PER_NUMBER * parts + (isSquare ? 1.5 * d : 0));
  return ROUNDS * (PER_ENTRY * entries + models);
}

/** Blocks of models beside the data: seven of each part, and the gradients that are answered. */
function descentBytes(batch: BatchSize, parts: number): number {
  const { m, d } = batch;
  return residentBytes(batch) + 8 * m * d * (7 * parts + 4);
}
