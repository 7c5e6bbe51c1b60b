/**
 * What the curator makes of the tasks' uploads before noise: the only function of the
 * models that is ever released.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import { sumTree, treeWorkspace, type SummedName } from "./task-tree.js";

/** Name of a statistic; its sensitivity per adjacency is in `privacy/mechanisms`. */
export type StatisticName =
  | "none"
  | "covariance"
  | "diagonal"
  | "task-covariance"
  | "augmented-covariance"
  | "vector"
  | "moment";

/** A sum over tasks of a function of the vectors they share, V[m,d], row i from task i. */
export interface Statistic {
  readonly name: StatisticName;
  /** Float64s of the result. */
  length(m: number, d: number): number;
  /** Bytes of scratch memory. */
  workspace(core: Core, m: number, d: number): number;
  /** Writes the statistic of the models uploaded to `out`. */
  compute(core: Core, uploads: Pointer, out: Pointer, m: number, d: number, work: Pointer): void;
  /** Order of the result if it is a square matrix, else 0: where a shift goes. */
  order(m: number, d: number): number;
}

/** Nothing is uploaded: every task learns alone. */
const none: Statistic = {
  name: "none",
  length: () => 0,
  workspace: () => 0,
  compute: () => undefined,
  order: () => 0,
};

/** In parts of the tasks, which threads may sum apart. */
const inParts = (of: SummedName): Pick<Statistic, "name" | "workspace" | "compute"> => ({
  name: of,
  workspace: (core, m, d) => treeWorkspace(core, { m, d, of }),
  compute: (core, uploads, out, m, d, work) =>
    sumTree(core, { m, d, of }, out, { rows: (task) => uploads + 8 * task * d, work }),
});

/** C = sum_i v_i v_i^T, that is W W^T, shape [d, d]. */
const covariance: Statistic = {
  ...inParts("covariance"),
  length: (_m, d) => d * d,
  order: (_m, d) => d,
};

/** The diagonal of W W^T: the squared norm of every feature's row, shape [d]. */
const diagonal: Statistic = {
  ...inParts("diagonal"),
  length: (_m, d) => d,
  order: () => 0,
};

/** W^T W, inner products between tasks, shape [m, m]. */
const taskCovariance: Statistic = {
  name: "task-covariance",
  length: (m) => m * m,
  workspace: ({ kernels }, m, d) => 8 * (m * d + 2) + kernels.syrkWorkspace(d, m),
  compute: ({ kernels }, uploads, out, m, d, work) => {
    kernels.transpose(uploads, work, m, d);
    kernels.syrk(work, out, d, m, work + 8 * (m * d + ((m * d) % 2)));
  },
  order: (m) => m,
};

/**
 * sum_i [v_i; 1][v_i; 1]^T, shape [d + 1, d + 1]: W W^T, beside it the sum of the vectors, and in the
 * corner m. One release tells mean and covariance.
 */
const augmentedCovariance: Statistic = {
  name: "augmented-covariance",
  length: (_m, d) => (d + 1) ** 2,
  workspace: ({ kernels }, m, d) => kernels.syrkWorkspace(m, d) + 8 * (d * d + 2),
  compute: ({ kernels, arena }, uploads, out, m, d, work) => {
    const inner = work;
    kernels.syrk(uploads, inner, m, d, work + 8 * (d * d + (d % 2)));
    const from = arena.view(inner, d * d);
    const to = arena.view(out, (d + 1) ** 2);
    const rows = arena.view(uploads, m * d);
    to.fill(0);
    for (let j = 0; j < d; j++) to.set(from.subarray(j * d, (j + 1) * d), j * (d + 1));
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < d; j++) to[d * (d + 1) + j]! += rows[i * d + j]!;
    }
    for (let j = 0; j < d; j++) to[j * (d + 1) + d] = to[d * (d + 1) + j]!;
    to[(d + 1) ** 2 - 1] = m;
  },
  order: (_m, d) => d + 1,
};

/** sum_i v_i, shape [d]. */
const vector: Statistic = {
  name: "vector",
  length: (_m, d) => d,
  workspace: () => 0,
  compute: ({ kernels, arena }, uploads, out, m, d) => {
    arena.view(out, d).fill(0);
    for (let i = 0; i < m; i++) kernels.axpy(1, uploads + 8 * i * d, out, d);
  },
  order: () => 0,
};

/** The same of vectors whose inner products are not negative, which their sensitivity rests on. */
const moment: Statistic = { ...vector, name: "moment" };

const STATISTICS: Record<StatisticName, Statistic> = {
  none,
  covariance,
  diagonal,
  "task-covariance": taskCovariance,
  "augmented-covariance": augmentedCovariance,
  vector,
  moment,
};

/** The statistic of that name. */
export function statistic(name: StatisticName): Statistic {
  return STATISTICS[name];
}
