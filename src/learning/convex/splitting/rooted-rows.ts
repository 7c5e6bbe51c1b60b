/**
 * The rows and targets of the tasks' quadratics as those of unweighted sums of squares: centred where a free intercept is minimised
 * over, and times the roots of their weights.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import { centreRows, rootRows } from "../../tasks/weighted-rows.js";
import type { Quadratics } from "./quadratics.js";

/** Z [N, d] and t [N], written anew when the quadratics have changed. */
export class RootedRows {
  readonly at: Pointer;
  readonly targets: Pointer;
  readonly #quadratics: Quadratics;
  readonly #ends: Uint32Array;
  readonly #mean: Pointer;

  constructor(quadratics: Quadratics) {
    const { core, m, d, rows, offsets } = quadratics.tasks;
    const { arena } = core;
    this.#quadratics = quadratics;
    this.#ends = arena.words(offsets, m + 1).slice();
    this.at = arena.f64(rows * d, "the rows of the tasks' systems");
    this.targets = arena.f64(rows);
    this.#mean = arena.f64(d);
  }

  write(): void {
    const { core, rows, d, x, y } = this.#quadratics.tasks;
    const { arena } = core;
    arena.view(this.at, rows * d).set(arena.view(x, rows * d));
    arena.view(this.targets, rows).set(arena.view(y, rows));
    for (let i = 0; i + 1 < this.#ends.length; i++) this.#writeTask(i);
  }

  #writeTask(i: number): void {
    const { tasks } = this.#quadratics;
    const { d, core } = tasks;
    const { arena } = core;
    const [from, end] = [this.#ends[i]!, this.#ends[i + 1]!];
    const n = end - from;
    const rows = { at: this.at + 8 * from * d, n, d };
    const targets = { at: this.targets + 8 * from, n, d: 1 };
    const given = tasks.weights === 0 ? undefined : arena.view(tasks.weights, end).slice(from);
    const mass = given ? given.reduce((sum, weight) => sum + weight, 0) : n;
    if (this.#quadratics.isCentred(i) && mass > 0) {
      for (const block of [rows, targets]) centreRows(core, block, given, this.#mean);
    }
    const scale = arena.view(tasks.scales, i + 1)[i]!;
    const weights = Float64Array.from({ length: n }, (_, j) => scale * (given?.[j] ?? 1));
    rootRows(core, rows, weights);
    const values = arena.view(targets.at, n);
    for (let j = 0; j < n; j++) values[j]! *= Math.sqrt(weights[j]!);
  }
}
