/**
 * The rows and targets of the tasks' quadratics as those of unweighted sums of squares: centred where a free intercept is minimised
 * over, and times the roots of their weights.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
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
    const { arena, kernels } = core;
    const [from, end] = [this.#ends[i]!, this.#ends[i + 1]!];
    const row = (j: number) => this.at + 8 * j * d;
    const targets = arena.view(this.targets, end);
    const weights = tasks.weights === 0 ? undefined : arena.view(tasks.weights, end);
    const weight = (j: number) => weights?.[j] ?? 1;
    let mass = 0;
    for (let j = from; j < end; j++) mass += weight(j);
    if (this.#quadratics.isCentred(i) && mass > 0) {
      let level = 0;
      arena.view(this.#mean, d).fill(0);
      for (let j = from; j < end; j++) {
        kernels.axpy(weight(j) / mass, row(j), this.#mean, d);
        level += (weight(j) / mass) * targets[j]!;
      }
      for (let j = from; j < end; j++) {
        kernels.axpy(-1, this.#mean, row(j), d);
        targets[j]! -= level;
      }
    }
    const scale = arena.view(tasks.scales, i + 1)[i]!;
    for (let j = from; j < end; j++) {
      const root = Math.sqrt(scale * weight(j));
      kernels.axpy(root - 1, row(j), row(j), d);
      targets[j]! *= root;
    }
  }
}
