/**
 * Gradients of the squared loss from every task's Gram matrix, where rounds are many enough to pay for it.
 * @module
 */
import type { Core, Pointer } from "../core/index.js";
import type { ResidentTasks } from "./resident-tasks.js";

/** What a gradient step needs of the tasks; `gradients` may leave `losses` alone. */
export type GradientSource = Pick<ResidentTasks, "core" | "m" | "d" | "intercept" | "gradients">;

/** Most bytes of Gram matrices of a whole run. */
const MOST_BYTES = 2 ** 26;

/**
 * The tasks themselves, or their quadratics where T rounds of 2 d^2 flops a task and the Gram matrices are
 * less work than T rounds of 4 n d. By sizes that everyone knows, so that parts of a run do as the whole.
 *
 * @param sizes tasks and rows of the whole run.
 */
export function gradientSource(
  tasks: ResidentTasks,
  sizes: { readonly m: number; readonly rows: number },
  rounds: number,
): GradientSource {
  const { d, intercept, loss } = tasks;
  const { m, rows } = sizes;
  const bytes = tasks.core.kernels.quadraticFormBytes(m, d, intercept ? 1 : 0);
  // Gram matrices run at about twice the speed of gradients.
  const pays = rounds * (2 * rows - m * d) > (rows * d) / 4;
  return loss === "squared" && pays && bytes <= MOST_BYTES ? new QuadraticTasks(tasks) : tasks;
}

/** Tasks with the squared loss as quadratics; their rows are not read again. */
export class QuadraticTasks implements GradientSource {
  readonly core: Core;
  readonly m: number;
  readonly d: number;
  readonly intercept: boolean;
  /** As the kernel `quadraticForms` writes them. */
  readonly forms: Pointer;

  constructor({ core, m, d, intercept, x, y, offsets, scales }: ResidentTasks) {
    const { arena, kernels } = core;
    this.core = core;
    this.m = m;
    this.d = d;
    this.intercept = intercept;
    const levels = intercept ? 1 : 0;
    this.forms = arena.bytes(kernels.quadraticFormBytes(m, d, levels), "the tasks' Gram matrices");
    const mark = arena.mark();
    const starts = arena.words(offsets, m + 1);
    let largest = 0;
    for (let i = 0; i < m; i++) largest = Math.max(largest, starts[i + 1]! - starts[i]!);
    const work = arena.bytes(kernels.quadraticFormsWorkspace(largest, d));
    kernels.quadraticForms(x, y, offsets, scales, levels, this.forms, m, d, work);
    arena.release(mark);
  }

  gradients(
    weights: Pointer,
    intercepts: Pointer,
    gradients: Pointer,
    interceptGradients: Pointer,
  ): void {
    const { kernels } = this.core;
    const { m, d } = this;
    const { forms } = this;
    kernels.quadraticGradients(forms, weights, intercepts, gradients, interceptGradients, m, d);
  }
}
