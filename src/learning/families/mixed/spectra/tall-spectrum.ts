/**
 * The kernel of a task's spectrum where its rows are at least as many as its coordinates, by their moments.
 * @see assembly/tasks/tall-spectrum.ts
 * @module
 */
import { ConvergenceError, type Core } from "../../../../core/index.js";
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
  "turned",
  "half",
  "matrix",
  "vectors",
  "work",
] as const;

/** One record for tasks one after the other. */
export class TallSpectrum {
  readonly #core: Core;
  readonly #at: Record<(typeof WORDS)[number], number>;
  readonly #record: number;

  /**
   * @param core whose arena is used as long as this is.
   * @param negligible squared singular values below this part of the largest are taken for zero.
   */
  constructor(core: Core, d: number, negligible: number) {
    const { arena, kernels } = core;
    const [row, block] = [() => arena.f64(d), () => arena.f64(d * d)];
    this.#core = core;
    this.#at = {
      ...{ d, gram: block(), cross: row(), center: row(), factor: block() },
      ...{ squares: row(), observed: row(), directions: block() },
      ...{ left: row(), pulled: row(), turned: block(), half: block() },
      ...{ matrix: block(), vectors: block(), work: arena.bytes(kernels.eighWorkspace(d)) },
    };
    const record = new KernelRecord(core, 1, WORDS);
    record.write([negligible], this.#at);
    this.#record = record.at;
  }

  /**
   * Writes squares, observations and directions of a task under w = a + L z; returns |y - X a|^2.
   * @throws ConvergenceError if the decomposition does not converge.
   */
  of(moments: Moments, a: Float64Array, l: Float64Array, into: TaskSpectrum): number {
    const { arena, kernels } = this.#core;
    const { d, gram, cross, center, factor, squares, observed, directions } = this.#at;
    const put = (at: number, values: Float64Array) => arena.view(at, values.length).set(values);
    put(gram, moments.gram);
    put(cross, moments.cross);
    put(center, a);
    put(factor, l);
    const total = kernels.tallSpectrum(this.#record, moments.square);
    if (total < 0) {
      throw new ConvergenceError("mp-mixed: a task's decomposition did not converge");
    }
    into.squares.set(arena.view(squares, d));
    into.observed.set(arena.view(observed, d));
    into.directions.set(arena.view(directions, d * d));
    return total;
  }
}
