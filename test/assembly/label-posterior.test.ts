/**
 * The kernel of expectation propagation against the same in TypeScript: every bit, in both builds, wherever numbers lie.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Core } from "../../src/core/core.js";
import type {
  GaussianPrior,
  SignedRows,
} from "../../src/learning/families/mixed/labels/posterior/expectation-propagation.js";
import { inferInNumbers } from "../learning/families/mixed/labels/posterior/propagation-in-numbers.js";
import { describeBuilds } from "./builds.js";
import { thorough } from "../thorough.js";

/** Rows, of which some entries are 0, and a prior: of usual sizes, and where arithmetic breaks down. */
const problems = fc
  .record({
    n: fc.integer({ min: 0, max: 40 }),
    d: fc.integer({ min: 1, max: 12 }),
    size: fc.constantFrom(1e-3, 1, 1, 30, 1e4, 1e8, 1e150, 1e300),
    far: fc.constantFrom(0, 1, 1, 10, 1e3, 1e8),
    phase: fc.integer({ min: 0, max: 10_000 }),
  })
  .map(({ n, d, size, far, phase }) => {
    const wave = (k: number) => Math.sin(phase + 1.7 * k) + Math.cos(3.1 * k * (phase % 7));
    const rows = Float64Array.from({ length: n * d }, (_, k) => (k % 9 === 4 ? 0 : size * wave(k)));
    const root = Float64Array.from({ length: d * d }, (_, at) => {
      const [i, j] = [Math.floor(at / d), at % d];
      return i === j ? 0.1 + Math.abs(wave(at)) : j < i ? 0.3 * wave(at) : 0;
    });
    const mean = Float64Array.from({ length: d }, (_, k) => far * wave(k + 5));
    return { task: { rows, n, d }, prior: { mean, root } };
  });

interface Problem {
  readonly task: SignedRows;
  readonly prior: GaussianPrior;
}

function inferred(
  { kernels, arena }: Core,
  { task, prior }: Problem,
  whole: boolean,
  sites?: Float64Array,
) {
  const { rows, n, d, added } = task;
  const mark = arena.mark();
  const given = [arena.copyOf(rows), n, d, arena.copyOf(prior.mean), arena.copyOf(prior.root)] as const;
  const [mean, covariance] = [arena.f64(d), arena.f64(d * d)];
  // What lay there before is nobody's matter.
  const bytes = Math.ceil(kernels.labelPosteriorWorkspace(n, d, whole) / 16) * 16;
  const work = arena.bytes(bytes);
  const beyond = arena.f64(4);
  arena.view(work, bytes / 8).fill(NaN);
  arena.view(beyond, 4).fill(7);
  const into = whole ? ([mean, covariance] as const) : ([0, 0] as const);
  const start = sites ? arena.copyOf(sites) : 0;
  const more = added ? arena.copyOf(added) : 0;
  const evidence = kernels.labelPosterior(...given, more, start, ...into, work);
  sites?.set(arena.view(start, 2 * n));
  const found = { mean: arena.view(mean, d).slice(), covariance: arena.view(covariance, d * d).slice() };
  expect([...arena.view(beyond, 4)]).toEqual([7, 7, 7, 7]);
  arena.release(mark);
  if (Number.isNaN(evidence)) return undefined;
  return whole ? { evidence, ...found } : evidence;
}

describeBuilds("expectation propagation", (core) => {
  test("has the bits of the same in TypeScript", () => {
    fc.assert(
      fc.property(problems, (problem) => {
        const expected = inferInNumbers(problem.task, problem.prior);
        expect(inferred(core, problem, true)).toEqual(expected);
        expect(inferred(core, problem, false)).toBe(expected?.evidence);
      }),
      { numRuns: thorough ? 150 : 60, seed: 1 },
    );
  });

  test("has them from sites of another prior, and leaves the same sites", () => {
    fc.assert(
      fc.property(problems, problems, ({ task, prior }, other) => {
        const { d } = task;
        const entry = (at: number) => other.prior.root[at % other.prior.root.length]!;
        const root = Float64Array.from({ length: d * d }, (_, at) => {
          const [i, j] = [Math.floor(at / d), at % d];
          return j > i ? 0 : i === j ? 0.05 + Math.abs(entry(at)) : 0.1 * entry(at);
        });
        const priors = [prior, { mean: prior.mean.map((value) => value / 2), root }, prior];
        const [sites, expected] = [new Float64Array(2 * task.n), new Float64Array(2 * task.n)];
        for (const one of priors) {
          const found = inferInNumbers(task, one, expected);
          expect(inferred(core, { task, prior: one }, true, sites)).toEqual(found);
          expect(sites).toEqual(expected);
        }
      }),
      { numRuns: thorough ? 100 : 40, seed: 2 },
    );
  });

  test("has them where something is added to rows, from sites without it", () => {
    fc.assert(
      fc.property(problems, ({ task, prior }) => {
        const added = new Float64Array(task.n).map((_, j) => 2 * Math.sin(3 * j));
        const [sites, expected] = [new Float64Array(2 * task.n), new Float64Array(2 * task.n)];
        for (const own of [task, { ...task, added }]) {
          const found = inferInNumbers(own, prior, expected);
          expect(inferred(core, { task: own, prior }, true, sites)).toEqual(found);
          expect(sites).toEqual(expected);
        }
      }),
      { numRuns: thorough ? 100 : 40, seed: 3 },
    );
  });

  test("of more features than rows, and of many rows", () => {
    for (const [n, d] of [
      [7, 33],
      [33, 33],
      [120, 21],
    ] as const) {
      const rows = Float64Array.from({ length: n * d }, (_, k) => Math.sin(1 + 7 * k));
      const root = Float64Array.from({ length: d * d }, (_, at) => (at % (d + 1) === 0 ? 2 : 0));
      const problem = { task: { rows, n, d }, prior: { mean: new Float64Array(d), root } };
      expect(inferred(core, problem, true)).toEqual(inferInNumbers(problem.task, problem.prior));
    }
  });
});
