/**
 * Tasks of Douglas-Rachford rounds in batches.
 * @module
 */
import type { Batches } from "../../round/batches.js";
import type { PublicSizes } from "../../round/halves.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import type { LossName } from "../../tasks/losses.js";
import { placeBatch } from "../joint-fit.js";
import type { Penalties } from "../penalties/penalty.js";
import { splitHalf } from "./half.js";
import { solvesByRows, splittingBytes } from "./suits.js";

/** What of a method makes batches of its tasks. */
export type SplitBatchesOptions = Penalties & { readonly options: CommonOptions };

/** The tasks in batches. @param entries of all rows, where these are sparse and it is known. */
export function splitBatches(
  { options, ...penalties }: SplitBatchesOptions,
  entries: number | undefined,
): Batches {
  const parts = penalties.local ? 2 : 1;
  return {
    work: ({ sizes }) =>
      entries === undefined
        ? splitWork(options.loss, sizes, parts)
        : sparseWork(sizes, entries, parts),
    bytes: (batch) => splittingBytes(batch, parts),
    place: (context) => {
      const { tasks, start } = placeBatch(context, options, parts);
      return splitHalf(tasks, penalties, start, context.sizes);
    },
  };
}

/** How often a fit is likely to: make matrices, take rounds and evaluate gradients, an intercept's included. */
const OFTEN = {
  squared: { matrices: 2, rounds: 72, gradients: 11 },
  labels: { matrices: 9, rounds: 72, gradients: 50 },
} as const;

/** In multiplications. */
function splitWork(loss: LossName, sizes: PublicSizes, parts: number): number {
  const { m, d, rows, mostRows } = sizes;
  const { matrices, rounds, gradients } = loss === "squared" ? OFTEN.squared : OFTEN.labels;
  const byRows = solvesByRows(sizes);
  const step = byRows ? rows * (3 * d + mostRows) : m * d * d;
  const round = step + (parts > 1 ? 12 * m * d : 0);
  const matrix = byRows ? rows * mostRows * d : (rows + m * d) * d * d;
  return (matrices * matrix) / 2 + rounds * round + gradients * 2 * rows * d;
}

/** Multiplications for each entry of sparse rows in a round, by what they take of time. */
const PER_ENTRY = 40;

/** What rounds take; most is the projection by the curator's broadcast. */
function sparseWork({ m, d }: PublicSizes, entries: number, parts: number): number {
  return OFTEN.labels.rounds * (PER_ENTRY * entries + m * d * (d + 12 * parts));
}
