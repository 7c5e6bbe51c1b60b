/**
 * The own models of tasks with sparse rows and the squared loss: those of the same rows dense, up to rounding. A task with more
 * rows than columns is told by the products of its columns, so that its rows stay sparse.
 * @module
 */
import type { ResidentTasks } from "../../resident-tasks.js";
import { fromProducts } from "../by-tridiagonal-form.js";
import { bySparseTasks, onOwnScale, type ScaledRows } from "./sparse-scale.js";
import { timesTransposed, type CompactRows } from "./compact-rows.js";
import {
  averagedModel,
  scaleAsked,
  squaredModel,
  type ScaledTask,
  type Asked,
  type OwnModel,
  type Targets,
} from "../squared.js";
import { averagedScales } from "../own-scale.js";
import type { LocalModels } from "../../local-models.js";
import type { Unsolved } from "../own-ridge.js";

/** Models of all tasks, from their own rows only. */
export function sparseSquaredModels(tasks: ResidentTasks, unsolved: Unsolved): LocalModels {
  const { intercept, known } = tasks;
  return bySparseTasks(
    tasks,
    (rows, targets, used) => {
      const multiples = known.multiples && Float64Array.from(used, (at) => known.multiples![at]!);
      const asked = { intercept, known: { ...known, multiples } };
      return rows.n > rows.k ? byColumns(rows, targets, asked) : byRows(rows, targets, asked);
    },
    unsolved,
  );
}

/** Few rows: dense ones, of the columns that have entries. */
function byRows(
  { starts, columns, values, n, k }: CompactRows,
  targets: Targets,
  asked: Asked,
): OwnModel {
  const x = new Float64Array(n * k);
  for (let row = 0; row < n; row++) {
    for (let at = starts[row]!; at < starts[row + 1]!; at++)
      x[row * k + columns[at]!] = values[at]!;
  }
  return squaredModel({ x, n, d: k, ...targets }, asked);
}

/** At least one more row than columns, so that none is missing with a column for the intercept. */
function byColumns(rows: CompactRows, targets: Targets, asked: Asked): OwnModel {
  const { n, k } = rows;
  const { y, s } = targets;
  const scales = averagedScales(n, (place) => onOwnScale(rows, s, { ...scaleAsked(asked), place }));
  const scaled = scales.map(({ own, weight }): ScaledTask => {
    const { gram, sums } = columnProducts(own, s);
    return {
      ...own,
      weight,
      decompose: ({ level, unit }, ratio) => {
        const residuals = y.map((value) => (value - level) / unit);
        const weighted = s ? residuals.map((value, row) => s[row]! * value) : residuals;
        const mass = weighted.reduce((sum, value) => sum + value, 0);
        const total = residuals.reduce((sum, value, row) => sum + value * weighted[row]!, 0);
        const product = timesTransposed(own.scaled, weighted).map(
          (value, c) => value - own.shifts[c]! * mass,
        );
        if (ratio === 0) return fromProducts(gram, product, total, k);
        // The column sqrt(ratio) for the intercept.
        const q = k + 1;
        const root = Math.sqrt(ratio);
        const wider = new Float64Array(q * q);
        for (let c = 0; c < k; c++) {
          wider.set(gram.subarray(c * k, (c + 1) * k), c * q);
          wider[c * q + k] = wider[k * q + c] = root * sums[c]!;
        }
        wider[q * q - 1] = ratio * n;
        return fromProducts(wider, Float64Array.of(...product, root * mass), total, q);
      },
    };
  });
  return averagedModel(targets, asked, { n, d: k }, scaled);
}

/** Z^T S Z[k, k], symmetric to the bit, and Z^T S 1[k], Z = X f - shifts. */
function columnProducts({ scaled, shifts }: ScaledRows, s: Float64Array | undefined) {
  const { starts, columns, values, n, k } = scaled;
  const gram = new Float64Array(k * k);
  const given = timesTransposed(scaled, s ?? new Float64Array(n).fill(1));
  for (let row = 0; row < n; row++) {
    const weight = s?.[row] ?? 1;
    for (let a = starts[row]!; a < starts[row + 1]!; a++) {
      const value = weight * values[a]!;
      for (let b = starts[row]!; b <= a; b++) {
        gram[columns[a]! * k + columns[b]!]! += value * values[b]!;
      }
    }
  }
  for (let a = 0; a < k; a++) {
    for (let b = 0; b <= a; b++) {
      const cross = given[a]! * shifts[b]! + given[b]! * shifts[a]! - n * shifts[a]! * shifts[b]!;
      gram[a * k + b] = gram[b * k + a] = gram[a * k + b]! - cross;
    }
  }
  return { gram, sums: given.map((value, c) => value - n * shifts[c]!) };
}
