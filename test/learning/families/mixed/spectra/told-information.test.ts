/** What rows tell without their spectrum, against what their spectrum says, in every build. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Core } from "../../../../../src/core/core.js";
import { invertDefinite } from "../../../../../src/linalg/small-matrices.js";
import { SyntheticInformation } from "../../../../../src/learning/families/mixed/squared/synthetic-information.js";
import {
  readRows,
  TaskSpectra,
} from "../../../../../src/learning/families/mixed/spectra/task-spectra.js";
import { ToldInformation } from "../../../../../src/learning/families/mixed/spectra/told-information.js";
import { signed } from "../../../../../bench/uniform-draws.js";
import { describeBuilds } from "../../../../assembly/builds.js";

const NOISES = [0.1, 0.3, 1, 3, 10];
const WEIGHTS = [0.05, 0.2, 0.5, 0.2, 0.05];

/** Above this part of the smallest noise the largest square is left to the spectrum. */
const RATIO = 2 ** 20;

interface Rows {
  readonly n: number;
  readonly d: number;
  readonly seed: number;
  readonly kind: "plain" | "collinear" | "constant" | "repeated" | "zero" | "scaled";
  readonly noise: number;
}

/** Two tasks of n rows, and a factor. */
function problem({ n, d, seed, kind }: Rows) {
  const next = signed(seed);
  const x = Float64Array.from({ length: 2 * n * d }, next);
  for (let at = 0; at < x.length; at++) {
    const [row, c] = [Math.floor(at / d), at % d];
    if (kind === "collinear" && c > 1) x[at] = x[row * d]! + x[row * d + 1]! * c;
    if (kind === "constant" && c % 2 === 0) x[at] = 1;
    if (kind === "repeated" && row % n > 1) x[at] = x[(row - 2) * d + c]!;
    if (kind === "zero") x[at] = 0;
    if (kind === "scaled") x[at]! *= 10 ** (-12 * (c / d));
  }
  const l = Float64Array.from({ length: d * d }, (_, at) => {
    const [row, c] = [Math.floor(at / d), at % d];
    return c > row ? 0 : next() / Math.sqrt(d) + (c === row ? 1 : 0);
  });
  return { rows: { x, y: Float64Array.from({ length: 2 * n }, next), offsets: [0, n, 2 * n] }, l };
}

/** The lower triangle by loops over directions, and the largest square. */
function bySpectrum(
  core: Core,
  { rows, l }: ReturnType<typeof problem>,
  noises: number[],
  d: number,
) {
  const { k, squares, directions } = new TaskSpectra(core, rows, d).of(1, new Float64Array(d), l);
  const sum = new Float64Array(d * d);
  for (let t = 0; t < k; t++) {
    const part = noises.reduce(
      (all, noise, h) => all + (WEIGHTS[h]! * squares[t]!) / (noise + squares[t]!),
      0,
    );
    for (let c = 0; c < d; c++) {
      for (let e = 0; e <= c; e++)
        sum[c * d + e]! += part * directions[t * d + c]! * directions[t * d + e]!;
    }
  }
  return { sum, largest: squares[0]! };
}

/** Largest difference of two lower triangles; NaN where an entry is none. */
function apartBelow(found: Float64Array, wanted: Float64Array, d: number): number {
  let most = 0;
  for (let c = 0; c < d; c++) {
    for (let e = 0; e <= c; e++)
      most = Math.max(most, Math.abs(found[c * d + e]! - wanted[c * d + e]!));
  }
  return most;
}

const rows: fc.Arbitrary<Rows> = fc.record({
  n: fc.integer({ min: 1, max: 45 }),
  d: fc.integer({ min: 1, max: 33 }),
  seed: fc.integer({ min: 1, max: 1e6 }),
  kind: fc.constantFrom("plain", "collinear", "constant", "repeated", "zero", "scaled"),
  noise: fc.double({ min: -7, max: 3, noNaN: true }).map((power) => 10 ** power),
});

describeBuilds("what rows tell", (core) => {
  test("is what their spectrum says, where it is said", () => {
    const said = { yes: 0, no: 0 };
    fc.assert(
      fc.property(rows, (given) => {
        const { d, noise } = given;
        const mark = core.arena.mark();
        const made = problem(given);
        const noises = NOISES.map((multiple) => noise * multiple);
        const { sum, largest } = bySpectrum(core, made, noises, d);
        const read = readRows(made.rows, d);
        const told = new ToldInformation(core, { rows: made.rows, read }, made.l, {
          noises,
          weights: WEIGHTS,
        });
        const at = core.arena.zeros(d * d);
        // Beside what is there.
        core.arena.view(at, d * d).fill(0.25);
        const isSaid = told.add(1, at);
        said[isSaid ? "yes" : "no"]++;
        const found = core.arena.view(at, d * d).map((value) => value - 0.25);
        core.arena.release(mark);
        const ratio = largest / noises[0]!;
        if (ratio > RATIO) expect(isSaid).toBe(false);
        // The bound of the largest eigenvalue that is asked about is at most three times as large.
        if (ratio < RATIO / 3) expect(isSaid).toBe(true);
        // Rounding of the squares, and of those that the spectrum takes for zero up to 1e-13 of the largest.
        const allowed = 1e-12 + (4 * d * 2 ** -53 + 1e-13) * Math.min(ratio, RATIO);
        expect(apartBelow(found, isSaid ? sum : new Float64Array(d * d), d)).toBeLessThan(allowed);
      }),
      { seed: 41, numRuns: 400 },
    );
    expect(said.yes).toBeGreaterThan(200);
    expect(said.no).toBeGreaterThan(20);
  });

  test("of ordinary rows agrees to 1e-11", () => {
    for (const [n, d] of [
      [30, 21],
      [30, 31],
      [12, 31],
      [200, 9],
    ] as const) {
      const made = problem({ n, d, seed: n + d, kind: "plain", noise: 1 });
      const { sum } = bySpectrum(core, made, NOISES, d);
      const mark = core.arena.mark();
      const given = { rows: made.rows, read: readRows(made.rows, d) };
      const told = new ToldInformation(core, given, made.l, { noises: NOISES, weights: WEIGHTS });
      const at = core.arena.zeros(d * d);
      expect(told.add(1, at)).toBe(true);
      const found = core.arena.view(at, d * d);
      expect(apartBelow(found, sum, d)).toBeLessThan(1e-11);
      core.arena.release(mark);
    }
  });

  test("by made-up tasks with next to no noise is the prior's precision, by their spectra", () => {
    const d = 4;
    const p = Float64Array.of(2, 1, 0, 0, 1, 3, 0, 0, 0, 0, 1, 0.5, 0, 0, 0.5, 1);
    const made = new SyntheticInformation(core, { m: 10, d, meanRows: 30 });
    const found = made.information(p, 1e-10);
    invertDefinite(p, d).forEach((value, at) =>
      expect(Math.abs(found[at]! - value)).toBeLessThan(1e-8),
    );
  });
});
