/**
 * L-BFGS for one task's smooth problem, in the kernels' memory.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import { backtrack } from "./line-search.js";

/** Pairs remembered, and slots for them: one more, so that a pair can be tried without a loss. */
const MEMORY = 12;
const SLOTS = MEMORY + 1;
const MOST_HALVINGS = 60;
/** Relative rounding of a loss summed over a task's rows. */
const ROUNDING = 1e-14;

/** A smooth function of `size` float64s. */
export type Evaluate = (at: Pointer, gradient: Pointer) => number;

/** Where a minimisation stopped; the gradient is at `Minimizer.gradient`. */
export interface Minimum {
  readonly value: number;
  readonly gradientSquared: number;
  readonly iterations: number;
}

/**
 * Limited-memory BFGS with backtracking. Pairs with too little curvature are not remembered, so
 * the direction stays one of descent where the function is not convex.
 *
 * @see Nocedal and Wright (2006), Algorithm 7.5.
 */
export class Minimizer {
  readonly #core: Core;
  readonly #size: number;
  #gradient: Pointer;
  #trialGradient: Pointer;
  readonly #trial: Pointer;
  readonly #direction: Pointer;
  readonly #steps: Pointer[];
  readonly #changes: Pointer[];

  constructor(core: Core, size: number) {
    const { arena } = core;
    this.#core = core;
    this.#size = size;
    [this.#gradient, this.#trialGradient, this.#trial, this.#direction] = [
      arena.f64(size),
      arena.f64(size),
      arena.f64(size),
      arena.f64(size),
    ];
    this.#steps = Array.from({ length: SLOTS }, () => arena.f64(size));
    this.#changes = Array.from({ length: SLOTS }, () => arena.f64(size));
  }

  /** Gradient at the point where the last minimisation stopped. */
  get gradient(): Pointer {
    return this.#gradient;
  }

  /**
   * From and into `at`, until ||gradient||^2 <= squaredTolerance (1 + |value|), no step decreases
   * the value beyond rounding, or `maxIterations` are done.
   */
  minimize(
    evaluate: Evaluate,
    at: Pointer,
    { squaredTolerance, maxIterations }: { squaredTolerance: number; maxIterations: number },
  ): Minimum {
    const { kernels, arena } = this.#core;
    const size = this.#size;
    const curvatures: number[] = []; // 1 / s.y of pair k, newest last; pair k lies in slot k % SLOTS
    let pairs = 0;
    let value = evaluate(at, this.#gradient);
    let squared = kernels.dot(this.#gradient, this.#gradient, size);
    let iterations = 0;
    for (; iterations < maxIterations; iterations++) {
      if (!(squared > squaredTolerance * (1 + Math.abs(value)))) break;
      this.#descend(pairs, curvatures);
      let slope = kernels.dot(this.#direction, this.#gradient, size);
      if (!(slope < 0)) {
        pairs = curvatures.length = 0;
        this.#descend(0, curvatures);
        slope = -squared;
      }
      const found = backtrack(
        {
          value,
          slope,
          step: pairs === 0 ? Math.min(1, 1 / Math.sqrt(squared)) : 1,
          mostHalvings: MOST_HALVINGS,
          rounding: ROUNDING * (1 + Math.abs(value)),
        },
        (step) => {
          arena.view(this.#trial, size).set(arena.view(at, size));
          kernels.axpy(step, this.#direction, this.#trial, size);
          return evaluate(this.#trial, this.#trialGradient);
        },
      );
      if (!found) break;
      const slot = pairs % SLOTS;
      const [s, y] = [this.#steps[slot]!, this.#changes[slot]!];
      arena.view(s, size).set(arena.view(this.#direction, size));
      scale(arena.view(s, size), found.step);
      arena.view(y, size).set(arena.view(this.#trialGradient, size));
      kernels.axpy(-1, this.#gradient, y, size);
      const curvature = kernels.dot(s, y, size);
      if (curvature > 1e-12 * kernels.dot(y, y, size) && curvature > 0) {
        curvatures[slot] = 1 / curvature;
        pairs++;
      }
      arena.view(at, size).set(arena.view(this.#trial, size));
      [this.#gradient, this.#trialGradient] = [this.#trialGradient, this.#gradient];
      value = found.value;
      squared = kernels.dot(this.#gradient, this.#gradient, size);
    }
    return { value, gradientSquared: squared, iterations };
  }

  /** direction <- -H gradient by the two-loop recursion. */
  #descend(pairs: number, curvatures: readonly number[]): void {
    const { kernels, arena } = this.#core;
    const [q, size] = [this.#direction, this.#size];
    arena.view(q, size).set(arena.view(this.#gradient, size));
    const oldest = Math.max(0, pairs - MEMORY);
    const alphas: number[] = [];
    for (let k = pairs - 1; k >= oldest; k--) {
      const slot = k % SLOTS;
      alphas[slot] = curvatures[slot]! * kernels.dot(this.#steps[slot]!, q, size);
      kernels.axpy(-alphas[slot], this.#changes[slot]!, q, size);
    }
    if (pairs > 0) {
      const slot = (pairs - 1) % SLOTS;
      const y = this.#changes[slot]!;
      scale(arena.view(q, size), 1 / (curvatures[slot]! * kernels.dot(y, y, size)));
    }
    for (let k = oldest; k < pairs; k++) {
      const slot = k % SLOTS;
      const beta = curvatures[slot]! * kernels.dot(this.#changes[slot]!, q, size);
      kernels.axpy(alphas[slot]! - beta, this.#steps[slot]!, q, size);
    }
    scale(arena.view(q, size), -1);
  }
}

function scale(values: Float64Array, factor: number): void {
  for (let j = 0; j < values.length; j++) values[j]! *= factor;
}
