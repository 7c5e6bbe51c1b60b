/** `clip: "auto"`: a charged vote of all tasks on the size of what they upload, then rounds in units of what it says. */
import fc from "fast-check";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { normalCdf } from "../../../src/privacy/accounting/special/erfc.js";
import { TaskSet } from "../../../src/data/index.js";
import { ALL_METHODS } from "../../../src/learning/estimators/all.js";
import { makeEstimator, MpFramework, type FittedModel } from "../../../src/learning/index.js";
import {
  releasesOf,
  type DividedEstimator,
} from "../../../src/learning/release/private-estimator.js";
import { LearnedClip } from "../../../src/learning/round/learned-clip/learned-clip.js";
import { inModelUnits } from "../../../src/learning/round/learned-clip/unit-rule.js";
import { UnitUploads } from "../../../src/learning/round/learned-clip/unit-uploads.js";
import { CLIP, CLIP_BINS, clipVote } from "../../../src/learning/votes/clip-plan.js";
import { ClipVotes, rowNorms } from "../../../src/learning/votes/clip-votes.js";
import { openJournal } from "../../../src/node/index.js";
import { sensitivity } from "../../../src/privacy/sensitivity.js";
import { temporaryFolder } from "../../temporary.js";
import { makeTasks } from "../tasks.js";
import { someOf } from "../../thorough.js";

const random = { mode: "seeded", seed: "clip" } as const;
const tasks = makeTasks({ m: 60, d: 4, rows: () => 8 });
const fit = (method: string, options: Record<string, unknown>, data = tasks, hooks = {}) =>
  makeEstimator(method, { random, clip: "auto", ...options }).fit(data, hooks);
const planOf = (method: string, options: Record<string, unknown>, data = tasks) =>
  releasesOf(makeEstimator(method, { random, clip: "auto", ...options }) as DividedEstimator, data);
const learned = (model: FittedModel) => model.history[0]!["clip"]!;

/** Every method whose bound may be learned, and can be had by name. */
const METHODS = ALL_METHODS.filter(
  ({ options, inCodeOnly }) =>
    !inCodeOnly &&
    (options as Record<string, { words?: readonly string[] }>)["clip"]?.words?.includes("auto"),
).map(({ name }) => name);

const core = openCore();
const votesOf = (sizes: readonly number[]) => {
  const votes = new ClipVotes(core, sizes.length, new LearnedClip(), () =>
    Float64Array.from(sizes),
  );
  const { bins } = CLIP_BINS;
  const all = core.arena.view(votes.upload(), sizes.length * bins).slice();
  return sizes.map((_, i) => all.subarray(i * bins, (i + 1) * bins));
};

describe("a vote", () => {
  const size = fc.oneof(
    fc.double({ min: 0, noNaN: true }),
    fc.double({ min: -20, max: 20, noNaN: true }).map((power) => 10 ** power),
    fc.constantFrom(0, NaN, Infinity, Number.MIN_VALUE, Number.MAX_VALUE),
  );

  test("moves the sum by no more than its sensitivity, whatever a task's vectors are", () => {
    const moves = (adjacency: "replace" | "zero-out") =>
      sensitivity({
        statistic: "moment",
        norm: "frobenius",
        adjacency,
        clip: 1,
        tasks: 2,
        dimension: CLIP_BINS.bins,
      });
    fc.assert(
      fc.property(size, size, (one, other) => {
        const [a, b] = votesOf([one, other]);
        expect(Math.hypot(...a!)).toBeLessThanOrEqual(moves("zero-out") * (1 + 2 ** -50));
        expect(Math.min(...a!)).toBeGreaterThanOrEqual(0);
        const change = Math.hypot(...a!.map((x, k) => x - b![k]!));
        expect(change).toBeLessThanOrEqual(moves("replace"));
      }),
    );
    // Opposite ends are that far apart.
    const [low, high] = votesOf([1e-9, 1e9]);
    expect(Math.hypot(...low!.map((x, k) => x - high![k]!))).toBeGreaterThan(1.41);
  });

  test("of nothing, and of what is no number, is none", () => {
    for (const vote of votesOf([0, NaN, Infinity])) expect(vote.every((x) => x === 0)).toBe(true);
    expect(votesOf([Number.MAX_VALUE])[0]!.some((x) => x > 0)).toBe(true);
  });

  test("is on l2 norms, also of numbers whose squares are none", () => {
    expect([...rowNorms(Float64Array.of(3, 4, 3e-200, 4e-200, 3e200, 4e200), 3)]).toEqual([
      ...[5, 5e-200, 5e200].map((x) => expect.closeTo(x, -Math.log10(x) + 10) as number),
    ]);
  });
});

test("uploads have norm at most 1, whatever K the tasks were told and whatever they hold", () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const row = fc.array(number, { minLength: 3, maxLength: 3 });
  const power = fc.double({ min: -30, max: 30, noNaN: true });
  fc.assert(
    fc.property(row, power, (values, exponent) => {
      const mark = core.arena.mark();
      const at = core.arena.copyOf(Float64Array.from(values));
      const asked: number[] = [];
      const inner = { m: 1, uploadLength: 3, upload: (round: number) => (asked.push(round), at), receive: () => undefined }; // prettier-ignore
      const clip = new LearnedClip();
      clip.settle(10 ** exponent);
      const upload = new UnitUploads(core, inner, clip, 1).upload(5);
      const sent = core.arena.view(upload, 3).slice();
      core.arena.release(mark);
      expect(asked).toEqual([4]);
      if (sent.every(Number.isFinite)) expect(Math.hypot(...sent)).toBeLessThanOrEqual(1 + 1e-15);
    }),
  );
});

test("a rule is given sums of vectors in their own units", () => {
  const clip = new LearnedClip();
  const seen: number[] = [];
  const rule = (statistic: "vector" | "diagonal") =>
    inModelUnits(
      {
        statistic,
        broadcastLength: () => 2,
        prepare: () => (at) => {
          seen.push(...core.arena.view(at, 2));
          return {};
        },
      },
      clip,
    ).prepare({ core, m: 5, d: 2 });
  const [vector, diagonal] = [rule("vector"), rule("diagonal")];
  clip.settle(3);
  vector(core.arena.copyOf(Float64Array.of(1, 2)), 0, 1);
  diagonal(core.arena.copyOf(Float64Array.of(1, 2)), 0, 1);
  expect(seen).toEqual([3, 6, 9, 18]);
});

test("a bound that is none is refused, and none is used before it is known", () => {
  for (const value of [0, -1, NaN, Infinity])
    expect(() => new LearnedClip().settle(value)).toThrow("clip: expected the bound on uploads");
  expect(() => new LearnedClip().value).toThrow("was not learned yet");
  expect(new LearnedClip().now()).toBe(Infinity);
});

describe("the plan", () => {
  test("has the vote first, a small part of the budget, and vectors of norm 1 after it", () => {
    for (const method of METHODS) {
      const plan = planOf(method, { epsilon: 2 });
      const [vote, rounds] = plan.stages;
      expect(vote, method).toMatchObject({
        label: CLIP,
        first: 1,
        rounds: 1,
        statistic: "moment",
        d: CLIP_BINS.bins,
        clip: 1,
      });
      expect(rounds, method).toMatchObject({ label: undefined, first: 2, clip: 1 });
      const fixed = planOf(method, { epsilon: 2, clip: 1 });
      // Of mu^2 what the vote takes is what the rounds lack.
      const square = ({ budgets }: { budgets: Float64Array }) =>
        budgets.reduce((sum, budget) => sum + budget ** 2, 0);
      const taken = square(vote!) / square(fixed.main);
      expect(taken, method).toBeGreaterThan(0.02);
      expect(taken, method).toBeLessThan(0.21);
      expect(square(plan.main) + square(vote!), method).toBeCloseTo(square(fixed.main), 3);
      expect(plan.ledger.plan).toHaveLength(fixed.ledger.plan.length + 1);
    }
  });

  test("asks for less of the budget, the more tasks there are, and for none where votes would be lost", () => {
    const options = { epsilon: 1, delta: 1e-5, adjacency: "replace", mechanism: "auto" } as const;
    const part = (m: number) => clipVote({ ...options, statistic: "vector" }, m)?.budgetShare;
    const parts = [20, 100, 150, 200, 10_000].map(part);
    expect(parts[0]).toBeUndefined();
    expect(parts.slice(1)).toEqual([...parts.slice(1)].sort((a, b) => b! - a!));
    expect(parts.at(-1)).toBe(0.03);
    const pure = { ...options, delta: 0, statistic: "covariance" } as const;
    expect(clipVote(pure, 1000)!.budgetShare).toBeGreaterThan(0.02);
    expect(clipVote(pure, 20)).toBeUndefined();
  });
});

/** Tasks whose own models, of one feature, have the norms given. */
const sized = (norms: readonly number[]) =>
  TaskSet.from(
    norms.map((norm, i) => ({
      name: `t${i}`,
      x: Array.from({ length: 12 }, (_, j) => [j % 2 ? 1 : -1]),
      y: Array.from({ length: 12 }, (_, j) => (j % 2 ? norm : -norm)),
    })),
  );

/** Sizes whose logarithms are normal: the middles of equally likely parts. */
function logNormal(m: number, median: number, spread: number): number[] {
  const quantile = (p: number) => {
    let [low, high] = [-8, 8];
    for (let k = 0; k < 60; k++) {
      const middle = (low + high) / 2;
      if (normalCdf(middle) < p) low = middle;
      else high = middle;
    }
    return low;
  };
  return Array.from({ length: m }, (_, i) => median * Math.exp(spread * quantile((i + 0.5) / m)));
}

test.each([0.003, 0.7, 40, 9000])("K follows the tasks' sizes, here about %d", async (median) => {
  const data = sized(logNormal(90, median, 0.5));
  // A third is beyond exp(.43 / 2) = 1.24 medians, and K is 1.5 times that.
  const low = await fit("mp-low-rank", { epsilon: 30, rounds: 1 }, data);
  expect(learned(low) / median).toBeGreaterThan(1.5 * 1.24 * 0.7);
  expect(learned(low) / median).toBeLessThan(1.5 * 1.24 * 1.4);
  const free = await fit("mp-low-rank", { epsilon: 30, rounds: 1, clipIterate: false }, data);
  expect(learned(free)).toBeCloseTo(learned(low) / 3, 8);
  const zeros = await fit("mp-low-rank", { epsilon: 30, rounds: 1, initial: "zeros" }, data);
  expect(learned(zeros)).toBe(learned(low));
});

test("with next to no noise a fit is that with K given", async () => {
  for (const [method, options] of [
    ["mp-low-rank", { rounds: 4 }],
    ["mp-group-sparse", { rounds: 4, clipIterate: false }],
    ["mp-low-rank-sparse", { rounds: 3, intercept: true, choice: "local" }],
    ["pmtl", { rounds: 3, choice: "local" }],
    ["private-fedavg", { rounds: 3, batchSize: 4, safeguard: false }],
    ["private-fedprox", { rounds: 2, localSteps: "solve" }],
    ["pmtl-projected", { rounds: 3 }],
    ["ppsgd", { rounds: 4 }],
    ["joint-dp-sgd", { rounds: 3 }],
  ] as const) {
    const given = { ...options, epsilon: 1e9, delta: 1e-3 };
    const auto = await fit(method, given);
    // Mini-batches of the vote are others than those of the rounds.
    if (method === "private-fedavg") continue;
    const known = await fit(method, { ...given, clip: learned(auto) });
    const apart = auto.weights.map((w, k) => w - known.weights[k]!);
    expect(Math.hypot(...apart), method).toBeLessThan(1e-3 * Math.hypot(...known.weights));
    expect(auto.history[0]!["noiseScale"]! / known.history[0]!["noiseScale"]!, method).toBeCloseTo(1, 1); // prettier-ignore
  }
});

describe("a fit", () => {
  test.each(METHODS)(
    "of %s charges the vote first, within the budget, the same twice",
    async (method) => {
      const options = { epsilon: 2, rounds: 2 };
      const model = await fit(method, options);
      expect(learned(model)).toBeGreaterThan(0);
      expect(model.options).toMatchObject({ clip: "auto" });
      const { guarantee, ledger } = model as FittedModel & {
        ledger: NonNullable<FittedModel["ledger"]>;
      };
      expect(ledger.entries.map(({ label }) => label)).toEqual([CLIP, undefined, undefined]);
      expect(guarantee).toMatchObject({ kind: "joint", sound: true, epsilon: 2 });
      if (guarantee.kind === "joint") expect(guarantee.spent.epsilon).toBeLessThanOrEqual(2);
      const again = await fit(method, options);
      expect(again.weights).toEqual(model.weights);
      expect(again.history).toEqual(model.history);
    },
  );

  test("of few tasks takes a guess, for which nothing is charged", async () => {
    const few = tasks.select(tasks.names.slice(0, 5));
    const model = await fit("pmtl", { epsilon: 0.5, rounds: 2 }, few);
    expect(model.ledger!.entries.map(({ label }) => label)).toEqual([undefined, undefined]);
    expect(learned(model)).toBe(4);
    // Other rows of the same sizes have the same bound.
    const others = makeTasks({ m: 5, d: 4, rows: () => 8, seed: "others" });
    expect(learned(await fit("pmtl", { epsilon: 0.5, rounds: 2 }, others))).toBe(4);
  });

  test("under zero-out, pure noise, samples and votes on what is kept", async () => {
    const all: [string, Record<string, unknown>][] = [
      ["mp-low-rank", { adjacency: "zero-out", choice: "pooled" }],
      ["mp-low-rank", { delta: 0, epsilon: 60 }],
      ["mp-low-rank", { mechanism: "two-sided-wishart", epsilon: 60 }],
      [
        "pmtl",
        { adjacency: "zero-out", sampling: { kind: "poisson", rate: 0.5 }, choice: "pooled" },
      ],
      ["pmtl", { sampling: { kind: "fixed-size", size: 30 }, batchSize: 3 }],
      ["pmtl", { aggregate: { kind: "trimmed-mean", share: 0.1 } }],
      ["private-fedavg", { model: "network", hiddenUnits: 3 }],
    ];
    for (const [method, options] of someOf(all, 2)) {
      const model = await fit(method, { epsilon: 3, rounds: 3, ...options });
      const { guarantee } = model;
      expect(model.weights.every(Number.isFinite)).toBe(true);
      expect(model.ledger!.entries[0]!.label).toBe(CLIP);
      if (guarantee.kind !== "joint") throw new Error("expected a guarantee");
      expect(guarantee.spent.epsilon).toBeLessThanOrEqual(guarantee.epsilon);
    }
  });

  test("goes on from its journal with the bound that was released", async () => {
    const folder = join(temporaryFolder(), "run");
    const whole = await fit("pmtl", { epsilon: 2, rounds: 4 });
    const stop = new AbortController();
    const onRound = ({ round }: { round: number }) => round === 3 && stop.abort(new Error("stop"));
    const first = { journal: openJournal(folder, "clip"), onRound, signal: stop.signal };
    await expect(fit("pmtl", { epsilon: 2, rounds: 4 }, tasks, first)).rejects.toThrow("stop");
    first.journal.close();
    const rest = { journal: openJournal(folder, "clip") };
    const model = await fit("pmtl", { epsilon: 2, rounds: 4 }, tasks, rest);
    expect(model.weights).toEqual(whole.weights);
    expect(learned(model)).toBe(learned(whole));
    expect(model.ledger!.entries).toHaveLength(5);
  });

  test("of a rule of one's own is given statistics in units of the models", async () => {
    const released: number[][] = [];
    const of = (clip: number | "auto") =>
      new MpFramework({
        statistic: "diagonal",
        epsilon: 1e9,
        random,
        clip,
        rule: ({ released: all }) => (released.push([...all.at(-1)!]), all.at(-1)!),
        step: ({ upload }) => upload,
      }).fit(tasks);
    const model = await of("auto");
    await of(learned(model));
    released[0]!.forEach((value, k) => expect(value / released[1]![k]!).toBeCloseTo(1, 2));
  });
});

describe("what does not go with it is refused, and says what to do", () => {
  test.each<[string, Record<string, unknown>, string]>([
    ["mp-low-rank", { curator: "untrusted" }, "which a curator that they do not trust would see; expected a number"],
    ["mp-group-sparse", { shift: 2 }, 'shift: with clip "auto" what is added would be in units that nobody knows beforehand; expected "auto" or 0'],
    ["mp-low-rank", { mechanism: "wishart-older" }, "expected another, or clip as a number"],
    ["pmtl", { unit: "both" }, "it bounds a task's mean gradient; expected a number"],
    ["mp-hierarchical", {}, "clip"],
  ])("%s %o", (method, options, why) => {
    expect(() => makeEstimator(method, { clip: "auto", ...options })).toThrow(why);
  }); // prettier-ignore

  test("with single records hidden, where it bounds nothing, it is not looked at", async () => {
    const options = { unit: "record", epsilon: 3, rounds: 2 };
    const model = await fit("pmtl", options);
    expect(model.weights).toEqual((await fit("pmtl", { ...options, clip: 1 })).weights);
    expect(model.history[0]).not.toHaveProperty("clip");
  });
});
