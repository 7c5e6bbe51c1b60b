/**
 * The point from which a task's scores of the variances are clipped: scores are skewed, as squares of normals are, so
 * that clipped from 0 they would point too low where the model holds. Clipped from the point worked out here
 * their mean is 0 there, for every task by its own features.
 * @module
 */
import { ClipCenter } from "../../clip-center.js";
import { publicDraws } from "../../public-draws.js";
import { CENTER, NOISE_MULTIPLES, NOISE_PRIOR } from "../squared-settings.js";
import type { TaskSpectrum } from "../../spectra/task-spectrum.js";

/** Draws of rows, by hypothesis on the noise. */
const DRAWS = NOISE_PRIOR.map((part) => Math.round(part * CENTER.draws));
const ALL_DRAWS = DRAWS.reduce((sum, draws) => sum + draws, 0);

/** Scores that are skewed. */
export interface SkewedScores {
  /** Numbers of a score. */
  readonly length: number;
  /** Writes the score of what a task observes, [length]. */
  write(task: TaskSpectrum, into: Float64Array): void;
}

/** Points of tasks, one after the other, in room that is kept. */
export class ScoreCenters {
  readonly #noise: number;
  readonly #scores: SkewedScores;
  readonly #center: ClipCenter;
  readonly #normals = publicDraws(CENTER.normals);
  /** Which of them is next. */
  #next = 0;
  #seen = new Float64Array(0);
  /** Those of the draws, one after the other. */
  readonly #drawn: readonly Float64Array[];

  /**
   * @param noise common variance of a row's noise.
   * @param scores scaled scores of a task's rows.
   * @param clip bound on the norm of the scaled scores' way from the point.
   */
  constructor(noise: number, scores: SkewedScores, clip: number) {
    this.#noise = noise;
    this.#scores = scores;
    this.#center = new ClipCenter(ALL_DRAWS, scores.length, clip);
    this.#drawn = this.#center.scores;
  }

  /** The point of a task, which stays as it is; it is overwritten by the next. */
  of(task: TaskSpectrum): Float64Array {
    if (this.#seen.length !== task.observed.length) this.#seen = task.observed.slice();
    else this.#seen.set(task.observed);
    const { rest } = task;
    // Tasks begin apart, so that they do not share the draws' error.
    this.#next = task.place % this.#normals.length;
    for (let j = 0, next = 0; j < DRAWS.length; j++) {
      for (let draw = 0; draw < DRAWS[j]!; draw++, next++) {
        this.#obey(task, this.#noise * NOISE_MULTIPLES[j]!);
        this.#scores.write(task, this.#drawn[next]!);
      }
    }
    task.observed.set(this.#seen);
    task.rest = rest;
    return this.#center.of(ALL_DRAWS);
  }

  #normal(): number {
    const value = this.#normals[this.#next++]!;
    if (this.#next === this.#normals.length) this.#next = 0;
    return value;
  }

  /**
   * Gives a task rows drawn from its prior, the identity in its directions, and the noise. Directions are known but for
   * their signs, which what was observed along them tells.
   */
  #obey(task: TaskSpectrum, noise: number): void {
    const { n, k, squares, observed } = task;
    const seen = this.#seen;
    for (let j = 0; j < k; j++) {
      const size = Math.sqrt(noise + squares[j]!);
      observed[j] = (seen[j]! < 0 ? -size : size) * this.#normal();
    }
    task.rest = noise * this.#chiSquare(n - k);
  }

  /** A sum of q squares of normals; of many by the cube of a normal (Wilson and Hilferty 1931). */
  #chiSquare(q: number): number {
    if (q > CENTER.squares) {
      const part = 2 / (9 * q);
      const root = 1 - part + Math.sqrt(part) * this.#normal();
      return q * root * root * root;
    }
    let sum = 0;
    for (let row = 0; row < q; row++) sum += this.#normal() ** 2;
    return sum;
  }
}
