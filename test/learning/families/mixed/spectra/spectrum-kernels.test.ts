/** The kernels of spectra and scores against the plain loops that they stand for, to the bit, in every build. */
import { expect, test } from "vitest";
import { ConvergenceError } from "../../../../../src/core/errors.js";
import type { Core } from "../../../../../src/core/core.js";
import { NOISE_MULTIPLES } from "../../../../../src/learning/families/mixed/squared/squared-settings.js";
import { SquaredState } from "../../../../../src/learning/families/mixed/squared/squared-state.js";
import { TaskSpectra } from "../../../../../src/learning/families/mixed/spectra/task-spectra.js";
import { TaskSpectrum } from "../../../../../src/learning/families/mixed/spectra/task-spectrum.js";
import { VarianceScores } from "../../../../../src/learning/families/mixed/squared/spread/variance-scores.js";
import { congruence } from "../../../../../src/linalg/kernel-products.js";
import {
  factor,
  invertLower,
  multiply,
  transpose,
} from "../../../../../src/linalg/small-matrices.js";
import { describeBuilds } from "../../../../assembly/builds.js";

const number = (k: number) => Math.sin(12.9898 * k * k + 1) * 1.7;

/** A task of n rows, of which `rank` are their own; a center and a factor. */
function problem(n: number, d: number, rank: number) {
  const x = Float64Array.from({ length: n * d }, (_, k) => {
    const [row, c] = [Math.floor(k / d), k % d];
    return c === d - 1 ? 1 : number((row % rank) * d + c);
  });
  const y = Float64Array.from({ length: n }, (_, k) => number(k + 100));
  const a = Float64Array.from({ length: d }, (_, k) => number(k + 200));
  const l = Float64Array.from({ length: d * d }, (_, k) =>
    k % d > Math.floor(k / d) ? 0 : number(k + 300) + (k % (d + 1) === 0 ? 2 : 0),
  );
  return { x, y, a, l, offsets: [0, n] };
}

/** The spectrum by loops. */
function plain(core: Core, n: number, d: number, { x, y, a, l }: ReturnType<typeof problem>) {
  const z = new Float64Array(n * d);
  const residual = y.slice();
  for (let row = 0; row < n; row++) {
    for (let c = 0; c < d; c++) {
      const value = x[row * d + c]!;
      residual[row]! -= value * a[c]!;
      for (let j = 0; j <= c; j++) z[row * d + j]! += value * l[c * d + j]!;
    }
  }
  const { arena, kernels } = core;
  const [gram, values, vectors] = [arena.zeros(n * n), arena.f64(n), arena.f64(n * n)];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let c = 0; c < d; c++) sum += z[i * d + c]! * z[j * d + c]!;
      arena.view(gram, n * n)[i * n + j] = sum;
    }
  }
  const work = arena.bytes(kernels.eighWorkspace(n));
  expect(kernels.rationalEigh(gram, values, vectors, n, work)).toBe(0);
  const squares = arena.view(values, n).slice();
  const u = arena.view(vectors, n * n);
  const observed = new Float64Array(n);
  const directions = new Float64Array(d * d);
  for (let j = 0; j < n; j++) {
    if (!(squares[j]! > 1e-13 * squares[0]!)) {
      squares[j] = 0;
      continue;
    }
    for (let row = 0; row < n; row++) {
      observed[j]! += u[row * n + j]! * residual[row]!;
      const part = u[row * n + j]! / Math.sqrt(squares[j]!);
      for (let c = 0; c < d; c++) directions[j * d + c]! += part * z[row * d + c]!;
    }
  }
  const explained = observed.reduce((sum, o) => sum + o * o, 0);
  const total = residual.reduce((sum, r) => sum + r * r, 0);
  return { squares, observed, directions, rest: Math.max(total - explained, 0) };
}

/** The same of at least d rows, by their moments. */
function plainTall(core: Core, n: number, d: number, { x, y, a, l }: ReturnType<typeof problem>) {
  const gram = new Float64Array(d * d);
  const cross = new Float64Array(d);
  let square = 0;
  for (let row = 0; row < n; row++) {
    square += y[row]! * y[row]!;
    for (let i = 0; i < d; i++) {
      cross[i]! += x[row * d + i]! * y[row]!;
      for (let j = 0; j < d; j++) gram[i * d + j]! += x[row * d + i]! * x[row * d + j]!;
    }
  }
  const fitted = multiply(gram, a, d, d, 1);
  const left = cross.map((value, c) => value - fitted[c]!);
  const turned = transpose(l, d, d);
  const pulled = multiply(turned, left, d, d, 1);
  const { arena, kernels } = core;
  const [at, values, vectors] = [arena.f64(d * d), arena.f64(d), arena.f64(d * d)];
  const work = arena.bytes(kernels.eighWorkspace(d));
  arena.view(at, d * d).set(congruence(turned, gram, d, d));
  expect(kernels.rationalEigh(at, values, vectors, d, work)).toBe(0);
  const squares = arena.view(values, d).slice();
  const u = arena.view(vectors, d * d);
  const observed = new Float64Array(d);
  const directions = transpose(u, d, d);
  for (let j = 0; j < d; j++) {
    if (!(squares[j]! > 1e-13 * squares[0]!)) {
      squares[j] = 0;
      continue;
    }
    let sum = 0;
    for (let c = 0; c < d; c++) sum += u[c * d + j]! * pulled[c]!;
    observed[j] = sum / Math.sqrt(squares[j]!);
  }
  let total = square;
  for (let c = 0; c < d; c++) total -= a[c]! * (cross[c]! + left[c]!);
  const explained = observed.reduce((sum, o) => sum + o * o, 0);
  return { squares, observed, directions, rest: Math.max(Math.max(total, 0) - explained, 0) };
}

/** What directions tell, by loops: the lower triangle. */
function plainInformation(
  { k, squares, directions }: TaskSpectrum,
  d: number,
  noises: number[],
  priors: number[],
) {
  const sum = new Float64Array(d * d);
  for (let j = 0; j < k; j++) {
    let told = 0;
    noises.forEach((noise, h) => (told += (priors[h]! * squares[j]!) / (noise + squares[j]!)));
    for (let c = 0; c < d; c++) {
      const part = told * directions[j * d + c]!;
      for (let e = 0; e <= c; e++) sum[c * d + e]! += part * directions[j * d + e]!;
    }
  }
  return sum;
}

/** The scores by loops. */
function plainScores(state: SquaredState, l: Float64Array, task: TaskSpectrum): number[] {
  const { d } = state.sizes;
  const { n, k, squares, observed, directions, rest } = task;
  const inverse = invertLower(l, d);
  const own = multiply(directions, inverse, k, d, d);
  // L^-1 C of the covariance under which spectra are, L L^T: that of the state lacks the factor's jitter.
  const other = multiply(directions, transpose(l, d, d), k, d, d);
  const weights = state.noiseWeights(task);
  const scores = [0, 0, 0];
  NOISE_MULTIPLES.forEach((multiple, j) => {
    const noise = state.noise * multiple;
    const [u, cu, information] = [0, 1, 2].map(() => new Float64Array(d)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    let ofNoise = rest / noise - (n - k);
    for (let t = 0; t < k; t++) {
      const v = noise + squares[t]!;
      const part = (Math.sqrt(squares[t]!) * observed[t]!) / v;
      ofNoise += noise * (observed[t]! / v) ** 2 - noise / v;
      for (let c = 0; c < d; c++) {
        u[c]! += own[t * d + c]! * part;
        cu[c]! += other[t * d + c]! * part;
        information[c]! += ((own[t * d + c]! * squares[t]!) / v) * other[t * d + c]!;
      }
    }
    for (let c = 0; c < d; c++) {
      scores[c === d - 1 ? 1 : 0]! += (weights[j]! / 2) * (u[c]! * cu[c]! - information[c]!);
    }
    scores[2]! += (weights[j]! / 2) * ofNoise;
  });
  return scores;
}

const SIZES = [
  [1, 2, 1],
  [3, 4, 3],
  [5, 11, 5],
  [16, 17, 16],
  [30, 31, 30],
  // Rows that others repeat.
  [9, 31, 4],
] as const;

const TALL = [
  [1, 1, 1],
  [4, 2, 4],
  [12, 11, 12],
  [40, 21, 40],
  // Rows that others repeat.
  [50, 31, 9],
] as const;

describeBuilds("kernels of the mixed model", (core) => {
  test.each(SIZES)("%i rows of %i coordinates, rank %i: the spectrum of loops", (n, d, rank) => {
    const given = problem(n, d, rank);
    const spectrum = new TaskSpectrum(d);
    spectrum.directions.fill(7);
    new TaskSpectra(core, given, d).of(0, given.a, given.l, spectrum);
    const { squares, observed, directions, rest } = plain(core, n, d, given);
    expect(spectrum.squares.slice(0, n)).toEqual(squares);
    expect(spectrum.observed.slice(0, n)).toEqual(observed);
    expect(spectrum.directions).toEqual(directions);
    expect(spectrum.rest).toBe(rest);
    expect(squares.filter((s) => s > 0)).toHaveLength(rank);
  });

  test.each([
    [3, 4],
    [12, 11],
  ])("%i rows of %i coordinates whose decomposition fails: the task is named", (n, d) => {
    const given = problem(n, d, n);
    // No rows are known for which it fails.
    const kernels = { ...core.kernels, tallSpectrum: () => -1, wideSpectrum: () => -1 };
    const failing = { arena: core.arena, kernels } as Core;
    const solve = (names?: string[]) => () =>
      new TaskSpectra(failing, { ...given, names }, d).of(0, given.a, given.l);
    expect(solve(["school 7"])).toThrow(ConvergenceError);
    expect(solve(["school 7"])).toThrow(
      /^task "school 7": the decomposition did not converge.*declare the columns' ranges/,
    );
    expect(solve()).toThrow(/^a task's rows: the decomposition/);
  });

  test.each(TALL)("%i rows of %i coordinates, rank %i: the spectrum of loops", (n, d, rank) => {
    const given = problem(n, d, rank);
    const spectrum = new TaskSpectrum(d);
    new TaskSpectra(core, given, d).of(0, given.a, given.l, spectrum);
    const { squares, observed, directions, rest } = plainTall(core, n, d, given);
    expect(spectrum.k).toBe(d);
    expect(spectrum.squares).toEqual(squares);
    expect(spectrum.observed).toEqual(observed);
    expect(spectrum.directions).toEqual(directions);
    expect(spectrum.rest).toBe(rest);
    const [noises, priors] = [
      [0.1, 1, 7],
      [0.2, 0.5, 0.3],
    ] as const;
    const { arena, kernels } = core;
    const [at, sum] = [arena.copyOf(spectrum.squares), arena.zeros(d * d)];
    const [of, by] = [
      arena.copyOf(Float64Array.from(noises)),
      arena.copyOf(Float64Array.from(priors)),
    ];
    kernels.addInformation(at, arena.copyOf(spectrum.directions), d, d, of, by, 3, sum);
    expect(arena.view(sum, d * d).slice()).toEqual(
      plainInformation(spectrum, d, [...noises], [...priors]),
    );
  });

  test.each(SIZES)("%i rows of %i coordinates, rank %i: the scores of loops", (n, d, rank) => {
    const state = new SquaredState({ m: 50, d, meanRows: n });
    const l = factor(state.covariance, d);
    const spectrum = new TaskSpectrum(d);
    new TaskSpectra(core, problem(n, d, rank), d).of(0, state.effects, l, spectrum);
    const mark = core.arena.mark();
    const scores = new VarianceScores(core, state, l, Float64Array.of(1, 1, 1));
    scores.open(spectrum);
    const found = new Float64Array(3);
    // Of what is observed, and of other observations along the same directions.
    for (const factor of [1, -0.3]) {
      for (let t = 0; t < n; t++) spectrum.observed[t]! *= factor;
      // Costs are sums of logarithms there, and logarithms of products here.
      scores.write(spectrum, found);
      plainScores(state, l, spectrum).forEach((value, c) => {
        expect(Math.abs(found[c]! - value)).toBeLessThan(1e-11 * (1 + Math.abs(value)));
      });
    }
    core.arena.release(mark);
  });
});
