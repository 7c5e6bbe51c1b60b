/**
 * The local half of Douglas-Rachford rounds: every task takes the exact proximal step of a quadratic instead of a gradient step.
 *
 * The state is V; the curator's broadcast gives Z = prox of the penalty at V. Then
 * w_i = argmin L_i(w) + (rho/2) ||w - (2 z_i - v_i)||^2 and v_i += relaxation (w_i - z_i). At a fixed
 * point W = Z is the solution and rho (Z - V) the gradient of the losses there. Ill-conditioned data
 * costs nothing: L_i is inverted, not descended.
 *
 * Models that are a sum of a shared and a local part have such a state for both. With t_1, t_2 their reflected points and
 * s = t_1 + t_2, the sum steps to w = argmin L_i(w) + (rho/4) ||w - s||^2, and each part by (w - s) / 2.
 *
 * @see Douglas and Rachford (1956); Eckstein and Bertsekas (1992), for the relaxation and for its being
 *   the alternating direction method of multipliers.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import type { Participants } from "../../round/participants.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { unsolvedTask } from "../../tasks/solves/unsolved-task.js";
import type { ExactSolves } from "./exact-solves.js";
import { ReflectedPart, RELAXATION, RESIDUALS, type PartStart } from "./reflected-part.js";

/** A batch of tasks that takes reflected proximal steps. */
export class ReflectedSteps implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  /** Whether rounds are measured. */
  measures = false;
  readonly #core: Core;
  readonly #names: readonly string[];
  readonly #solves: ExactSolves;
  readonly #parts: readonly ReflectedPart[];
  readonly #size: number;
  readonly #residuals: Pointer;
  /** Of models in two parts: their sum, that of the reflected points, the middle between that and its step, and the step. */
  readonly #sums: Readonly<Record<"z" | "from" | "middle" | "to", Pointer>> | undefined;
  #rho = 0;
  #keptRho = 0;

  /**
   * @param parts the shared part, and the local one where there is one.
   * @param keeps whether states are kept, to go back to.
   */
  constructor(
    { core, m, d, names }: Pick<ResidentTasks, "core" | "m" | "d" | "names">,
    solves: ExactSolves,
    parts: readonly PartStart[],
    keeps: boolean,
  ) {
    const { arena } = core;
    this.m = m;
    this.uploadLength = d;
    this.#names = names;
    this.#core = core;
    this.#solves = solves;
    this.#size = m * d;
    const block = () => arena.f64(m * d);
    this.#parts = parts.map((part) => new ReflectedPart(core, part, keeps));
    this.#sums =
      parts.length > 1 ? { z: block(), from: block(), middle: block(), to: block() } : undefined;
    this.#residuals = arena.zeros(m * RESIDUALS);
  }

  /** Bytes that such a batch takes beside its solves. */
  static bytes(m: number, d: number, parts: number): number {
    return 8 * m * d * (7 * parts + 4);
  }

  /** Z, the models of the last round, [m, d]: of two parts their sum. */
  get weights(): Pointer {
    if (!this.#sums) return this.#parts[0]!.z;
    const [shared, local] = this.#parts as [ReflectedPart, ReflectedPart];
    return this.#add(shared.z, local.z, this.#sums.z);
  }

  /** Z of the shared part, and of the local one or 0, [m, d]. */
  get parts(): { readonly shared: Pointer; readonly local: Pointer } {
    return { shared: this.#parts[0]!.z, local: this.#parts[1]?.z ?? 0 };
  }

  /** The mean curvature of every task's quadratic, [m]. */
  curvatures(): Float64Array {
    return this.#solves.curvatures();
  }

  /**
   * Starts rounds with parameter rho from the present models.
   * @param gradient of the losses there, [m, d]; 0 for the dual variable of the last round.
   * @throws UnsolvedTask naming a task whose system of equations cannot be solved.
   */
  begin(rho: number, gradient: Pointer): void {
    for (const part of this.#parts) {
      if (gradient !== 0) part.restartAt(gradient, rho);
      else part.changeRho(this.#rho / rho);
    }
    this.#rho = rho;
    const failed = this.#solves.prepare(rho / this.#parts.length);
    if (failed !== 0) {
      throw unsolvedTask(
        this.#names[failed - 1]!,
        "its features are too large, or too unlike in size, for sums of their squares in double precision. Bring the columns to like sizes.",
      );
    }
  }

  /** Keeps the state, before new rounds begin. */
  keep(): void {
    this.#keptRho = this.#rho;
    for (const part of this.#parts) part.keep();
  }

  /** Goes back to it. */
  restore(): void {
    this.#rho = this.#keptRho;
    for (const part of this.#parts) part.restore();
  }

  upload(): Pointer {
    return this.#parts[0]!.v;
  }

  receive(broadcast: Pointer): void {
    for (const part of this.#parts) part.project(broadcast);
    if (this.#sums) this.#stepOfSum();
    else {
      const { z, v, w } = this.#parts[0]!;
      this.#solves.step(z, v, w, RELAXATION);
    }
    if (!this.measures) return;
    for (const part of this.#parts) part.measure(this.#residuals, this.m);
  }

  #stepOfSum(): void {
    const { arena, kernels } = this.#core;
    const size = this.#size;
    const { from, middle, to } = this.#sums!;
    const [shared, local] = this.#parts as [ReflectedPart, ReflectedPart];
    for (const { z, v, w } of this.#parts) kernels.extrapolate(z, v, w, size, 1);
    this.#add(shared.w, local.w, from);
    arena.view(middle, size).set(arena.view(from, size));
    // 2 s - s is s, and half of the step is what each part moves by.
    this.#solves.step(from, middle, to, 1 / 2);
    for (const { z, v, w } of this.#parts) {
      kernels.axpy(1, middle, w, size);
      kernels.axpy(-1, from, w, size);
      kernels.axpy(RELAXATION, w, v, size);
      kernels.axpy(-RELAXATION, z, v, size);
    }
  }

  #add(a: Pointer, b: Pointer, out: Pointer): Pointer {
    const { arena, kernels } = this.#core;
    arena.view(out, this.#size).set(arena.view(a, this.#size));
    kernels.axpy(1, b, out, this.#size);
    return out;
  }

  /** What was measured since whoever reads it last set it to 0, [m, RESIDUALS]. */
  get residuals(): Float64Array {
    return this.#core.arena.view(this.#residuals, this.m * RESIDUALS);
  }
}
