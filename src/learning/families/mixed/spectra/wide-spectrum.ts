/**
 * The kernel of a task's spectrum where its rows are fewer than its coordinates.
 * @see assembly/tasks/wide-spectrum.ts
 * @module
 */
import type { Core } from "../../../../core/index.js";
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

type Views = Readonly<
  Record<
    "rows" | "targets" | "center" | "factor" | "squares" | "observed" | "directions",
    Float64Array
  >
>;

/** One record for tasks one after the other. */
export class WideSpectrum {
  readonly #core: Core;
  readonly #d: number;
  readonly #at: Record<(typeof WORDS)[number], number>;
  readonly #record: number;
  #views: Views | undefined;

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
      most,
      d,
      rows: block(),
      targets: arena.f64(most),
      center: arena.f64(d),
      factor: arena.f64(d * d),
      squares: arena.f64(most),
      observed: arena.f64(most),
      directions: block(),
      whitened: block(),
      turned: block(),
      residual: arena.f64(most),
      parts: arena.f64(most),
      gram: arena.f64(most * most),
      vectors: arena.f64(most * most),
      work: arena.bytes(kernels.eighWorkspace(most)),
    };
    const record = new KernelRecord(core, 1, WORDS);
    record.write([negligible], this.#at);
    this.#record = record.at;
  }

  /**
   * Writes squares, observations and directions of a task of into.n rows x[n, d], y[n] under w = a + L z; returns |y - X a|^2, or
   * -1 where the decomposition did not converge.
   */
  of(
    x: Float64Array,
    y: Float64Array,
    a: Float64Array,
    l: Float64Array,
    into: TaskSpectrum,
  ): number {
    const { n } = into;
    const views = this.#viewsOf(n);
    views.rows.set(x);
    views.targets.set(y);
    views.center.set(a);
    views.factor.set(l);
    const total = this.#core.kernels.wideSpectrum(this.#record, n);
    into.squares.set(views.squares);
    into.observed.set(views.observed);
    into.directions.set(views.directions);
    into.directions.fill(0, n * this.#d);
    return total;
  }

  /** Views for tasks of n rows: those of the task before, where it had as many and the memory has not grown. */
  #viewsOf(n: number): Views {
    const last = this.#views;
    const d = this.#d;
    if (last?.squares.length === n && last.center.length === d) return last;
    const { arena } = this.#core;
    const { rows, targets, center, factor, squares, observed, directions } = this.#at;
    return (this.#views = {
      rows: arena.view(rows, n * d),
      targets: arena.view(targets, n),
      center: arena.view(center, d),
      factor: arena.view(factor, d * d),
      squares: arena.view(squares, n),
      observed: arena.view(observed, n),
      directions: arena.view(directions, n * d),
    });
  }
}
