/**
 * What rows tell of their model, averaged over hypotheses on their noise, without the task's spectrum.
 * @see assembly/tasks/told-information.ts
 * @module
 */
import type { Core, Pointer } from "../../../../core/index.js";
import { KernelRecord } from "../../../tasks/kernel-record.js";
import { countOf, type ReadRows } from "./task-spectra.js";
import type { TaskRows } from "./task-spectrum.js";

/** Words of the kernel's record, in its order. */
const WORDS = [
  "d",
  "count",
  "noises",
  "weights",
  "factor",
  "rows",
  "shifts",
  "shares",
  "lines",
  "matrix",
  "inverses",
  "half",
  "turned",
  "whole",
  "work",
] as const;

/** For one task after the other, in coordinates z, w = a + L z. */
export class ToldInformation {
  readonly #core: Core;
  readonly #rows: TaskRows;
  readonly #read: ReadRows;
  readonly #at: Record<(typeof WORDS)[number], number>;
  readonly #record: number;

  /**
   * @param core whose arena is used as long as this is.
   * @param read what `readRows` says of the rows.
   * @param l L, [d, d], lower triangular.
   * @param noises under each hypothesis, and the weights of these.
   */
  constructor(
    core: Core,
    { rows, read }: { readonly rows: TaskRows; readonly read: ReadRows },
    l: Float64Array,
    { noises, weights }: Readonly<Record<"noises" | "weights", readonly number[]>>,
  ) {
    const { arena, kernels } = core;
    const d = Math.sqrt(l.length);
    const order = 4 * Math.ceil(d / 4);
    // The kernel takes two at a time.
    const isOdd = noises.length % 2 === 1;
    const count = noises.length + (isOdd ? 1 : 0);
    const [block, square] = [() => arena.f64(d * d), () => arena.f64(order * order)];
    this.#core = core;
    this.#rows = rows;
    this.#read = read;
    this.#at = {
      d,
      count,
      noises: arena.copyOf(Float64Array.of(...noises, ...(isOdd ? [noises[0]!] : []))),
      weights: arena.copyOf(Float64Array.of(...weights, ...(isOdd ? [0] : []))),
      factor: arena.copyOf(l),
      rows: block(),
      shifts: arena.f64(count),
      shares: arena.f64(count),
      lines: arena.f64(4 * order),
      matrix: square(),
      inverses: square(),
      half: block(),
      turned: block(),
      whole: block(),
      work: arena.bytes(kernels.toldInformationWorkspace(order, count)),
    };
    const record = new KernelRecord(core, 0, WORDS);
    record.write([], this.#at);
    this.#record = record.at;
  }

  /**
   * Adds what a task's rows tell to the lower triangle of f64[d, d] in the core's memory.
   * @returns false, nothing being added, where rounding would count: its spectrum tells it then.
   */
  add(task: number, sum: Pointer): boolean {
    const { arena, kernels } = this.#core;
    const { d, rows: at } = this.#at;
    const moments = this.#read.moments[task];
    const { x, offsets } = this.#rows;
    const rows = moments?.gram ?? x.subarray(offsets[task]! * d, offsets[task + 1]! * d);
    arena.view(at, rows.length).set(rows);
    const n = moments ? 0 : countOf(this.#rows, task);
    if (n === 0 && !moments) return true;
    return kernels.addToldInformation(this.#record, n, sum) === 0;
  }
}
