/**
 * Which quadratic approximations of the tasks' losses the next rounds use. They have the curvature of the losses at the present models, as
 * in Newton's method. Where that makes the objective diverge, the models go back to the best so far and the curvature is increased.
 * @module
 */

/**
 * same: quadratics stay; around: they are made anew at the present models; keep: so, and these are kept as the best so far; back: quadratics
 * at the models kept last.
 */
export const QUADRATICS = { same: 0, around: 1, keep: 2, back: 3 } as const;

/** The choice. */
export interface Quadratic {
  readonly kind: (typeof QUADRATICS)[keyof typeof QUADRATICS];
  /** Factor on the losses' curvature, >= 1, up to the bound that keeps quadratics above the losses. */
  readonly stiffness: number;
}

/** The objective counts as diverging at this many times the least so far, or when it was no new least for PATIENCE evaluations. */
const ASTRAY = 4;
const PATIENCE = 4;
/** Growth of the objective up to this factor is rounding. */
const RISE = 1 + 1e-12;
/** Values of the stiffness: STIFFER steps up at a failure, one step down at every new least objective. */
const DEGREES = [1, 2, 4, 8, 16, 32, 64, Infinity] as const;
const STIFFER = 3;
/** After several failures in a row quadratics stay for 2^failures evaluations, at most for this many. */
const LONGEST = 64;

/** Chooses by the objectives and gaps of one fit. */
export class QuadraticChoice {
  #least = Infinity;
  #leastGap = 1;
  #since = 0;
  #degree = 0;
  #failures = 0;
  /** Evaluations for which the quadratics still stay, so that rounds come near enough to their minimum. */
  #staying = 0;

  /** @param objective of the present models. @param gap their relative duality gap. */
  next(objective: number, gap: number): Quadratic {
    if (objective <= this.#least * RISE || gap < this.#leastGap) {
      this.#least = Math.min(this.#least, objective);
      this.#leastGap = Math.min(this.#leastGap, gap);
      [this.#since, this.#staying, this.#failures] = [0, 0, 0];
      this.#degree = Math.max(0, this.#degree - 1);
      return this.#of("keep");
    }
    if (this.#staying > 0) {
      this.#staying--;
      return this.#of("same");
    }
    this.#since++;
    const isAstray = this.#since >= PATIENCE || !(objective < ASTRAY * this.#least);
    if (this.#failures === 0 && !isAstray) return this.#of("around");
    this.#failures++;
    this.#staying = Math.min(LONGEST, 2 ** this.#failures);
    this.#since = 0;
    this.#degree = Math.min(DEGREES.length - 1, this.#degree + STIFFER);
    return this.#of("back");
  }

  #of(kind: keyof typeof QUADRATICS): Quadratic {
    return { kind: QUADRATICS[kind], stiffness: DEGREES[this.#degree]! };
  }
}
