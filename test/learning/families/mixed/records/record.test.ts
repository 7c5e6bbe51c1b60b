/** The mixed model whose noise hides single records: sensitivities, accounting, limits, and what may be given to whom. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../../src/data/index.js";
import { Auto, MpMixed, SingleTask, TraceNorm } from "../../../../../src/learning/index.js";
import { betweenUploads } from "../../../../../src/learning/families/mixed/records/record-between.js";
import {
  pairMoments,
  rowMoments,
} from "../../../../../src/learning/families/mixed/records/record-moments.js";
import { releasesOf } from "../../../../../src/learning/release/private-estimator.js";
import type { PrivacyEvent } from "../../../../../src/privacy/index.js";
import { mixedTasks } from "../tasks.js";

const distance = (a: Float64Array, b: Float64Array) =>
  Math.hypot(...a.map((value, k) => value - b[k]!));

/** One task of n rows (x, 1) and y, and another value for one of them. */
const worlds = fc
  .record({ n: fc.integer({ min: 1, max: 9 }), d: fc.integer({ min: 1, max: 5 }) })
  .chain(({ n, d }) => {
    const value = fc.double({ min: -50, max: 50, noNaN: true });
    return fc.record({
      d: fc.constant(d),
      x: fc.array(value, { minLength: n * d, maxLength: n * d }),
      y: fc.array(value, { minLength: n, maxLength: n }),
      row: fc.nat(n - 1),
      other: fc.array(value, { minLength: d + 1, maxLength: d + 1 }),
    });
  });

type Rows = Parameters<typeof rowMoments>[0];
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

function bothRows({ d, x, y, row, other }: World) {
  const offsets = [0, y.length];
  const withConstant = (values: number[]) => values.map((value, at) => ((at + 1) % d ? value : 1));
  const one = { x: Float64Array.from(withConstant(x)), y: Float64Array.from(y), offsets };
  const two = { x: one.x.slice(), y: one.y.slice(), offsets };
  two.x.set(withConstant(other.slice(0, d)), row * d);
  two.y[row] = other[d]!;
  return { one, two };
}

describe("one record moves a release by at most its sensitivity", () => {
  test.each([
    ["moments of rows", Math.SQRT2, rowMoments],
    ["moments of pairs", Math.SQRT2, pairMoments],
  ] as const)("%s", (_, bound, moments) => {
    fc.assert(
      fc.property(worlds, fc.double({ min: 0.1, max: 20, noNaN: true }), (world, c) => {
        const { one, two } = bothRows(world);
        const moved = distance(moments(one, world.d, c), moments(two, world.d, c));
        expect(moved).toBeLessThanOrEqual(bound * (1 + 1e-12));
      }),
      { seed: 1, numRuns: 400 },
    );
  });

  test("orthogonal rows move the moments by nearly all of it", () => {
    const offsets = [0, 1];
    const far = (k: number) => ({ x: Float64Array.of(...[0, 1].map((c) => (c === k ? 1e4 : 0)), 1), y: new Float64Array(1), offsets }); // prettier-ignore
    const moved = distance(rowMoments(far(0), 3, 2), rowMoments(far(1), 3, 2));
    expect(moved).toBeGreaterThan(Math.SQRT2 * (1 - 1e-6));
  });

  test.each([1, 2, 3, 5, 8, 9, 12])(
    "a far row of %i moves the moments of differences by all of it, and no more",
    (n) => {
      const far = (k: number) => {
        const x = Float64Array.from({ length: 3 * n }, (_, at) => (at % 3 === 2 ? 1 : 0));
        x[k] = 1e4;
        return { x, y: new Float64Array(n), offsets: [0, n] };
      };
      const moved = distance(pairMoments(far(0), 3, 2), pairMoments(far(1), 3, 2));
      const most = n > 1 ? Math.SQRT2 : 0;
      expect(moved).toBeGreaterThanOrEqual(most * (1 - 1e-9));
      expect(moved).toBeLessThanOrEqual(most);
    },
  );

  test("differences of all rows count half as many as the rows, each as half their scatter", () => {
    // Up to nine rows there are all differences, of an odd number each once: sum / (n - 1) of the scatter, times n / 2.
    const n = 9;
    const y = Float64Array.from({ length: n }, (_, k) => Math.sin(k));
    const x = new Float64Array(n).fill(1);
    const mean = y.reduce((sum, value) => sum + value, 0) / n;
    const variance = y.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
    const [sum] = pairMoments({ x, y, offsets: [0, n] }, 1, 10);
    expect(sum! * 10).toBeCloseTo((n / 2) * variance, 9);
  });

  test("how far tasks lie apart", () => {
    fc.assert(
      fc.property(
        worlds,
        fc.record({
          row: fc.double({ min: 0.1, max: 5, noNaN: true }),
          task: fc.double({ min: 0.1, max: 5, noNaN: true }),
          features: fc.double({ min: 0.1, max: 2, noNaN: true }),
        }),
        (world, clips) => {
          const { one, two } = bothRows(world);
          const scale = { ...clips, effects: new Float64Array(world.d).fill(0.3) };
          const moved = distance(betweenUploads(one, scale), betweenUploads(two, scale));
          expect(moved).toBeLessThanOrEqual(2);
        },
      ),
      { seed: 2, numRuns: 400 },
    );
  });
});

describe("rows whose squares or differences are beyond all numbers add nothing", () => {
  const far = fc.constantFrom(1.7e308, -1.7e308, 1e300, 1e160, 0.5, 0);
  const pair = fc.tuple(fc.array(far, { minLength: 6, maxLength: 6 }), fc.nat(5), far);
  const scale = { row: 1, task: 2, features: 1.8, effects: Float64Array.of(0.5, -0.5, 0.1) };
  const x = Float64Array.from({ length: 18 }, (_, at) => (at % 3 === 2 ? 1 : 0.7 * (at % 5)));

  test.each([
    ["moments of rows", Math.SQRT2, (rows: Rows) => rowMoments(rows, 3, 2)],
    ["moments of pairs", Math.SQRT2, (rows: Rows) => pairMoments(rows, 3, 2)],
    ["how far tasks lie apart", 2, (rows: Rows) => betweenUploads(rows, scale)],
  ] as const)("%s", (_, bound, sums) => {
    fc.assert(
      fc.property(pair, ([targets, row, other]) => {
        const y = Float64Array.from(targets);
        const one = sums({ x, y, offsets: [0, 6] });
        const two = sums({ x, y: y.with(row, other), offsets: [0, 6] });
        expect(distance(one, two)).toBeLessThanOrEqual(bound * (1 + 1e-12));
      }),
      { seed: 3, numRuns: 400 },
    );
  });
});

const m = 40;
const n = 12;
const { rows, test: held, d } = mixedTasks(23, m, n, [0.8, -0.5, 0.2, 0.1]);
const setOf = (x: Float64Array, y: Float64Array) =>
  TaskSet.from(
    Array.from({ length: m }, (_, i) => ({
      name: `task ${i}`,
      x: Array.from({ length: n }, (_, r) =>
        Array.from(x.subarray((i * n + r) * d, (i * n + r) * d + d - 1)),
      ),
      y: Array.from(y.subarray(i * n, (i + 1) * n)),
    })),
  );
const train = setOf(rows.x, rows.y);
const heldOut = setOf(held.x, held.y);
const random = { mode: "seeded", seed: 5 } as const;
const options = { unit: "record", epsilon: 1, delta: 1e-4, scale: "unit", random } as const;

/** Phi by its series, which nothing in src computes. */
function normalCdf(z: number): number {
  let term = z;
  let sum = z;
  for (let k = 1; k < 300; k++) sum += term *= (z * z) / (2 * k + 1);
  return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

/** delta of mu-GDP at eps: Balle and Wang (2018), Theorem 8. */
const deltaOf = (mu: number, eps: number) =>
  normalCdf(-eps / mu + mu / 2) - Math.exp(eps) * normalCdf(-eps / mu - mu / 2);

/** sqrt(sum of (sensitivity / sigma)^2), for a sensitivity of each release. */
function muOf(events: readonly PrivacyEvent[], sensitivities: readonly number[]): number {
  const squares = events.map((event, k) =>
    "sigma" in event ? (sensitivities[k]! / event.sigma) ** 2 : NaN,
  );
  return Math.sqrt(squares.reduce((a, b) => a + b, 0));
}

const SENSITIVITIES = [Math.SQRT2, Math.SQRT2, 2];

describe("accounting", () => {
  test("the releases cost what the closed form says", async () => {
    const { guarantee, ledger } = await new MpMixed(options).fit(train);
    const mu = muOf(ledger!.plan!, SENSITIVITIES);
    expect(ledger!.entries).toHaveLength(3);
    expect(deltaOf(mu, 1) / 1e-4).toBeGreaterThan(0.98);
    expect(deltaOf(mu, 1) / 1e-4).toBeLessThan(1);
    expect(guarantee).toMatchObject({ unit: "record", epsilon: 1, delta: 1e-4, sound: true });
  });

  test("a default delta is of all records", async () => {
    const { guarantee } = await new MpMixed({ ...options, delta: "papers" }).fit(train);
    expect(guarantee.delta).toBeCloseTo(1 / (m * n * Math.log(m * n)), 12);
  });

  test("where tasks are hidden, a record's own epsilon is that of the same noise and its own sensitivity", async () => {
    const { guarantee, ledger } = await new MpMixed({ ...options, unit: "both" }).fit(train);
    expect(guarantee).toMatchObject({ unit: "task", epsilon: 1, delta: 1e-4 });
    const { epsilon } = guarantee.recordOf!;
    expect(epsilon).toBeLessThan(0.5);
    const mu = muOf(ledger!.plan!, SENSITIVITIES);
    expect(deltaOf(mu, epsilon) / 1e-4).toBeGreaterThan(0.98);
    expect(deltaOf(mu, epsilon) / 1e-4).toBeLessThan(1);
  });

  test("a task's own release is charged with the shared ones, and the others see less", async () => {
    const model = await new MpMixed({ ...options, ownModel: "noisy" }).fit(train);
    const { guarantee, recordGuarantee, recordLedger, ledger } = model;
    expect(recordGuarantee).toMatchObject({ against: "own model", epsilon: 1, delta: 1e-4 });
    const all = recordLedger!.plan!;
    expect(all).toHaveLength(4);
    expect(recordLedger!.entries).toHaveLength(4);
    expect(all.slice(0, 3)).toEqual(ledger!.plan);
    const whole = muOf(all, [...SENSITIVITIES, Math.SQRT2]);
    expect(deltaOf(whole, 1) / 1e-4).toBeGreaterThan(0.98);
    expect(deltaOf(whole, 1) / 1e-4).toBeLessThan(1);
    expect(deltaOf(muOf(ledger!.plan!, SENSITIVITIES), guarantee.epsilon) / 1e-4).toBeLessThan(1);
    expect(guarantee.epsilon).toBeLessThan(0.8);
  });
});

describe("accuracy", () => {
  const score = async (given: object) =>
    (await new MpMixed({ ...options, ...given }).fit(train)).score(heldOut).nmse!;

  test("at epsilon 1 a record's privacy costs little, a task's all", async () => {
    const alone = (await new SingleTask({ intercept: true, lambda: 0.03 }).fit(train)).score(
      heldOut,
    );
    const whole = await score({ unit: "task", epsilon: 1e5 });
    const records = await score({});
    expect(whole).toBeLessThan(alone.nmse!);
    expect((alone.nmse! - records) / (alone.nmse! - whole)).toBeGreaterThan(0.7);
  });

  test("without noise the two units end alike", async () => {
    const [whole, records] = [
      await score({ unit: "task", epsilon: 1e5 }),
      await score({ epsilon: 1e5 }),
    ];
    expect(Math.abs(records / whole - 1)).toBeLessThan(0.03);
    const own = await score({ epsilon: 1e5, ownModel: "noisy" });
    expect(Math.abs(own / whole - 1)).toBeLessThan(0.1);
  });
});

describe("what a model shows", () => {
  const changed = setOf(
    rows.x,
    rows.y.map((y, at) => (at === 0 ? y + 3 : y)),
  );

  test("a task's own model from its own rows is nothing to be given away, and says so", async () => {
    const model = await new MpMixed(options).fit(train);
    const secure = { ...model.guarantee, noiseSource: "secure" };
    expect(model.protection.every(({ epsilon }) => epsilon === null)).toBe(true);
    expect(secure).toMatchObject({ unit: "record" });
    const told = await new MpMixed({ ...options, random: { mode: "secure" } }).fit(train);
    const table = told.forTask("task 3").protection;
    expect(table).toHaveLength(8);
    const of = (unit: string, against: string) =>
      table.find((line) => line.of === unit && line.against === against)!.epsilon;
    expect(of("record", "other tasks")).toBe(1);
    expect(of("record", "own model")).toBeNull();
    expect(of("record", "curator")).toBeNull();
    expect(of("task", "other tasks")).toBeNull();
    const noisy = await new MpMixed({ ...options, ownModel: "noisy", random: { mode: "secure" } }).fit(train); // prettier-ignore
    const line = noisy.forTask("task 3").protection.find(({ of, against }) => of === "record" && against === "own model")!; // prettier-ignore
    expect(line).toMatchObject({ epsilon: 1, delta: 1e-4 });
    const others = noisy.protection.find(({ of, against }) => of === "record" && against === "other tasks")!; // prettier-ignore
    expect(others.epsilon).toBeLessThan(1);
  });

  test("where tasks are hidden, records are too, by no larger epsilon", async () => {
    const model = await new MpMixed({ ...options, unit: "both", random: { mode: "secure" } }).fit(train); // prettier-ignore
    const [record, task] = ["record", "task"].map((unit) =>
      model.protection.find(({ of, against }) => of === unit && against === "other tasks")!,
    );
    expect(task!.epsilon).toBe(1);
    expect(record!.epsilon).toBeLessThan(task!.epsilon!);
  });

  test("a record of one task moves other tasks' models through the noisy sums only", async () => {
    const shown: number[][][] = [[], []];
    for (const [world, data] of [train, changed].entries()) {
      const model = await new MpMixed({
        ...options,
        ownModel: "noisy",
      }).fit(data, {
        observe: ({ stage, values }) => {
          if (stage === "released") shown[world]!.push([...values]);
        },
      });
      expect(model.components["alone"]!.data.every((weight) => weight === 0)).toBe(true);
    }
    // The same seed: the sums differ by what the record changes, within its sensitivity.
    shown[0]!.slice(0, 2).forEach((values, k) => {
      const moved = distance(Float64Array.from(values), Float64Array.from(shown[1]![k]!));
      expect(moved).toBeGreaterThan(0);
      expect(moved).toBeLessThanOrEqual(SENSITIVITIES[k]! * (1 + 1e-3));
    });
  });
});

describe("a unit that cannot be kept is refused with the reason", () => {
  test("other losses, undeclared sizes, and private models without the unit", async () => {
    expect(() => new MpMixed({ unit: "record", loss: "logistic" })).toThrow(
      /^unit: .*squared loss/,
    );
    // What is recalled is not drawn again, but a task's own noise would be.
    const journal = { openLedger: () => expect.unreachable(), read: () => undefined, write: () => undefined }; // prettier-ignore
    await expect(
      new MpMixed({ ...options, ownModel: "noisy" }).fit(train, { journal }),
    ).rejects.toThrow(/^journal: .*ownModel/);
    expect(() => new MpMixed({ ownModel: "noisy" })).toThrow(/^ownModel: .*unit "record"/);
    await expect(new MpMixed({ unit: "record" }).fit(train)).rejects.toThrow("declared range");
    expect(() => new TraceNorm({ unit: "record" } as object)).toThrow("unit");
  });

  test("auto hands the unit on, and learns alone where no method keeps it", async () => {
    const record = new Auto({ unit: "record", scale: "unit" });
    expect(record.choose(train).method).toBe("mp-mixed");
    const model = await new Auto({ ...options, ownModel: "exact" }).fit(train);
    expect(model.guarantee).toMatchObject({ unit: "record" });
    const logistic = new Auto({ unit: "record", loss: "logistic", scale: "unit" }).choose(train);
    expect(logistic).toMatchObject({ method: "single-task" });
    expect(logistic.why).toMatch(/mp-mixed does with the squared loss/);
  });

  test("a plan is made from sizes alone", () => {
    const plan = releasesOf(new MpMixed({ ...options, ownModel: "noisy" }), train);
    expect(plan.stages.map(({ label }) => label)).toEqual(["rows", "pairs", undefined]);
    expect(plan.own!.stage.label).toBe("own");
  });
});
