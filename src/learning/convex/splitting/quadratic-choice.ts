/**
 * Which quadratics of the tasks' losses the next rounds take. They bend as the losses do where the models are, as in Newton's
 * method, until that has led astray: then the models go back to the best there were, and quadratics bend more.
 * @module
 */

/** same: as they are; around: of the present models; keep: so, and these models are kept; back: of the models kept last. */
export const QUADRATICS = { same: 0, around: 1, keep: 2, back: 3 } as const;

/** What tasks are told. */
export interface Quadratic {
  readonly kind: (typeof QUADRATICS)[keyof typeof QUADRATICS];
  /** How many times as much they bend as their losses, but not more than what keeps them above these; >= 1. */
  readonly stiffness: number;
}

/** An objective so many times the least is astray; and so is one that was not the least for so many evaluations. */
const ASTRAY = 4;
const PATIENCE = 4;
/** An objective that grows by more is no rounding. */
const RISE = 1 + 1e-12;
/** The degrees of stiffness: so many more with a failure, one less with every new least objective. */
const DEGREES = [1, 2, 4, 8, 16, 32, 64, Infinity] as const;
const STIFFER = 3;
/** Evaluations for which quadratics stay as they are after so many failures in a row: 2^failures, and not more than this. */
const LONGEST = 64;

/** Decides by the objectives of one fit. */
export class QuadraticChoice {
  #least = Infinity;
  #leastGap = 1;
  #since = 0;
  #degree = 0;
  #failures = 0;
  /** Evaluations for which quadratics are still to stay, so that rounds come near enough to their minimum. */
  #staying = 0;

  /** Of the present models: their objective, and the relative duality gap. */
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
