/**
 * Models and intercepts that take gradient steps from points ahead of them, extrapolated by momentum.
 * @module
 */
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import type { Start } from "./solvers/problem.js";
import type { PlacedModels } from "../tasks/local-models.js";

/** The iterate of one problem, in the tasks' memory. */
export class MomentumIterate {
  readonly #tasks: ResidentTasks;
  readonly now: PlacedModels;
  /** The iterate before. */
  readonly #before: PlacedModels;
  /** Where the step is taken, and its result before the penalty. */
  readonly ahead: PlacedModels;
  /** The losses' gradients where they were last asked for. */
  readonly gradient: PlacedModels;

  constructor(tasks: ResidentTasks, start: Start) {
    const { arena } = tasks.core;
    const { m, d, intercept } = tasks;
    const copy = (): PlacedModels => ({
      weights: arena.copyOf(start.weights),
      intercepts: intercept ? arena.copyOf(start.intercepts) : 0,
    });
    const empty = (): PlacedModels => ({
      weights: arena.f64(m * d),
      intercepts: intercept ? arena.f64(m) : 0,
    });
    this.#tasks = tasks;
    this.now = copy();
    this.#before = copy();
    this.ahead = empty();
    this.gradient = empty();
  }

  /** ahead = now + beta (now - before); before = now. */
  extrapolate(beta: number): void {
    const { m, d, intercept } = this.#tasks;
    this.#extrapolated("weights", m * d, beta);
    if (intercept) this.#extrapolated("intercepts", m, beta);
  }

  /** Gradients at the points ahead, and the step there. Intercepts, which no penalty holds, have arrived. */
  stepAhead(step: number): void {
    const { m, d, core, intercept } = this.#tasks;
    const { arena, kernels } = core;
    const { now, ahead, gradient } = this;
    this.#tasks.gradients(ahead.weights, ahead.intercepts, gradient.weights, gradient.intercepts);
    kernels.axpy(-step, gradient.weights, ahead.weights, m * d);
    if (!intercept) return;
    arena.view(now.intercepts, m).set(arena.view(ahead.intercepts, m));
    kernels.axpy(-step, gradient.intercepts, now.intercepts, m);
  }

  /** Whether the step went against the momentum: the gradient scheme's test (O'Donoghue and Candes 2015). */
  movedUphill(step: number): boolean {
    const { m, d, core } = this.#tasks;
    const [now, before, stepped, slope] = [this.now, this.#before, this.ahead, this.gradient].map(
      ({ weights }) => core.arena.view(weights, m * d),
    );
    let product = 0;
    for (let k = 0; k < m * d; k++) {
      const left = stepped![k]! + step * slope![k]!;
      product += (left - now![k]!) * (now![k]! - before![k]!);
    }
    return product > 0;
  }

  /** The intercepts stay where they are: what moved them is no momentum. */
  restIntercepts(): void {
    const { m, core, intercept } = this.#tasks;
    if (!intercept) return;
    const now = core.arena.view(this.now.intercepts, m);
    core.arena.view(this.#before.intercepts, m).set(now);
  }

  #extrapolated(part: keyof PlacedModels, length: number, beta: number): void {
    const { arena } = this.#tasks.core;
    const now = arena.view(this.now[part], length);
    const before = arena.view(this.#before[part], length);
    const ahead = arena.view(this.ahead[part], length);
    ahead.set(now.map((value, k) => value + beta * (value - before[k]!)));
    before.set(now);
  }
}
