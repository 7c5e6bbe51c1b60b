/** Sums of outer products and of squares over a fixed tree: the plain sum, with the same bits whoever forms which of its nodes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import { makeEstimator } from "../../../../src/learning/index.js";
import { BatchSums } from "../../../../src/learning/parallel/batch-sums.js";
import { SpreadSums } from "../../../../src/learning/parallel/spread-sums.js";
import { Curator } from "../../../../src/learning/round/curator.js";
import { statistic } from "../../../../src/learning/round/statistic/statistic.js";
import {
  firstOf,
  nodesWithin,
  partsOf,
  sumTree,
  treeWorkspace,
} from "../../../../src/learning/round/statistic/task-tree.js";
import { lowRankRule } from "../../../../src/learning/sharing/low-rank.js";
import { makeLabelled, makeTasks } from "../../tasks.js";
import { channelWorkers } from "../../parallel/channel-workers.js";
import { someOf, thorough } from "../../../thorough.js";

/** Sizes that are divided, as far as there are enough tasks. */
const sizesOf = fc.integer({ min: 60, max: 90 }).chain((d) =>
  fc.record({
    d: fc.constant(d),
    m: fc.integer({ min: Math.ceil(2 ** 21 / d ** 2), max: 12 * d }),
    of: fc.constantFrom("covariance", "diagonal"),
  }),
);

function vectors({ m, d }: { m: number; d: number }) {
  const core = openCore();
  const at = core.arena.f64(m * d);
  const values = core.arena.view(at, m * d);
  for (let k = 0; k < m * d; k++) values[k] = Math.sin(k * 1.7) * 2 ** ((k * 5) % 7);
  return { core, at };
}

describe("a tree of sums", () => {
  test("is the plain sum", () => {
    const sizes = { m: 600, d: 61, of: "covariance" } as const;
    const { m, d } = sizes;
    expect(partsOf(sizes)).toBe(16);
    const { core, at } = vectors(sizes);
    const out = core.arena.f64(d * d);
    const work = core.arena.bytes(treeWorkspace(core, sizes));
    sumTree(core, sizes, out, { rows: (task) => at + 8 * task * d, work });
    const rows = core.arena.view(at, m * d);
    const sum = core.arena.view(out, d * d);
    for (const [i, j] of [
      [0, 0],
      [3, 60],
      [60, 3],
      [60, 60],
      [17, 18],
    ] as const) {
      let [plain, size] = [0, 0];
      for (let k = 0; k < m; k++) {
        const product = rows[k * d + i]! * rows[k * d + j]!;
        plain += product;
        size += Math.abs(product);
      }
      expect(Math.abs(sum[i * d + j]! - plain)).toBeLessThan(1e-13 * size);
    }
    const diagonal = core.arena.f64(d);
    const squares = { ...sizes, of: "diagonal" } as const;
    expect(partsOf(squares)).toBe(16);
    sumTree(core, squares, diagonal, { rows: (task) => at + 8 * task * d, work });
    core.arena.view(diagonal, d).forEach((square, j) => {
      expect(square).toBeCloseTo(sum[j * (d + 1)]!, 13 - Math.ceil(Math.log10(square)));
    });
  });

  test("parts cover the tasks, and the nodes within a range are its own tasks, each once", () => {
    const ranges = sizesOf.chain((sizes) =>
      fc.record({
        sizes: fc.constant(sizes),
        first: fc.integer({ min: 0, max: sizes.m }),
        count: fc.integer({ min: 0, max: sizes.m }),
      }),
    );
    fc.assert(
      fc.property(ranges, ({ sizes, first, count }) => {
        const end = Math.min(first + count, sizes.m);
        const parts = partsOf(sizes);
        expect([firstOf(0, parts, sizes.m), firstOf(parts, parts, sizes.m)]).toEqual([0, sizes.m]);
        let at: number | undefined;
        for (const { lo, hi } of nodesWithin(sizes, first, end)) {
          expect(firstOf(lo, parts, sizes.m)).toBeGreaterThanOrEqual(first);
          expect(firstOf(hi, parts, sizes.m)).toBeLessThanOrEqual(end);
          if (at !== undefined) expect(lo).toBe(at);
          at = hi;
        }
        expect(nodesWithin(sizes, 0, sizes.m)).toEqual([{ lo: 0, hi: parts }]);
      }),
    );
    // Small sums stay whole, and so do those of few tasks with many numbers.
    const of = "covariance";
    expect([partsOf({ m: 320, d: 30, of }), partsOf({ m: 943, d: 1682, of })]).toEqual([1, 1]);
    expect([partsOf({ m: 320, d: 30, of: "diagonal" }), partsOf({ m: 943, d: 1682, of: "diagonal" })]).toEqual([1, 16]); // prettier-ignore
  });

  test("several threads' nodes and cut parts give the bits of one", () => {
    const cuts = sizesOf.chain((sizes) =>
      fc.record({
        sizes: fc.constant(sizes),
        at: fc.uniqueArray(fc.integer({ min: 1, max: sizes.m - 1 }), {
          minLength: 1,
          maxLength: 6,
        }),
      }),
    );
    let whole = 0;
    fc.assert(
      fc.property(cuts, ({ sizes, at }) => {
        const { m, d } = sizes;
        const { core, at: all } = vectors(sizes);
        const { length, workspace, compute } = statistic(sizes.of);
        const alone = core.arena.f64(length(m, d));
        compute(core, all, alone, m, d, core.arena.bytes(workspace(core, m, d)));
        const bounds = [...at.toSorted((a, b) => a - b), m];
        const ranges = bounds.slice(1).map((end, k) => ({ first: bounds[k]!, end }));
        const main = openCore();
        const own = main.arena.f64(m * d);
        const mine = bounds[0]! * d;
        main.arena.view(own, mine).set(core.arena.view(all, mine));
        const sums = new SpreadSums(main, sizes, main.arena.f64(m * d), ranges);
        sums.takeOwn(own);
        ranges.forEach((range, k) => {
          const batch = new BatchSums(sizes, range);
          whole += batch.nodes.length;
          const sent = new Float64Array(batch.length);
          batch.writer(core)(all + 8 * range.first * d, sent);
          expect(sums.lengthOf(k)).toBe(batch.length);
          sums.take(k, sent);
        });
        const numbers = length(m, d);
        const formed = main.arena.view(sums.form(), numbers);
        expect(Buffer.from(formed.slice().buffer).equals(Buffer.from(core.arena.view(alone, numbers).slice().buffer))).toBe(true); // prettier-ignore
      }),
      { numRuns: thorough ? 30 : 15, seed: 5 },
    );
    expect(whole).toBeGreaterThan(30);
  });
});

test("a fit whose products are divided has the bits of one thread, and an observer sees all uploads", async () => {
  const sizes = { m: 512, d: 64 };
  expect(partsOf({ ...sizes, of: "covariance" })).toBe(16);
  const tasks = makeTasks({ ...sizes, rows: (i) => 2 + (i % 2) });
  const fit = (hooks: object) =>
    makeEstimator("mp-low-rank", {
      random: { mode: "seeded", seed: 4 },
      rounds: 3,
      clip: 5,
      epsilon: 5,
      safeguard: false,
    }).fit(tasks, hooks);
  const { weights, ledger } = await fit({});
  for (const threads of someOf([3, 2, 5], 3)) {
    const { workers } = channelWorkers(threads);
    const shown: number[] = [];
    const observe = ({ stage, values }: { stage: string; values: Float64Array }) => {
      if (stage === "uploads") shown.push(values.filter((value) => value !== 0).length);
    };
    for (const hooks of [{}, { observe }]) {
      const spread = await fit({ workers, threads, ...hooks });
      expect(spread.threads!.used).toBe(threads);
      expect([...spread.weights]).toEqual([...weights]);
      expect(spread.ledger!.toJSON()).toEqual(ledger!.toJSON());
    }
    expect(shown).toEqual(new Array(3).fill(sizes.m * sizes.d));
    workers.close();
  }
});

test.each([
  [
    "mp-group-sparse",
    { rounds: 3, clip: 5, epsilon: 5, safeguard: false, random: { mode: "seeded", seed: 4 } },
  ],
  ["group-sparse", { lambda: 0.05, tolerance: 1e-3 }],
  ["trace-norm", { lambda: 0.05, loss: "logistic", tolerance: 1e-2 }],
  ["task-relationship", { tolerance: 1e-3 }],
])(
  "%s: squares and gradients that are summed in parts have the bits of one thread",
  async (method, options) => {
    const sizes = { m: 530, d: 63 };
    expect(partsOf({ ...sizes, of: "covariance" })).toBe(16);
    expect(partsOf({ ...sizes, of: "diagonal" })).toBe(16);
    const make = "loss" in options ? makeLabelled : makeTasks;
    const tasks = make({ ...sizes, rows: (i) => 2 + (i % 2) });
    const estimator = makeEstimator(method, options);
    const alone = await estimator.fit(tasks);
    for (const threads of someOf([3, 2], 2)) {
      const { workers } = channelWorkers(threads);
      const spread = await estimator.fit(tasks, { workers, threads });
      workers.close();
      expect(spread.threads!.used).toBe(threads);
      expect([...spread.weights]).toEqual([...alone.weights]);
      expect(spread.history).toEqual(alone.history);
    }
  },
);

test("a curator is not handed a sum where uploads are shown or combined in another way", () => {
  const core = openCore();
  const sum = core.arena.zeros(4);
  const options = { core, m: 3, d: 2, rule: lowRankRule(0.1) };
  expect(new Curator(options).roundOfSum(sum, 1)).toEqual({ rank: 0 });
  const observed = new Curator({ ...options, observe: () => undefined });
  expect(() => observed.roundOfSum(sum, 1)).toThrow("expected uploads");
});
