import { describe, expect, test } from "vitest";
import { initialize } from "../../../src/core/index.js";
import { DataError, OptionError } from "../../../src/core/errors.js";
import { TaskSet } from "../../../src/data/index.js";
import {
  makeEstimator,
  MpGroupSparse,
  MpLowRank,
  MpLowRankSparse,
  type GradientMethodOptions,
} from "../../../src/learning/index.js";
import { deltaOf } from "../../../src/privacy/index.js";
import type { Guarantee } from "../../../src/privacy/index.js";
import { makeLabelled, makeTasks } from "../tasks.js";

const tasks = makeTasks({ m: 12, d: 6, rows: (i) => 4 + (i % 5) });
const seeded = { mode: "seeded", seed: "fit" } as const;
const methods = [
  ["mp-low-rank", MpLowRank],
  ["mp-group-sparse", MpGroupSparse],
  ["mp-low-rank-sparse", MpLowRankSparse],
] as const;

describe.each(methods)("%s", (method, Method) => {
  const fit = (options: Partial<GradientMethodOptions> = {}, data = tasks) =>
    new Method({ rounds: 8, clip: 3, lambda: 0.05, random: seeded, ...options }).fit(data);

  test("states the guarantee it was asked for, and the ledger holds what was released", async () => {
    const model = await fit({ epsilon: 2, delta: 1e-5 });
    const guarantee = model.guarantee as Guarantee;
    expect(guarantee).toMatchObject({ kind: "joint", epsilon: 2, delta: 1e-5, sound: true });
    expect(guarantee).toMatchObject({
      adjacency: "replace",
      noiseSource: "seeded",
      private: false,
    });
    expect(guarantee.note).toContain("not private");
    expect(guarantee.notCharged).toContain("objective");
    const { entries } = model.ledger!;
    expect(entries.map(({ round }) => round)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const events = entries.map(({ event }) => event);
    expect(deltaOf(events, { epsilon: 2 })).toBeLessThanOrEqual(1e-5);
  });

  test("is private with the default noise source", async () => {
    const model = await fit({ random: { mode: "secure" } });
    expect(model.guarantee).toMatchObject({ private: true, noiseSource: "secure" });
  });

  test("says whom its owners trust: whoever runs the fit, which has all rows", async () => {
    const trust = async (options: Partial<GradientMethodOptions>) =>
      ((await fit(options)).guarantee as Guarantee).trust;
    expect(await trust({})).toMatch(
      /^the curator, here whoever runs the fit, is trusted: the rows of all tasks are in one place/,
    );
    expect(await trust({ curator: "trusted", recordEpsilon: 3 })).toBe(await trust({}));
    expect(await trust({ curator: "untrusted", recordEpsilon: 3 })).toMatch(
      /^the curator is not trusted with records: .* with epsilon 3 \(recordGuarantee\).*; this fit had the rows of all tasks in one place/,
    );
  });

  test("promises no record anything against a curator that ran the fit over the rows", async () => {
    const model = await fit({ random: { mode: "secure" }, curator: "untrusted" });
    for (const { protection } of [model, model.forTask(model.taskNames[0]!)]) {
      const held = protection.filter(({ epsilon }) => epsilon !== null);
      expect(held.map(({ against }) => against)).toEqual(["other tasks", "other tasks"]);
    }
    expect(model.recordGuarantee!.trust).toMatch(
      /; this fit had the rows of all tasks in one place/,
    );
  });

  test("with an untrusted curator takes no journal, which would share again what it saw", async () => {
    const journal = { openLedger: () => expect.unreachable(), read: () => undefined, write: () => undefined }; // prettier-ignore
    const estimator = new Method({ rounds: 2, clip: 3, random: seeded, curator: "untrusted" });
    await expect(estimator.fit(tasks, { journal })).rejects.toThrow("journal: a resumed fit would");
  });

  test("delta 0 takes a pure mechanism, and its rounds add up to epsilon", async () => {
    const model = await fit({ epsilon: 1, delta: 0 });
    const pure = method === "mp-group-sparse" ? "laplace-diagonal" : "two-sided-wishart";
    expect(model.guarantee).toMatchObject({ mechanism: pure, delta: 0, epsilon: 1, sound: true });
  });

  test("the same seed gives the same bits, another seed does not", async () => {
    const [a, b, c] = [await fit(), await fit(), await fit({ random: { ...seeded, seed: "x" } })];
    expect(a.weights).toEqual(b.weights);
    expect(a.weights).not.toEqual(c.weights);
  });

  test("two fits that interleave do not disturb each other", async () => {
    const alone = await fit();
    const [one, other] = await Promise.all([fit(), fit({ epsilon: 5 })]);
    expect(one.weights).toEqual(alone.weights);
    expect(other.weights).not.toEqual(alone.weights);
  });

  test("the scalar build agrees to 1e-9 of the largest weight", async () => {
    const simd = await fit();
    initialize({ build: "scalar" });
    try {
      const scalar = await fit();
      const largest = Math.max(...simd.weights.map(Math.abs));
      simd.weights.forEach((value, k) => {
        expect(Math.abs(value - scalar.weights[k]!)).toBeLessThan(1e-9 * largest);
      });
    } finally {
      initialize();
    }
  });

  test("reports public figures only, and stops when aborted", async () => {
    const reports: object[] = [];
    const controller = new AbortController();
    const running = new Method({ rounds: 8, clip: 3, random: seeded }).fit(tasks, {
      signal: controller.signal,
      onRound: (report) => {
        reports.push(report);
        if (report.round === 3) controller.abort(new Error("enough"));
      },
    });
    await expect(running).rejects.toThrow("enough");
    expect(reports.map((report) => Object.keys(report).sort())).toEqual(
      Array(3).fill(["aboveNoise", "rank", "round", "rounds"]),
    );
  });

  test("changes nothing the caller owns", async () => {
    const [x, y] = [tasks.x.slice(), tasks.y.slice()];
    const initial = new Float64Array(tasks.m * tasks.d).fill(0.5);
    await fit({ initial });
    expect(tasks.x).toEqual(x);
    expect(tasks.y).toEqual(y);
    expect(initial).toEqual(new Float64Array(tasks.m * tasks.d).fill(0.5));
  });

  test("works for one task, n = 1, more features than rows, fewer tasks than features", async () => {
    const one = makeTasks({ m: 1, d: 6, rows: () => 1 });
    const model = await fit({ delta: 1e-3 }, one);
    expect(model.weights).toHaveLength(6);
    expect(model.weights.every(Number.isFinite)).toBe(true);
    const byDefault = await fit({}, one);
    expect(byDefault.guarantee).toMatchObject({ delta: 1e-5 });
    expect(byDefault.guarantee).not.toMatchObject({ note: expect.stringContaining("shown whole") });
    await expect(fit({ delta: "papers" }, one)).rejects.toThrow(/delta.*at least 3 tasks, found 1/);
  });

  test("learns from labels, with an intercept per task", async () => {
    const labelled = makeLabelled({ m: 12, d: 6, rows: () => 20 });
    const model = await fit({ loss: "logistic", intercept: true, epsilon: 20 }, labelled);
    expect(model.intercepts).toHaveLength(12);
    expect(model.score(labelled).auc).toBeGreaterThan(0.7);
  });

  test("refuses rows beyond the declared bound, naming the place", async () => {
    const long = TaskSet.from([
      { name: "a", x: [[0.1, 0.2]], y: [1] },
      {
        name: "b",
        x: [
          [0.1, 0.2],
          [3, 4],
        ],
        y: [1, 2],
      },
    ]);
    const error = await fit({ delta: 0 }, long).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DataError);
    expect((error as Error).message).toMatch(/task "b", row 1: .*featureBound 1/);
    await expect(fit({ delta: 0, featureBound: 5 }, long)).resolves.toBeDefined();
  });

  test("names every bad option at once", () => {
    const bad = { epsilon: 0, delta: 1, clip: -1, rounds: 0, banana: 1 } as never;
    const make = () => new Method(bad);
    expect(make).toThrow(OptionError);
    expect(make).toThrow(/epsilon.*delta.*banana/s);
    expect(make).toThrow(/rounds.*got 0/s);
  });
});

test("the papers' Wishart noise is reported for what it is", async () => {
  const model = await new MpLowRank({
    mechanism: "wishart",
    epsilon: 0.1,
    delta: 0,
    rounds: 1,
    clip: 3,
    adjacency: "zero-out",
    random: seeded,
  }).fit(tasks);
  const guarantee = model.guarantee as Guarantee;
  expect(guarantee.sound).toBe(false);
  expect(guarantee.private).toBe(false);
  expect(guarantee.nominal).toEqual({ epsilon: 0.1, delta: 0 });
  // One round with all of eps: 1 - exp(-eps), docs/PRIVACY.md, "The mechanisms".
  expect(guarantee.trueDelta).toBeCloseTo(1 - Math.exp(-0.1), 9);
});

test("rounds are reported as the method counts them, also where others' releases stand between", async () => {
  for (const [method, more] of [
    ["mp-mixed", { scale: "unit" }],
    ["mp-subspace", {}],
    ["mp-feature-learning", {}],
  ] as const) {
    const reports: (readonly [number, number])[] = [];
    const estimator = makeEstimator(method, { epsilon: 3, random: seeded, ...more });
    const model = await estimator.fit(makeTasks({ m: 40, d: 3, rows: () => 8 }), {
      onRound: ({ round, rounds }) => reports.push([round, rounds]),
    });
    const { rounds } = model;
    expect(rounds).toBeGreaterThan(1);
    expect(reports).toEqual(Array.from({ length: rounds }, (_, k) => [k + 1, rounds]));
  }
});
