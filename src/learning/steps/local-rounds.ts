/**
 * Local steps of linear models with one output, on all rows: whole rounds of all tasks in one kernel.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import { QuadraticTasks } from "../tasks/quadratic-tasks.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import { KernelRecord } from "../tasks/kernel-record.js";
import type { LocalObjective, LocalSteps } from "./local-steps.js";

/** How many rounds there will be, of what, so that it shows what pays. Public, the same for every part of a run. */
export interface RoundsAhead {
  readonly rounds: number;
  /** Tasks and rows of the whole run. */
  readonly sizes: { readonly m: number; readonly rows: number };
}

/** Most bytes of the matrices that take all steps at once, for a whole run. */
const MOST_BYTES = 2 ** 26;
/** Flops after which a call had better come back: some 5 ms. */
const FLOPS_AT_ONCE = 2 ** 25;

/** The record of assembly/tasks/local-rounds-job.ts: lambda, then words in this order. */
const WORDS = [
  "models",
  "shared",
  "marks",
  "etas",
  "rounds",
  "held",
  "steps",
  "fromShared",
  "data",
  "forms",
  "operators",
  "work",
] as const;
type Words = Record<(typeof WORDS)[number], number>;

/** E gradient steps a round; those on squared losses at once, where the rounds are many. */
export class LocalRounds implements LocalSteps {
  readonly atOnce: number;
  readonly #core: Core;
  readonly #tasks: ResidentTasks;
  readonly #objective: LocalObjective;
  readonly #record: KernelRecord<keyof Words>;
  readonly #words: Words;
  /** Whether steps are taken at once, for the lambda that `prepare` first finds. */
  readonly #atOnceSteps: boolean;
  #operatorsAt: number | undefined;
  #operators: Pointer = 0;
  #lambda = 0;
  #stepsAt: number | undefined;

  /** @param models w_k of every task, [m, d]. */
  constructor(
    tasks: ResidentTasks,
    models: Pointer,
    objective: LocalObjective & { readonly localSteps: number },
    ahead: RoundsAhead,
  ) {
    const { core, m, d, at: data, loss, rows } = tasks;
    const { arena } = core;
    const { shared: held, start, localSteps: steps } = objective;
    this.#core = core;
    this.#tasks = tasks;
    this.#objective = objective;
    this.#atOnceSteps = loss === "squared" && tasks.isDense && usesOperators(steps, d, ahead);
    this.atOnce = Math.max(1, Math.floor(FLOPS_AT_ONCE / (4 * rows * d * steps)));
    this.#record = new KernelRecord(core, 1, WORDS);
    const [etas, work] = [arena.f64(m), arena.f64(2 * d)];
    const fromShared = start === "global" ? 1 : 0;
    const later = { shared: 0, marks: 0, rounds: 0, forms: 0, operators: 0 };
    this.#words = { ...later, models, etas, held, steps, fromShared, data, work };
  }

  hold(lambda: number): void {
    this.#lambda = lambda;
    this.#words.operators = this.#operatorsAt === lambda ? this.#operators : 0;
  }

  prepare(): void {
    if (this.#atOnceSteps && this.#operatorsAt === undefined) this.#makeOperators();
  }

  run(shared: Pointer, rounds: number, marks?: Uint8Array): void {
    const { arena, kernels } = this.#core;
    this.#takeSteps();
    const mark = arena.mark();
    const at = marks ? arena.bytes(4 * marks.length) : 0;
    if (marks) arena.words(at, marks.length).set(marks);
    this.#write({ shared, rounds, marks: at });
    kernels.localRounds(this.#record.at);
    arena.release(mark);
  }

  /** Step sizes for lambda, where they are not there. */
  #takeSteps(): void {
    if (this.#stepsAt === this.#lambda) return;
    const { etas } = this.#words;
    // Before the view is made: finding them takes memory.
    const steps = this.#objective.steps(this.#lambda);
    this.#core.arena.view(etas, this.#tasks.m).set(steps);
    this.#stepsAt = this.#lambda;
  }

  #makeOperators(): void {
    const { arena, kernels } = this.#core;
    const { m, d } = this.#tasks;
    this.#takeSteps();
    const { forms } = QuadraticTasks.of(this.#tasks);
    this.#operators = arena.f64(m * d * d, "the tasks' steps");
    this.#operatorsAt = this.#lambda;
    const mark = arena.mark();
    const work = arena.bytes(kernels.stepOperatorsWorkspace(d));
    this.#write({ forms, operators: this.#operators });
    kernels.stepOperators(this.#record.at, work);
    arena.release(mark);
  }

  #write(changes: Partial<Words>): void {
    Object.assign(this.#words, changes);
    this.#record.write([this.#lambda], this.#words);
  }
}

/**
 * Whether T rounds of E steps by a task's rows are more work than its Gram matrix, the products of matrices
 * behind a sum of powers (half of 2 d^3 each), and T rounds of two products with a vector.
 */
function usesOperators(steps: number, d: number, { rounds, sizes }: RoundsAhead): boolean {
  const n = sizes.rows / sizes.m;
  const matrices = 1.5 * (31 - Math.clz32(steps)) * d * d;
  const bytes = 8 * sizes.m * d * (2 * d + 1);
  return bytes <= MOST_BYTES && 4 * n * rounds * steps > n * d + matrices + 4 * rounds * d;
}
