/**
 * The kernel of a task's spectrum where its rows are at least as many as its coordinates, by their moments.
 * @see assembly/tasks/tall-spectrum.ts
 * @module
 */
import type { Core } from "../../../../core/index.js";
import { KernelRecord } from "../../../tasks/kernel-record.js";
import type { TaskSpectrum } from "./task-spectrum.js";

/** What a task's rows come to. */
export interface Moments {
  /** X^T X[d, d], symmetric to the bit. */
  readonly gram: Float64Array;
  /** X^T y[d]. */
  readonly cross: Float64Array;
  /** y^T y. */
  readonly square: number;
}

/** Words of the kernel's record, in its order. */
const WORDS = [
  "d",
  "gram",
  "cross",
  "center",
  "factor",
  "squares",
  "observed",
  "directions",
  "left",
  "pulled",
  "half",
  "turned",
  "matrix",
  "vectors",
  "work",
] as const;

type Views = Readonly<
  Record<
    "gram" | "cross" | "center" | "factor" | "squares" | "observed" | "directions",
    Float64Array
  >
>;

/** One record for tasks one after the other. */
export class TallSpectrum {
  readonly #core: Core;
  readonly #at: Record<(typeof WORDS)[number], number>;
  readonly #record: number;
  #views: Views | undefined;

  /**
   * @param core whose arena is used as long as this is.
   * @param negligible squared singular values below this part of the largest are taken for zero.
   */
  constructor(core: Core, d: number, negligible: number) {
    const { arena, kernels } = core;
    const [row, block] = [() => arena.f64(d), () => arena.f64(d * d)];
    this.#core = core;
    this.#at = {
      d,
      gram: block(),
      cross: row(),
      center: row(),
      factor: block(),
      squares: row(),
      observed: row(),
      directions: block(),
      left: row(),
      pulled: row(),
      half: row(),
      turned: block(),
      matrix: block(),
      vectors: block(),
      work: arena.bytes(kernels.eighWorkspace(d)),
    };
    const record = new KernelRecord(core, 1, WORDS);
    record.write([negligible], this.#at);
    this.#record = record.at;
  }

  /**
   * Writes squares, observations and directions of a task under w = a + L z; returns |y - X a|^2, or -1 where the decomposition
   * did not converge.
   */
  of(moments: Moments, a: Float64Array, l: Float64Array, into: TaskSpectrum): number {
    const views = this.#viewsNow();
    views.gram.set(moments.gram);
    views.cross.set(moments.cross);
    views.center.set(a);
    views.factor.set(l);
    const total = this.#core.kernels.tallSpectrum(this.#record, moments.square);
    into.squares.set(views.squares);
    into.observed.set(views.observed);
    into.directions.set(views.directions);
    return total;
  }

  /** Those of the task before, unless the memory has grown. */
  #viewsNow(): Views {
    const { d, gram, cross, center, factor, squares, observed, directions } = this.#at;
    const last = this.#views;
    if (last?.squares.length === d) return last;
    const { arena } = this.#core;
    return (this.#views = {
      gram: arena.view(gram, d * d),
      cross: arena.view(cross, d),
      center: arena.view(center, d),
      factor: arena.view(factor, d * d),
      squares: arena.view(squares, d),
      observed: arena.view(observed, d),
      directions: arena.view(directions, d * d),
    });
  }
}
