/**
 * Gradients of the squared loss from every task's Gram matrix, where rounds are many enough to pay for it.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import { placeEntries, rowsLeft, type FoldEntries } from "./fold-entries.js";
import type { ResidentTasks } from "./resident-tasks.js";

/** What a gradient step needs of the tasks; `gradients` may leave `losses` alone. */
export type GradientSource = Pick<ResidentTasks, "core" | "m" | "d" | "intercept" | "gradients">;

/** Most bytes of Gram matrices of a whole run. */
const MOST_BYTES = 2 ** 26;

/**
 * Whether T rounds of 2 d^2 flops a task and the Gram matrices are less work than T rounds of 4 n d. By sizes
 * that everyone knows, so that parts of a run do as the whole.
 *
 * @param sizes tasks and rows of the whole run.
 */
export function usesQuadratics(
  { core, d, intercept, loss, isDense }: ResidentTasks,
  { m, rows }: { readonly m: number; readonly rows: number },
  rounds: number,
): boolean {
  const bytes = core.kernels.quadraticFormBytes(m, d, intercept ? 1 : 0);
  // Gram matrices run at about twice the speed of gradients.
  const pays = rounds * (2 * rows - m * d) > (rows * d) / 4;
  return loss === "squared" && isDense && pays && bytes <= MOST_BYTES;
}

/** The tasks themselves, or their quadratics where that is less work for so many rounds. */
export function gradientSource(
  tasks: ResidentTasks,
  sizes: { readonly m: number; readonly rows: number },
  rounds: number,
): GradientSource {
  return usesQuadratics(tasks, sizes, rounds) ? QuadraticTasks.of(tasks) : tasks;
}

/** Tasks with the squared loss as quadratics; their rows are not read again. */
export class QuadraticTasks implements GradientSource {
  readonly core: Core;
  readonly m: number;
  readonly d: number;
  readonly intercept: boolean;
  /** As the kernel `quadraticForms` writes them. */
  readonly forms: Pointer;

  private constructor({ core, d, intercept }: ResidentTasks, m: number) {
    this.core = core;
    this.m = m;
    this.d = d;
    this.intercept = intercept;
    const bytes = core.kernels.quadraticFormBytes(m, d, intercept ? 1 : 0);
    this.forms = core.arena.bytes(bytes, "the tasks' Gram matrices");
  }

  static of(tasks: ResidentTasks): QuadraticTasks {
    const { core, m, d, intercept } = tasks;
    const { arena, kernels } = core;
    const made = new QuadraticTasks(tasks, m);
    const mark = arena.mark();
    const weighted = tasks.weights === 0 ? 0 : 1;
    const data = tasks.placeWhole();
    const work = arena.bytes(kernels.quadraticFormsWorkspace(tasks.mostRows, d, weighted));
    kernels.quadraticForms(data, intercept ? 1 : 0, made.forms, work);
    arena.release(mark);
    return made;
  }

  /** The tasks without folds of their rows, a task for every entry; their rows are not copied. */
  static withoutFolds(tasks: ResidentTasks, entries: FoldEntries): QuadraticTasks {
    const { core, d, intercept } = tasks;
    const { arena, kernels } = core;
    const made = new QuadraticTasks(tasks, entries.owners.length);
    const mark = arena.mark();
    const scales = arena.copyOf(scalesLeft(tasks, entries));
    const placed = placeEntries(core, entries, scales);
    const work = arena.bytes(kernels.foldFormsWorkspace(tasks.mostRows, entries.parts, d));
    kernels.foldForms(tasks.at, placed, intercept ? 1 : 0, made.forms, work);
    arena.release(mark);
    return made;
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

/** c of each entry's loss, by the rows that are left of its task. */
export function scalesLeft(tasks: ResidentTasks, entries: FoldEntries): Float64Array {
  const { core, m, lossScale } = tasks;
  const left = rowsLeft(core.arena.words(tasks.offsets, m + 1), entries);
  const mass = massLeft(tasks, entries);
  const scales = new Float64Array(left.length);
  for (let k = 0; k < scales.length; k++) {
    const n = left[k]!;
    const whole = lossScale === "sum" ? 1 : 1 / n;
    scales[k] = mass ? (mass[k]! > 0 ? (whole * n) / mass[k]! : 0) : whole;
  }
  return scales;
}

/** Weight of the rows that are left of each entry's task; undefined where all rows weigh 1. */
function massLeft(tasks: ResidentTasks, entries: FoldEntries): Float64Array | undefined {
  const weights = tasks.sampleWeights();
  if (!weights) return undefined;
  const offsets = tasks.core.arena.words(tasks.offsets, tasks.m + 1);
  const { owners, folds, parts } = entries;
  return Float64Array.from(owners, (task, k) => {
    let sum = 0;
    const [first, end] = [offsets[task]!, offsets[task + 1]!];
    for (let row = first; row < end; row++) {
      if ((row - first) % parts !== folds[k]) sum += weights[row]!;
    }
    return sum;
  });
}
