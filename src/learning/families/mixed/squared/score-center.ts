/**
 * The point from which a task's scores of the variances are clipped: scores are skewed, as squares of normals are, so
 * that clipped from 0 they would point too low where the model holds. Clipped from the point worked out here
 * their mean is 0 there, for every task by its own features.
 * @module
 */
import { clipCenter } from "../clip-center.js";
import { publicDraws } from "../public-draws.js";
import { CENTER, NOISE_MULTIPLES, NOISE_PRIOR } from "./squared-settings.js";
import type { TaskSpectrum } from "../spectra/task-spectrum.js";

/** Draws of rows, by hypothesis on the noise. */
const DRAWS = NOISE_PRIOR.map((part) => Math.round(part * CENTER.draws));

/**
 * Points of tasks, one after the other.
 * @param noise common variance of a row's noise.
 * @param scoresOf scaled scores of a task's rows.
 * @param clip bound on the norm of the scaled scores' way from the point.
 */
export function scoreCenters(
  noise: number,
  scoresOf: (task: TaskSpectrum) => Float64Array,
  clip: number,
): (task: TaskSpectrum) => Float64Array {
  const normals = publicDraws(CENTER.normals);
  return (task) => {
    // Tasks begin apart, so that they do not share the draws' error.
    let next = task.place % normals.length;
    const normal = () => normals[next++ % normals.length]!;
    const [observed, rest] = [task.observed.slice(), task.rest];
    const all: Float64Array[] = [];
    for (let j = 0; j < DRAWS.length; j++) {
      for (let draw = 0; draw < DRAWS[j]!; draw++) {
        obey(task, observed, noise * NOISE_MULTIPLES[j]!, normal);
        all.push(scoresOf(task));
      }
    }
    task.observed.set(observed);
    task.rest = rest;
    return clipCenter(all, clip);
  };
}

/**
 * Gives a task rows drawn from its prior, the identity in its directions, and the noise. Directions are known but for
 * their signs, which what was observed along them tells.
 */
function obey(task: TaskSpectrum, seen: Float64Array, noise: number, normal: () => number): void {
  const { n, k, squares, observed } = task;
  for (let j = 0; j < k; j++) {
    const size = Math.sqrt(noise + squares[j]!);
    observed[j] = (seen[j]! < 0 ? -size : size) * normal();
  }
  task.rest = noise * chiSquare(n - k, normal);
}

/** A sum of q squares of normals; of many by the cube of a normal (Wilson and Hilferty 1931). */
function chiSquare(q: number, normal: () => number): number {
  if (q > CENTER.squares) {
    const part = 2 / (9 * q);
    const root = 1 - part + Math.sqrt(part) * normal();
    return q * root * root * root;
  }
  let sum = 0;
  for (let row = 0; row < q; row++) sum += normal() ** 2;
  return sum;
}
