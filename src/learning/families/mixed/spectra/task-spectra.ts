/**
 * Spectra of a batch of tasks under any prior. Rows are read once: of a task with at least as many rows as
 * coordinates only its moments X^T X, X^T y and y^T y are kept, of which every prior's spectrum follows.
 * @module
 */
import type { Core } from "../../../../core/index.js";
import { product } from "../../../../linalg/kernel-products.js";
import { notDecomposed } from "../../../../linalg/not-decomposed.js";
import { apply, transpose } from "../../../../linalg/small-matrices.js";
import { placeOf } from "../public-draws.js";
import { TallSpectrum, type Moments } from "./tall-spectrum.js";
import { TaskSpectrum, type TaskRows } from "./task-spectrum.js";
import { WideSpectrum } from "./wide-spectrum.js";

/** Squared singular values below this part of the largest are taken for zero. */
const NEGLIGIBLE = 1e-13;

/** What spectra need of rows, whatever the prior. */
export interface ReadRows {
  /** Moments of the rows of tasks with at least d of them; undefined of others. */
  readonly moments: readonly (Moments | undefined)[];
  readonly places: Uint32Array;
}

/** Reads rows once. */
export function readRows(rows: TaskRows, d: number): ReadRows {
  const m = rows.offsets.length - 1;
  let most = 0;
  for (let task = 0; task < m; task++) {
    most = Math.max(most, rows.offsets[task + 1]! - rows.offsets[task]!);
  }
  const room = new Float64Array(most * d);
  const moments: (Moments | undefined)[] = [];
  const places = new Uint32Array(m);
  for (let task = 0; task < m; task++) {
    const n = countOf(rows, task);
    const [from, to] = [rows.offsets[task]!, rows.offsets[task + 1]!];
    const x = rows.x.subarray(from * d, to * d);
    const y = rows.y.subarray(from, to);
    moments.push(n < d ? undefined : momentsOf(x, y, d, room));
    places[task] = placeOf(n, [x, y]);
  }
  return { moments, places };
}

/** n_i. */
export function countOf({ offsets, counts }: TaskRows, task: number): number {
  return counts ? counts[task]! : offsets[task + 1]! - offsets[task]!;
}

/** Goes through tasks, one after the other. */
export class TaskSpectra {
  readonly m: number;
  readonly d: number;
  readonly #rows: TaskRows;
  readonly #moments: readonly (Moments | undefined)[];
  readonly #places: Uint32Array;
  /** Where decompositions are made. */
  readonly core: Core;
  readonly #spectrum: TaskSpectrum;
  /** For tasks of fewer rows than coordinates, and for the others, where there are any. */
  readonly #wide: WideSpectrum | undefined;
  readonly #tall: TallSpectrum | undefined;

  /**
   * @param core whose arena is used as long as this is.
   * @param read what `readRows` says of them, where it is known.
   */
  constructor(core: Core, rows: TaskRows, d: number, read: ReadRows = readRows(rows, d)) {
    this.core = core;
    this.#rows = rows;
    this.m = rows.offsets.length - 1;
    this.d = d;
    this.#spectrum = new TaskSpectrum(d);
    this.#moments = read.moments;
    this.#places = read.places;
    let [wide, most] = [0, 0];
    for (let task = 0; task < this.m; task++) {
      if (this.#moments[task]) continue;
      wide++;
      most = Math.max(most, this.rowsOf(task));
    }
    this.#wide = wide > 0 ? new WideSpectrum(core, most, d, NEGLIGIBLE) : undefined;
    this.#tall = wide < this.m ? new TallSpectrum(core, d, NEGLIGIBLE) : undefined;
  }

  /** n_i. */
  rowsOf(task: number): number {
    return countOf(this.#rows, task);
  }

  /**
   * A task's spectrum under w = a + L z, L lower triangular.
   * @param into where it goes; by default where the next one goes, too.
   * @throws ConvergenceError naming a task, where its name is known, whose rows cannot be decomposed.
   */
  of(
    task: number,
    a: Float64Array,
    l: Float64Array,
    into: TaskSpectrum = this.#spectrum,
  ): TaskSpectrum {
    into.place = this.#places[task]!;
    into.n = this.rowsOf(task);
    into.k = Math.min(into.n, this.d);
    const moments = this.#moments[task];
    const total = moments ? this.#tall!.of(moments, a, l, into) : this.#wideOf(task, a, l, into);
    if (total < 0) {
      const name = this.#rows.names?.[task];
      throw notDecomposed(name === undefined ? "a task's rows" : `task ${JSON.stringify(name)}`);
    }
    let explained = 0;
    for (let j = 0; j < into.k; j++) explained += into.observed[j]! ** 2;
    into.rest = Math.max(total - explained, 0);
    return into;
  }

  /** From Z Z^T = U S^2 U^T for Z = X L; returns |y - X a|^2. */
  #wideOf(task: number, a: Float64Array, l: Float64Array, into: TaskSpectrum): number {
    const { x, y, offsets } = this.#rows;
    const from = offsets[task]!;
    const to = from + into.n;
    const { d } = this;
    return this.#wide!.of(x.subarray(from * d, to * d), y.subarray(from, to), a, l, into);
  }
}

/** @param room for the columns of the rows. */
function momentsOf(x: Float64Array, y: Float64Array, d: number, room: Float64Array): Moments {
  const n = y.length;
  let square = 0;
  for (let row = 0; row < n; row++) square += y[row]! * y[row]!;
  const columns = transpose(x, n, d, room.subarray(0, n * d));
  return { gram: product(columns, x, d, n, d), cross: apply(columns, y, d, n), square };
}
