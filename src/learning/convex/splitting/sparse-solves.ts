/**
 * Exact proximal steps of tasks with sparse rows, in the columns that each uses: in the others its quadratic is flat, and a step
 * ends where it is aimed at.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import { dot } from "../../../linalg/dot.js";
import { sparseRows } from "../../tasks/compact-task.js";
import { BatchRoom } from "../../tasks/own-models/sparse/batch-room.js";
import { BorderedSystem } from "../../tasks/own-models/sparse/bordered-system.js";
import {
  addScattered,
  columnSquares,
  compactOf,
  gathered,
  times,
  timesTransposed,
  type CompactRows,
} from "../../tasks/own-models/sparse/compact-rows.js";
import { rowRoom, type RowRoom } from "../../tasks/own-models/sparse/row-room.js";
import type { ExactSolves } from "./exact-solves.js";
import type { Quadratics } from "./quadratics.js";

/** A task's rows in the columns that it uses, [k] of them, with the targets and weights of its quadratic. */
interface SparseQuadratic {
  readonly rows: CompactRows;
  readonly used: Uint32Array;
  readonly isCentred: boolean;
  readonly system: BorderedSystem;
  readonly targets: Float64Array;
  readonly weights: Float64Array;
}

/** The systems of all tasks' columns or rows, whichever are fewer where they hang together. */
export class SparseSolves implements ExactSolves {
  readonly #core: Core;
  readonly #quadratics: Quadratics;
  readonly #ends: Uint32Array;
  readonly #own: readonly SparseQuadratic[];
  readonly #room: RowRoom;
  readonly #batch = new BatchRoom();

  constructor(quadratics: Quadratics) {
    const { tasks } = quadratics;
    const { core, m } = tasks;
    this.#core = core;
    this.#quadratics = quadratics;
    this.#ends = core.arena.words(tasks.offsets, m + 1).slice();
    const all = sparseRows(tasks);
    const { zeros } = this.#batch;
    this.#own = Array.from({ length: m }, (_, i) => {
      const { rows, used } = compactOf(all, this.#ends[i]!, this.#ends[i + 1]!);
      const isCentred = quadratics.isCentred(i);
      const system = new BorderedSystem(rows, isCentred, zeros);
      return { rows, used, isCentred, system, targets: zeros(rows.n), weights: zeros(rows.n) };
    });
    this.#room = rowRoom(this.#own.map(({ rows }) => rows));
  }

  curvatures(): Float64Array {
    this.#read();
    const { d } = this.#quadratics.tasks;
    return Float64Array.from(this.#own, ({ rows, weights, isCentred }) => {
      const squares = columnSquares(rows, weights).reduce((sum, square) => sum + square, 0);
      if (!isCentred) return squares / d;
      const sums = timesTransposed(rows, weights);
      const mass = weights.reduce((sum, weight) => sum + weight, 0);
      return Math.max(0, squares - dot(sums, sums) / mass) / d;
    });
  }

  prepare(rho: number): number {
    this.#read();
    return 1 + this.#own.findIndex(({ system, weights }) => !system.factor(weights, rho));
  }

  step(z: Pointer, v: Pointer, w: Pointer, relaxation: number): void {
    const { arena, kernels } = this.#core;
    const { m, d } = this.#quadratics.tasks;
    const room = this.#room;
    kernels.extrapolate(z, v, w, m * d, 1);
    this.#own.forEach(({ rows, used, system, targets, weights }, i) => {
      const point = arena.view(w + 8 * i * d, d);
      const left = times(rows, gathered(point, used, room.gathered), 0, room.rows);
      let below = 0;
      for (let j = 0; j < rows.n; j++) {
        left[j] = weights[j]! * (targets[j]! - left[j]!);
        below += left[j]!;
      }
      const right = timesTransposed(rows, left, room.gathered);
      addScattered(system.solve(right, below, room.columns).v, used, point);
    });
    kernels.axpy(relaxation, w, v, m * d);
    kernels.axpy(-relaxation, z, v, m * d);
  }

  close(): void {
    this.#batch.close();
  }

  /** Takes targets and weights of the quadratics as they are now. */
  #read(): void {
    const { y, weights, scales, rows, m } = this.#quadratics.tasks;
    const { arena } = this.#core;
    const all = arena.view(y, rows);
    const factors = arena.view(scales, m);
    const given = weights === 0 ? undefined : arena.view(weights, rows);
    this.#own.forEach(({ targets, weights: own }, i) => {
      const from = this.#ends[i]!;
      for (let j = 0; j < targets.length; j++) {
        targets[j] = all[from + j]!;
        own[j] = factors[i]! * (given ? given[from + j]! : 1);
      }
    });
  }
}
