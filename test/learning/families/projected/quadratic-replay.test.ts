import { describe, expect, test } from "vitest";
import type { Core } from "../../../../src/core/core.js";
import { TaskSet } from "../../../../src/data/index.js";
import { fixedMomentum } from "../../../../src/learning/steps/momentum.js";
import { BroadcastLog } from "../../../../src/learning/local-selection/broadcast-log.js";
import { placeModels } from "../../../../src/learning/tasks/local-models.js";
import { QuadraticReplay } from "../../../../src/learning/families/projected/quadratic-replay.js";
import { matrixProjection } from "../../../../src/learning/steps/projection.js";
import { ProximalGradient } from "../../../../src/learning/steps/proximal-gradient.js";
import type { RowForm } from "../../../../src/learning/tasks/row-precision.js";
import { QuadraticTasks } from "../../../../src/learning/tasks/quadratic-tasks.js";
import { ResidentTasks } from "../../../../src/learning/tasks/resident-tasks.js";
import { builds, coreOf, describeBuilds } from "../../../assembly/builds.js";
import { makeTasks } from "../../tasks.js";

const ROUNDS = 7;
const STOPS = [2, 3, 7];

interface Rule {
  readonly mu?: number;
  readonly clip?: number;
  readonly intercept?: boolean;
  readonly scale?: number;
  readonly first?: number;
  /** Of all targets. */
  readonly level?: number;
}

/** Models at the stops when all rounds are taken one by one, and when they are taken in calls. */
function both(
  core: Core,
  m: number,
  d: number,
  { mu = 0, clip = 1, intercept = false, scale = 1, first = Math.sin(0), level = 0 }: Rule,
  form: RowForm & { readonly weighted?: boolean } = {},
) {
  // Tasks of fewer rows than folds, of as many, and of more than are summed at once; two folds of every third.
  const rows = (i: number) => (i === 6 ? 190 : 2 + 3 * i);
  const made = makeTasks({ m, d, rows, noise: 0.5 });
  const sampleWeights = made.y.map((_, row) => 0.5 + (row % 3));
  const data = form.weighted ? TaskSet.adopt({ ...made.arrays(), sampleWeights }) : made;
  const targets = data.y.map((y) => scale * (y + level));
  const owners = Uint32Array.from({ length: m }, (_, i) => (i % 3 === 2 ? i - 1 : i));
  const folds = owners.map((owner, k) => k % Math.min(rows(owner), 5));
  const entries = { parts: 5, owners, folds };
  const tasks = new ResidentTasks(core, data, targets, {
    loss: "squared",
    lossScale: "mean",
    intercept,
    ...form,
  });
  const { arena } = core;
  const options = {
    clip: clip * scale,
    clipIterate: true,
    steps: Float64Array.from({ length: m }, (_, i) => 0.1 + 0.02 * i),
    strongConvexity: mu,
    momentum: fixedMomentum("convex", 0, 1),
    projection: matrixProjection(core, m, d),
    initial: Float64Array.from({ length: m * d }, (_, k) => scale * Math.sin(k)).fill(first, 0, 1),
    initialIntercepts: Float64Array.from({ length: m }, (_, i) => scale * (level + Math.cos(i))),
  };
  const quadratics = QuadraticTasks.withoutFolds(tasks, entries);
  const single: Float64Array[] = [];
  const steppers = new ProximalGradient(quadratics, options);
  const models = ({ weights, intercepts }: { weights: number; intercepts: number }) =>
    Float64Array.of(...arena.view(weights, m * d), ...(intercept ? arena.view(intercepts, m) : []));
  const kept = new BroadcastLog(core, steppers, d * d, (round) => {
    if (STOPS.includes(round)) single.push(models(steppers));
  });
  const message = arena.f64(d * d);
  for (let round = 1; round <= ROUNDS; round++) {
    // Exact in single precision, as messages are kept.
    const values = Float64Array.from({ length: d * d }, (_, k) =>
      Math.fround(Math.cos(round + k * k) / d),
    );
    arena.view(message, d * d).set(values);
    kept.upload(round);
    kept.receive(message, round, round === ROUNDS);
  }
  const { initial: weights, initialIntercepts: intercepts } = options;
  const starts = placeModels(arena, { weights, intercepts }, intercept);
  const followers = new QuadraticReplay(tasks, entries, { ...options, starts });
  const several: Float64Array[] = [];
  for (const done of kept.replay(
    followers,
    Uint32Array.from({ length: m }, (_, i) => i),
    STOPS,
  )) {
    if (STOPS.includes(done)) several.push(models(followers));
  }
  /** Models of these entries, [., d] and then their intercepts, after all rounds. */
  const last = (only: readonly number[], stops: readonly number[]) => {
    followers.only(Uint32Array.from(only));
    const of = Uint32Array.from(only, (k) => owners[k]!);
    for (const done of kept.replay(followers, of, stops)) expect(done).toBeLessThanOrEqual(ROUNDS);
    const all = models(followers);
    const part = (from: number, width: number) =>
      only.map((_, k) => all.slice(from + k * width, from + (k + 1) * width));
    return { weights: part(0, d), intercepts: intercept ? part(m * d, 1) : [] };
  };
  return { single, several, last };
}

/** Single precision has 24 bits; a sum of d terms and a few rounds of them lose a few more. */
const tolerance = (d: number) => (d + 16) * 2 ** -24;
const RULES = [{}, { mu: 0.3 }, { clip: 0.2 }, { mu: 0.1, intercept: true }, { clip: Infinity }];

describeBuilds("rounds of Algorithm 2 in one call", (core) => {
  // Groups of four tasks whole and in part; columns by 8 and by 32, whole and overlapping.
  describe.each([1, 3, 8, 12, 30, 40, 48])("d = %i", (d) => {
    test.each([1, 4, 13])("are those taken one by one, in single precision: %i tasks", (m) => {
      for (const rule of RULES) {
        const { single, several } = both(core, m, d, rule);
        expect(several).toHaveLength(STOPS.length);
        several.forEach((models, k) => {
          const largest = Math.max(...single[k]!.map(Math.abs));
          const off = Math.max(...models.map((w, j) => Math.abs(w - single[k]![j]!)));
          expect(off).toBeLessThan(tolerance(d) * Math.max(largest, 1));
        });
        expect(single.at(-1)!.some((w) => Math.abs(w) > 1e-4)).toBe(true);
      }
    });
  });

  // In one call, whose broadcasts stay where they are from one pass to the next, and in several.
  test.each([[[ROUNDS]], [STOPS]])(
    "of some entries, in any order, are those of all: stops %j",
    (stops) => {
      const [m, d] = [13, 9];
      const { several, last } = both(core, m, d, { mu: 0.1, clip: 0.3, intercept: true });
      const whole = several.at(-1)!;
      for (const only of [[4, 0, 7, 2, 12, 8], [1], [11, 3, 5, 6], [12, 0]]) {
        const { weights, intercepts } = last(only, stops);
        expect(weights).toEqual(only.map((k) => whole.slice(k * d, (k + 1) * d)));
        expect(intercepts).toEqual(only.map((k) => whole.slice(m * d + k, m * d + k + 1)));
      }
    },
  );

  test.each([{ weighted: true }, { rowPrecision: "float32" }] as const)(
    "are those of weighted rows, and of rows in single precision: %o",
    (form) => {
      const { single, several } = both(core, 9, 12, { mu: 0.1, intercept: true }, form);
      const plain = both(core, 9, 12, { mu: 0.1, intercept: true });
      several[2]!.forEach((w, j) => expect(w).toBeCloseTo(single[2]![j]!, 5));
      expect(several[2]).not.toEqual(plain.several[2]);
    },
  );

  test("lose next to nothing by a level that all targets share", () => {
    // A number of single precision is a sixteenth from the next there.
    const level = 2 ** 20;
    const { single, several } = both(core, 9, 5, { intercept: true, level });
    several[2]!.forEach((w, j) => expect(Math.abs(w - single[2]![j]!)).toBeLessThan(1e-3));
  });

  test("clip a model whose squares single precision does not hold", () => {
    const { single, several } = both(core, 5, 4, { first: 1e25, clip: 0.7 });
    several[0]!.forEach((w, j) => expect(w).toBeCloseTo(single[0]![j]!, 5));
  });

  test("of targets in any unit are the same rounds, to the bit", () => {
    const { several } = both(core, 6, 9, { clip: 0.7, intercept: true });
    for (const scale of [2 ** 400, 2 ** -400]) {
      const scaled = both(core, 6, 9, { clip: 0.7, intercept: true, scale });
      expect(scaled.several.map((models) => models.map((w) => w / scale))).toEqual(several);
    }
  });

  test.each([NaN, Infinity])("take a model that is not finite as zero: %d", (first) => {
    const { single, several } = both(core, 5, 4, { first });
    expect([...single[0]!, ...several[0]!].every(Number.isFinite)).toBe(true);
    several[0]!.forEach((w, j) => expect(w).toBeCloseTo(single[0]![j]!, 5));
  });
});

test("rounds in one call have the same bits with and without vectors", () => {
  const [simd, scalar] = builds.map((build) =>
    [1, 7, 30, 40, 48].flatMap(
      (d) => both(coreOf(build), 5, d, { mu: 0.1, intercept: true }).several,
    ),
  );
  expect(simd).toEqual(scalar);
});
