/**
 * One task after the other: its models under a shared prior at all strengths from one decomposition, and
 * their average. Squared loss.
 * @module
 */
import type { Core, Pointer } from "../../../../core/index.js";
import type { QuadraticPrior } from "../../../tasks/solves/local-solves.js";
import type { ResidentTasks } from "../../../tasks/resident-tasks.js";
import { KernelRecord } from "../../../tasks/kernel-record.js";

/** What the rows of one task say of every strength, [K] unless said; valid until the next task. */
export interface TaskEvidence {
  /** The least penalised loss, in units of a row's. */
  readonly losses: Float64Array;
  /** Sums of the leverages; an intercept's is 1 of them. */
  readonly leverages: Float64Array;
  /** Leave-one-out residuals, [K, n]. */
  readonly residuals: Float64Array;
}

/** The words of the kernel's record, in its order. */
const WORDS = [
  "x",
  "y",
  "root",
  "center",
  "strengths",
  "residuals",
  "leverages",
  "losses",
  "weights",
  "model",
  "level",
  "work",
  "n",
  "d",
  "count",
] as const;

/**
 * Allocates from the arena once; whoever opens it releases that.
 * @see assembly/tasks/prior-path.ts
 */
export class StrengthPath {
  readonly #core: Core;
  readonly #tasks: ResidentTasks;
  readonly #record: KernelRecord<(typeof WORDS)[number]>;
  readonly #words: Record<(typeof WORDS)[number], number>;
  readonly #offsets: Uint32Array;

  private constructor(tasks: ResidentTasks, root: Pointer, center: Pointer, strengths: number[]) {
    const { core, d, mostRows } = tasks;
    const { arena, kernels } = core;
    const count = strengths.length;
    this.#core = core;
    this.#tasks = tasks;
    this.#offsets = arena.words(tasks.offsets, tasks.m + 1).slice();
    this.#record = new KernelRecord(core, 1, WORDS);
    this.#words = {
      x: 0,
      y: 0,
      n: 0,
      d,
      count,
      root,
      center,
      strengths: arena.copyOf(Float64Array.from(strengths)),
      residuals: arena.f64(count * mostRows),
      leverages: arena.f64(count),
      losses: arena.f64(count),
      weights: arena.f64(count),
      model: arena.f64(d),
      level: tasks.intercept ? arena.f64(1) : 0,
      work: arena.bytes(kernels.priorPathWorkspace(mostRows, d, count)),
    };
  }

  /**
   * @param strengths the kappa of the given objective, [K].
   * @returns undefined if the prior's precision has no Cholesky factor.
   */
  static open(
    tasks: ResidentTasks,
    prior: QuadraticPrior,
    strengths: number[],
  ): StrengthPath | undefined {
    const { d, core } = tasks;
    const { arena, kernels } = core;
    const root = arena.f64(d * d);
    const mark = arena.mark();
    const failed = kernels.priorRoot(prior.precision, root, d, arena.f64(d * d));
    arena.release(mark);
    return failed ? undefined : new StrengthPath(tasks, root, prior.center, strengths);
  }

  /**
   * Solves for task i, which has rows, at every strength.
   * @returns undefined if a system has no solution in double precision: an end of the fit would tell of the task's rows.
   */
  solve(i: number): TaskEvidence | undefined {
    const { arena, kernels } = this.#core;
    const words = this.#words;
    const { x, y, scales } = this.#tasks;
    const from = this.#offsets[i]!;
    const n = this.#offsets[i + 1]! - from;
    Object.assign(words, { x: x + 8 * from * words.d, y: y + 8 * from, n });
    this.#record.write([arena.view(scales, i + 1)[i]!], words);
    if (kernels.openPriorPath(this.#record.at) !== 0) return undefined;
    return {
      losses: arena.view(words.losses, words.count),
      leverages: arena.view(words.leverages, words.count),
      residuals: arena.view(words.residuals, words.count * n),
    };
  }

  /** The average of the last task's models with these weights, which sum to 1, [K]: w[d] and b. */
  average(averaging: Float64Array): { weights: Float64Array; intercept: number } {
    const { arena, kernels } = this.#core;
    const { count, d, model, level } = this.#words;
    arena.view(this.#words.weights, count).set(averaging);
    kernels.closePriorPath(this.#record.at);
    return {
      weights: arena.view(model, d),
      intercept: level === 0 ? 0 : arena.view(level, 1)[0]!,
    };
  }
}
