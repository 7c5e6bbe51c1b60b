import { expect, test } from "vitest";
import { ScoreCenters } from "../../../../../../src/learning/families/mixed/squared/spread/score-center.js";
import {
  NOISE_MULTIPLES,
  NOISE_PRIOR,
} from "../../../../../../src/learning/families/mixed/squared/squared-settings.js";
import { TaskSpectrum } from "../../../../../../src/learning/families/mixed/spectra/task-spectrum.js";
import { generator } from "../../tasks.js";

const CLIP = 1;
const SQUARES = [2, 0.5];

/** A task of n rows that obeys the prior, its noise one of the multiples of 1. */
function obedient(n: number, normal: () => number, place: number): TaskSpectrum {
  const task = new TaskSpectrum(2);
  let below = 0;
  const at = NOISE_PRIOR.findIndex((part) => (below += part) > place);
  const noise = NOISE_MULTIPLES[at]!;
  task.n = n;
  task.k = 2;
  SQUARES.forEach((square, j) => {
    task.squares[j] = square;
    task.observed[j] = Math.sqrt(noise + square) * normal();
  });
  for (let row = 2; row < n; row++) task.rest += noise * normal() ** 2;
  return task;
}

/** Skewed scores, as those of variances are; around 0 in the mean for no noise in particular. */
const scoresOf = ({ observed, squares, rest, n }: TaskSpectrum) =>
  Float64Array.of(observed[0]! ** 2 / (1 + squares[0]!) - 1, rest / n - 1);

const skewed = {
  length: 2,
  write: (task: TaskSpectrum, into: Float64Array) => into.set(scoresOf(task)),
};

/** Their way from a point, held to the clip. */
function held(scores: Float64Array, center: Float64Array): number[] {
  const way = [...scores].map((value, k) => value - center[k]!);
  const norm = Math.hypot(...way);
  return way.map((value) => value * Math.min(1, CLIP / norm));
}

test.each([4, 60])(
  "clipped scores of tasks of %i rows that obey the prior are around 0 in the mean",
  (n) => {
    const normal = generator(n);
    const centers = new ScoreCenters(1, skewed, CLIP);
    const count = 4000;
    const sums = { centered: [0, 0], plain: [0, 0] };
    for (let i = 0; i < count; i++) {
      const task = obedient(n, normal, (i + 0.5) / count);
      task.place = 7919 * i;
      const before = [...task.observed, task.rest];
      const center = centers.of(task);
      expect([...task.observed, task.rest]).toEqual(before);
      held(scoresOf(task), center).forEach((value, k) => (sums.centered[k]! += value / count));
      held(scoresOf(task), new Float64Array(2)).forEach(
        (value, k) => (sums.plain[k]! += value / count),
      );
    }
    // A mean of 4000 numbers within 1 has a standard error of at most .016: four of them (false alarms: 1 in 10,000).
    for (const value of sums.centered) expect(Math.abs(value)).toBeLessThan(0.064);
    // Clipped from 0 they point too low.
    expect(Math.min(...sums.plain)).toBeLessThan(-0.08);
  },
);
