/**
 * A public stand-in for the tasks' rows, drawn from nothing but sizes: what curator and tasks expect of one
 * another before any release. Where it is unlike the data, releases are worth less; privacy does not depend on it.
 * @module
 */
import { withCore } from "../../../../../core/core.js";
import { featureNamesOf } from "../../../../../data/columns/column-encoding.js";
import type { DataEncoding } from "../../../../../data/index.js";
import { exp } from "../../../../../core/elementary.js";
import { apply, diagonal, factor } from "../../../../../linalg/small-matrices.js";
import { normals, openStream, uniforms } from "../../../../../random/index.js";
import { infer, type SignedRows } from "../posterior/expectation-propagation.js";
import type { MixedSizes } from "../../exchange.js";

/** What is public of one or more columns: a number in [-1, 1], a dummy variable, or one dummy for each level. */
export type SyntheticColumn =
  | { readonly kind: "number" }
  | { readonly kind: "binary" }
  | { readonly kind: "levels"; readonly levels: number };

/** Features of a task, and what decides its model and labels. */
export interface SyntheticTask {
  /** [n, d], the constant last. */
  readonly x: Float64Array;
  readonly n: number;
  /** What decides the labels, [n]. */
  readonly uniforms: Float64Array;
  /** Where the task's model lies in its distribution, [d]. */
  readonly position: Float64Array;
}

/** Synthetic tasks, all of the mean number of rows. */
export interface SyntheticTasks {
  readonly d: number;
  readonly tasks: readonly SyntheticTask[];
  /** The same for the same tasks: they are drawn from nothing else. */
  readonly key: string;
}

/** The columns of a table's encoding; undefined where features are not its columns any more, or never were. */
export function syntheticColumns({
  table,
  columns,
  pipeline,
}: DataEncoding): SyntheticColumn[] | undefined {
  if (!table || pipeline) return undefined;
  const kinds = table.columns.flatMap((column): SyntheticColumn[] => {
    const { length } = featureNamesOf(column);
    if (column.kind === "category" && length > 1) return [{ kind: "levels", levels: length }];
    const number = column.kind === "number";
    return Array.from({ length }, (_, k) => ({ kind: number && k === 0 ? "number" : "binary" }));
  });
  return kinds.reduce((sum, kind) => sum + width(kind), 0) === columns.length ? kinds : undefined;
}

const MOST_TASKS = 100;
const MOST_ROWS = 60;
const SEED = "public twin of a mixed model";

const width = (column: SyntheticColumn) => (column.kind === "levels" ? column.levels : 1);

/** The synthetic tasks of a run; without columns every one is a number. */
export function drawSyntheticTasks(
  { m, d, meanRows, perTask = [] }: MixedSizes,
  columns?: readonly SyntheticColumn[],
): SyntheticTasks {
  const kinds =
    columns ?? Array.from({ length: d - 1 }, (): SyntheticColumn => ({ kind: "number" }));
  const found = kinds.reduce((sum, column) => sum + width(column), 1);
  if (found !== d) {
    throw new RangeError(
      `columns: expected ${d - 1} coordinates without the constant, got ${found - 1}`,
    );
  }
  const n = Math.min(Math.max(Math.round(meanRows), 1), MOST_ROWS);
  const count = Math.min(m, MOST_TASKS);
  return withCore((core) => {
    const stream = openStream(core, { mode: "seeded", seed: SEED });
    const tasks = Array.from({ length: count }, () => {
      const draws = uniforms(stream, n * kinds.length);
      return {
        x: rows(kinds, draws, { n, d, perTask }),
        n,
        uniforms: uniforms(stream, n),
        position: normals(stream, d),
      };
    });
    stream.close();
    return { d, tasks, key: JSON.stringify([kinds, n, count, perTask]) };
  });
}

function rows(
  kinds: readonly SyntheticColumn[],
  draws: Float64Array,
  { n, d, perTask }: { n: number; d: number; perTask: readonly number[] },
) {
  const x = new Float64Array(n * d);
  const own = new Set(perTask);
  for (let i = 0; i < n; i++) {
    let at = i * d;
    kinds.forEach((column, k) => {
      const u = draws[(own.has(at - i * d) ? 0 : i * kinds.length) + k]!;
      if (column.kind === "number") x[at] = 2 * u - 1;
      else if (column.kind === "binary") x[at] = u < 0.5 ? 1 : 0;
      else x[at + Math.floor(u * column.levels)] = 1;
      at += width(column);
    });
    x[at] = 1;
  }
  return x;
}

/** Mean squares of the columns, [d]. */
export function meanSquares({ d, tasks }: SyntheticTasks): Float64Array {
  const out = new Float64Array(d);
  for (const { x, n } of tasks) {
    for (let i = 0; i < n * d; i++) out[i % d]! += x[i]! ** 2 / (n * tasks.length);
  }
  return out;
}

/** The rows of a task with labels drawn for its model N(mean, root root^T). */
export function labelled(
  { x, n, uniforms: draws, position }: SyntheticTask,
  mean: Float64Array,
  root: Float64Array,
): SignedRows {
  const d = mean.length;
  const model = apply(root, position, d, d).map((w, j) => w + mean[j]!);
  const rows = x.slice();
  for (let i = 0; i < n; i++) {
    let logOdds = 0;
    for (let j = 0; j < d; j++) logOdds += x[i * d + j]! * model[j]!;
    if (draws[i]! < 1 / (1 + exp(-logOdds))) continue;
    for (let j = 0; j < d; j++) rows[i * d + j]! *= -1;
  }
  return { rows, n, d };
}

/** What tasks are expected to say of u. */
export interface ExpectedInformation {
  /** Mean over tasks of the information I - Sigma, [d, d]. */
  readonly information: Float64Array;
  /** Root mean square of its Frobenius norm. */
  readonly norm: number;
  /** The scores of tasks, [d] each. */
  readonly scores: readonly Float64Array[];
}

/** That of the synthetic tasks, whose models are as far from the mean as tasks and the error of it are. */
export function expectedInformation(
  synthetic: SyntheticTasks,
  mean: Float64Array,
  scales: Float64Array,
  covariance: Float64Array,
): ExpectedInformation {
  const { d, tasks } = synthetic;
  const spread = covariance.slice();
  for (let j = 0; j < d; j++) spread[j * d + j]! += scales[j]! ** 2;
  const root = factor(spread, d);
  const prior = { mean, root: diagonal(scales) };
  const information = new Float64Array(d * d);
  const scores: Float64Array[] = [];
  let squares = 0;
  for (const task of tasks) {
    const found = infer(labelled(task, mean, root), prior);
    if (!found) continue;
    scores.push(found.mean);
    const sigma = found.covariance;
    for (let i = 0; i < sigma.length; i++) {
      const entry = (i % (d + 1) === 0 ? 1 : 0) - sigma[i]!;
      information[i]! += entry / tasks.length;
      squares += entry ** 2 / tasks.length;
    }
  }
  return { information, norm: Math.sqrt(squares), scores };
}
