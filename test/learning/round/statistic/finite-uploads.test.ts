/** An upload that is not finite counts as 0 where noise is added, on one thread and on several: it erases nobody else's. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore, type Core } from "../../../../src/core/index.js";
import { HalfServer } from "../../../../src/learning/parallel/half-server.js";
import type { TaskRequest } from "../../../../src/learning/parallel/messages.js";
import { packArrays } from "../../../../src/learning/parallel/crossing-arrays.js";
import { spreadHalf } from "../../../../src/learning/parallel/spread-half.js";
import { arraysOf } from "../../../../src/learning/parallel/task-ranges.js";
import { TaskWorker } from "../../../../src/learning/workers/task-worker.js";
import { Curator } from "../../../../src/learning/round/curator.js";
import type { ParticipantHalf } from "../../../../src/learning/round/halves.js";
import { robustShape, robustSum } from "../../../../src/learning/round/statistic/robust-sum.js";
import type { SharingRule } from "../../../../src/learning/round/sharing-rule.js";
import { partsOf } from "../../../../src/learning/round/statistic/task-tree.js";
import { makeTasks } from "../../tasks.js";

const asSummed: SharingRule = {
  statistic: "covariance",
  broadcastLength: () => 0,
  prepare: () => () => ({}),
};

/** What noise would be added to: the statistic of uploads V[m,d]. */
function exactOf(
  values: Float64Array,
  [m, d]: readonly [number, number],
  rule: Partial<SharingRule>,
) {
  const core = openCore();
  let exact: number[] = [];
  const curator: Curator = new Curator({
    core,
    m,
    d,
    rule: { ...asSummed, ...rule },
    privacy: {
      perturb: (at) => (exact = [...core.arena.view(at, curator.statisticLength)]),
      shift: () => 0,
    },
  });
  curator.round(core.arena.copyOf(values), 1);
  return exact;
}

const number = fc.double({ min: -10, max: 10, noNaN: true });
const uploads = fc
  .record({ m: fc.integer({ min: 1, max: 7 }), d: fc.integer({ min: 1, max: 6 }) })
  .chain(({ m, d }) =>
    fc.record({
      m: fc.constant(m),
      d: fc.constant(d),
      values: fc.array(number, { minLength: m * d, maxLength: m * d }),
      bad: fc.array(
        fc.record({
          task: fc.nat(m - 1),
          entry: fc.nat(d - 1),
          value: fc.constantFrom(NaN, Infinity, -Infinity),
        }),
        { maxLength: 4 },
      ),
    }),
  );

describe("a sum with uploads that are not finite is the sum with zeros in their places", () => {
  test.each<[string, Partial<SharingRule>]>([
    ["covariance", { statistic: "covariance" }],
    ["diagonal", { statistic: "diagonal" }],
    ["task-covariance", { statistic: "task-covariance" }],
    ["augmented-covariance", { statistic: "augmented-covariance" }],
    ["vector", { statistic: "vector" }],
    ["moment", { statistic: "moment" }],
    ["own blocks", { statistic: "vector", ownBlocks: true }],
  ])("%s", (_, rule) => {
    fc.assert(
      fc.property(uploads, ({ m, d, values, bad }) => {
        const [given, zeroed] = [Float64Array.from(values), Float64Array.from(values)];
        for (const { task, entry, value } of bad) {
          given[task * d + entry] = value;
          zeroed.fill(0, task * d, (task + 1) * d);
        }
        const sizes = [m, rule.ownBlocks ? m * d : d] as const;
        expect(exactOf(given, sizes, rule)).toEqual(exactOf(zeroed, sizes, rule));
      }),
      { numRuns: 60 },
    );
  });

  test("a trimmed mean", () => {
    const combine = robustSum(robustShape({ kind: "trimmed-mean", share: 0.25 }, 5)!, () => []);
    const given = Float64Array.of(NaN, 1, 2, 3, 4);
    expect(exactOf(given, [5, 1], { statistic: "vector", combine })).toEqual([6]);
  });
});

test("without noise they are seen: a fit that is none does not look like one", () => {
  const core = openCore();
  const rule: SharingRule = {
    statistic: "vector",
    broadcastLength: () => 1,
    prepare: () => (at, out) => (core.arena.view(out, 1).set(core.arena.view(at, 1)), {}),
  };
  const curator = new Curator({ core, m: 2, d: 1, rule });
  curator.round(core.arena.copyOf(Float64Array.of(NaN, 1)), 1);
  expect(core.arena.view(curator.broadcast, 1)[0]).toBeNaN();
});

describe("where tasks on several threads sum their outer products", () => {
  const sizes = { m: 512, d: 64 };
  const { m, d } = sizes;
  const tasks = makeTasks({ ...sizes, rows: () => 1 });
  const values = Float64Array.from({ length: m * d }, (_, k) => Math.sin(k));
  // On this thread, on another in a node that it sums, and in a part that a cut divides.
  const bad = [3, 180, 300, 511];
  const cut = 200;
  const [given, zeroed] = [values.slice(), values.slice()];
  bad.forEach((task, k) => {
    given[task * d + k] = k % 2 ? NaN : Infinity;
    zeroed.fill(0, task * d, (task + 1) * d);
  });

  function half(core: Core, positions: readonly number[]): ParticipantHalf {
    const [from, count] = [positions[0]!, positions.length];
    const at = core.arena.copyOf(given.slice(from * d, (from + count) * d));
    const stage = { m: count, uploadLength: d, upload: () => at, receive: () => undefined };
    const none = () => new Float64Array(0);
    return {
      stages: [stage],
      broadcastLengths: [d * d],
      rounds: [1],
      models: () => ({}) as never,
      losses: none,
      close: () => undefined,
    };
  }

  async function sumOf(releases: boolean) {
    expect(partsOf({ ...sizes, of: "covariance" })).toBe(16);
    let answer: (message: unknown) => void;
    const batches = {
      place: ({ core: there, positions }: { core: Core; positions: readonly number[] }) =>
        half(there, positions),
    };
    const server = new HalfServer(
      () => batches as never,
      (message) => answer(message),
    );
    const worker = new TaskWorker({
      post: (message) => server.handle(message as TaskRequest),
      listen: (message) => (answer = message),
      terminate: () => undefined,
      hold: () => undefined,
    });
    const range = { first: cut, end: m };
    await worker.ask({
      kind: "place",
      method: "",
      options: {},
      outputs: 1,
      classes: null,
      start: null,
      data: packArrays(arraysOf(tasks, range)).arrays,
      first: cut,
      sizes: { m, d, rows: m },
      kernels: undefined,
    });
    const core = openCore();
    const spread = spreadHalf({
      core,
      own: half(
        core,
        Array.from({ length: cut }, (_, i) => i),
      ),
      releases,
      others: [{ worker, range }],
      summedOf: () => "covariance" as const,
      isSampled: () => true,
      release: () => undefined,
    });
    const stage = spread.stages[0]!;
    await stage.prepare!(1);
    const sum = [...core.arena.view(stage.sum!(1), d * d)];
    spread.close();
    return sum;
  }

  test("they count as 0 before that", async () => {
    expect(await sumOf(true)).toEqual(exactOf(zeroed, [m, d], {}));
  });

  test("without noise they are seen", async () => {
    expect((await sumOf(false)).some(Number.isNaN)).toBe(true);
  });
});
