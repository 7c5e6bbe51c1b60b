/**
 * A fit by Douglas-Rachford rounds: its tasks on one thread or on several, to the same bits.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";
import { modelOf, type FitRecord } from "../../fitted/build-model.js";
import type { FittedModel } from "../../fitted/fitted-model.js";
import type { ConvergenceOptions } from "../../options/common-options.js";
import { fitInBatches } from "../../parallel/fit-in-batches.js";
import { publicSizes } from "../../release/public-sizes.js";
import type { Batches } from "../../round/batches.js";
import type { FitOptions } from "../../round/estimator.js";
import type { PublicSizes } from "../../round/halves.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import type { LossName } from "../../tasks/losses.js";
import { targetsOf } from "../../tasks/targets.js";
import { withFreeIntercepts } from "../free-intercepts.js";
import type { Start } from "../solvers/problem.js";
import { placeWithinRange } from "../within-range.js";
import { splitHalf, type Penalties } from "./half.js";
import { solveBySplitting } from "./solve.js";
import { solvesByRows, splittingBytes } from "./suits.js";

/** Whose tasks they are, and what is said of the fit. */
export interface SplitOwner extends Penalties, Pick<FitRecord, "method" | "guarantee"> {
  readonly options: CommonOptions & ConvergenceOptions;
}

/** What of an owner makes batches of its tasks. */
export type SplitBatchesOptions = Penalties & { readonly options: CommonOptions };

/** The tasks in batches. @param entries of all rows, where these are sparse and it is known. */
export function splitBatches(
  { options, ...penalties }: SplitBatchesOptions,
  entries?: number,
): Batches {
  const parts = penalties.local ? 2 : 1;
  return {
    work: ({ sizes }) =>
      entries === undefined
        ? splitWork(options.loss, sizes, parts)
        : sparseWork(sizes, entries, parts),
    bytes: (batch) => splittingBytes(batch, parts),
    place: ({ core, data, sizes, positions, classes, start }) => {
      const { tasks } = placeWithinRange(data, options, { core, classes, sizes });
      const from = startOfBatch(start, positions[0]!, { ...sizes, own: data.m }, parts);
      return splitHalf(withFreeIntercepts(tasks), penalties, from, sizes);
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

/** All tasks' W [m, d], Q [m, d] where models are in two parts, and b [m], one after the other. */
function startInOne({ weights, local, intercepts }: Start, parts: number): Float64Array {
  const second = parts > 1 ? (local ?? new Float64Array(weights.length)) : new Float64Array(0);
  const start = new Float64Array(weights.length + second.length + intercepts.length);
  start.set(weights);
  start.set(second, weights.length);
  start.set(intercepts, weights.length + second.length);
  return start;
}

/** Of the batch's own tasks; null stands for zeros. */
function startOfBatch(
  start: Float64Array | null,
  first: number,
  { m, d, own }: { readonly m: number; readonly d: number; readonly own: number },
  parts: number,
): Start {
  const part = (before: number, width: number) => {
    const at = before + first * width;
    return start?.slice(at, at + own * width) ?? new Float64Array(own * width);
  };
  return {
    weights: part(0, d),
    ...(parts > 1 ? { local: part(m * d, d) } : {}),
    intercepts: part(parts * m * d, 1),
  };
}

/**
 * Fits all tasks.
 * @throws DataError if the data does not suit the method; HostError if it fits the memories of no threads there are; whatever
 *   the hooks' signal was aborted with.
 */
export async function fitBySplitting(
  owner: SplitOwner,
  data: TaskSet,
  from: Start,
  hooks: FitOptions,
): Promise<FittedModel> {
  const { method, guarantee, options, shared, local } = owner;
  const { m, d } = data;
  const { loss, tolerance, maxRounds } = options;
  const { classes } = targetsOf(data, loss);
  const batches = splitBatches(owner, data.sparse?.values.length);
  const start = startInOne(from, local ? 2 : 1);
  const { models, solution, threads } = await fitInBatches(
    { method, options, batches, statistics: [shared.statistic, "none"] },
    { data, sizes: publicSizes(data), classes, start },
    hooks,
    (half, core) =>
      solveBySplitting({
        ...{ core, m, d, half, shared, local, isSquared: loss === "squared" },
        ...{ tolerance, maxRounds, signal: hooks.signal, onRound: hooks.onRound },
      }),
  );
  const { components, ...at } = models;
  return modelOf(data, classes, at, {
    ...{ method, guarantee, options, ledger: null, threads },
    ...solution,
    ...(components ? { components } : {}),
  });
}
