/**
 * What the fit's thread asks of all tasks with sparse rows together: sums of vectors over tasks that every batch forms of its own, and
 * that are added to the same bits however the tasks are spread.
 * @module
 */
import type { Core, Pointer } from "../../../../core/index.js";
import { ReproducibleSum } from "../../../../linalg/reproducible-sum.js";
import type { Participants } from "../../../round/participants.js";
import type { SparseTasks } from "./sparse-tasks.js";

/**
 * differences: u; curvature: the Hessian times v; sizes: about its diagonal; gradients: gradients, their sizes, and u; squares:
 * X^T S X v; diagonal: about that of X^T S X; corrected: the changes, and the gradients corrected.
 */
export const SPARSE_SUMS = {
  differences: 0,
  curvature: 1,
  sizes: 2,
  gradients: 3,
  squares: 4,
  diagonal: 5,
  corrected: 6,
} as const;

/** Sums of a kind at most. */
const MOST = 3;

/** Numbers of a question: which, for each of its sums a bound on the entries of a term, and v. */
export const sparseTotalLength = (d: number) => 1 + MOST + d;

/** A question. */
export interface SparseSums {
  readonly kind: number;
  readonly bounds: readonly number[];
  /** [d]; absent: not asked with one. */
  readonly v?: Float64Array;
}

/** Puts it where tasks are told. */
export function writeSums(into: Float64Array, { kind, bounds, v }: SparseSums): void {
  into.fill(0);
  into[0] = kind;
  into.set(bounds, 1);
  if (v) into.set(v, 1 + MOST);
}

export class SparseTotals implements Participants {
  readonly m: number;
  readonly uploadLength = 0;
  readonly #core: Core;
  readonly #tasks: SparseTasks;
  readonly #count: number;
  #parts = new Float64Array(0);

  /** @param count tasks of the whole run. */
  constructor(core: Core, tasks: SparseTasks, count: number) {
    this.m = tasks.own.length;
    this.#core = core;
    this.#tasks = tasks;
    this.#count = count;
  }

  receive(question: Pointer): void {
    const { d } = this.#tasks.rows;
    const asked = this.#core.arena.view(question, sparseTotalLength(d)).slice();
    const [kind, v] = [asked[0]!, asked.subarray(1 + MOST)];
    const count = this.#count;
    let sums: ReproducibleSum[] | undefined;
    this.#tasks.own.forEach(({ given }, i) => {
      const terms = this.#terms(kind, i, v);
      sums ??= terms.map((_, k) => new ReproducibleSum(d, { bound: asked[1 + k]!, count }));
      terms.forEach((term, k) => sums![k]!.addScattered(term, given.used));
    });
    this.#parts = new Float64Array(2 * d * sums!.length);
    sums!.forEach(({ parts }, k) => this.#parts.set(parts, 2 * d * k));
  }

  /** Task i's, in the columns that it uses. */
  #terms(kind: number, i: number, v: Float64Array): readonly Float64Array[] {
    const { own, rows, gradients, changes, corrected, room } = this.#tasks;
    const task = own[i]!;
    switch (kind) {
      case SPARSE_SUMS.differences:
        return [task.u];
      case SPARSE_SUMS.curvature:
        return [task.curvatureTimes(v)];
      case SPARSE_SUMS.sizes:
        return [task.curvatureSizes()];
      case SPARSE_SUMS.gradients:
        return [gradients[i]!, sizesOf(gradients[i]!, room.columns), task.u];
      case SPARSE_SUMS.squares:
        return [rows.along(i, v).squares];
      case SPARSE_SUMS.diagonal:
        return [rows.diagonal(i)];
      default:
        return [changes[i]!, corrected[i]!];
    }
  }

  total(): Float64Array<ArrayBuffer> {
    return this.#parts;
  }

  upload(): Pointer {
    throw new RangeError("upload: of these tasks only sums are asked for");
  }
}

function sizesOf(values: Float64Array, out: Float64Array): Float64Array {
  for (let c = 0; c < values.length; c++) out[c] = Math.abs(values[c]!);
  return out;
}
