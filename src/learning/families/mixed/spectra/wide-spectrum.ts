/**
 * The kernel of a task's spectrum where its rows are fewer than its coordinates.
 * @see assembly/tasks/wide-spectrum.ts
 * @module
 */
import { ConvergenceError, type Core } from "../../../../core/index.js";
import { KernelRecord } from "../../../tasks/kernel-record.js";
import type { TaskSpectrum } from "./task-spectrum.js";

/** Words of the kernel's record, in its order. */
const WORDS = [
  "most",
  "d",
  "rows",
  "targets",
  "center",
  "factor",
  "squares",
  "observed",
  "directions",
  "whitened",
  "turned",
  "residual",
  "parts",
  "gram",
  "vectors",
  "work",
] as const;

/** One record for tasks one after the other. */
export class WideSpectrum {
  readonly #core: Core;
  readonly #d: number;
  readonly #at: Record<(typeof WORDS)[number], number>;
  readonly #record: number;

  /**
   * @param core whose arena is used as long as this is.
   * @param most rows of the largest task.
   * @param negligible squared singular values below this part of the largest are taken for zero.
   */
  constructor(core: Core, most: number, d: number, negligible: number) {
    const { arena, kernels } = core;
    const block = () => arena.f64(most * d);
    this.#core = core;
    this.#d = d;
    this.#at = {
      ...{ most, d, rows: block(), targets: arena.f64(most) },
      ...{ center: arena.f64(d), factor: arena.f64(d * d) },
      ...{ squares: arena.f64(most), observed: arena.f64(most), directions: block() },
      ...{ whitened: block(), turned: block(), residual: arena.f64(most), parts: arena.f64(most) },
      ...{ gram: arena.f64(most * most), vectors: arena.f64(most * most) },
      work: arena.bytes(kernels.eighWorkspace(most)),
    };
    const record = new KernelRecord(core, 1, WORDS);
    record.write([negligible], this.#at);
    this.#record = record.at;
  }

  /**
   * Writes squares, observations and directions of a task of into.n rows x[n, d], y[n] under w = a + L z; returns |y - X a|^2.
   * @throws ConvergenceError if the decomposition does not converge.
   */
  of(
    x: Float64Array,
    y: Float64Array,
    a: Float64Array,
    l: Float64Array,
    into: TaskSpectrum,
  ): number {
    const { arena, kernels } = this.#core;
    const { rows, targets, center, factor, squares, observed, directions } = this.#at;
    const { n } = into;
    const put = (at: number, values: Float64Array) => arena.view(at, values.length).set(values);
    put(rows, x);
    put(targets, y);
    put(center, a);
    put(factor, l);
    const total = kernels.wideSpectrum(this.#record, n);
    if (total < 0) {
      throw new ConvergenceError("mp-mixed: a task's decomposition did not converge");
    }
    into.squares.set(arena.view(squares, n));
    into.observed.set(arena.view(observed, n));
    into.directions.set(arena.view(directions, n * this.#d));
    into.directions.fill(0, n * this.#d);
    return total;
  }
}
