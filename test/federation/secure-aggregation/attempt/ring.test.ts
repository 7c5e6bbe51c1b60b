/** Neighbours in a ring: their number, their order, and that the proof's conclusion holds for whatever a curator asks. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describePlan, planHash } from "../../../../src/federation/index.js";
import { collusionTable } from "../../../../src/federation/secure-aggregation/plan/collusion.js";
import { parties } from "../../../../src/federation/secure-aggregation/plan/parties.js";
import {
  ring,
  neighbourhoodOf,
} from "../../../../src/federation/secure-aggregation/attempt/ring.js";
import { ringSize, mostOf } from "../../../../src/federation/secure-aggregation/plan/ring-size.js";
import { sessionId } from "../../../../src/federation/secure-aggregation/keys/session.js";
import { shareOptionsOf } from "../../../../src/federation/secure-aggregation/plan/planned.js";
import { localFit } from "../../runs.js";
import { plainSum, randomValues, run, settingOf, type Stays } from "../harness.js";
import * as secure from "../secure-run.js";
import { thorough, thoroughTest } from "../../../thorough.js";

const sessionOf = (attempt: number) => sessionId({ plan: "p", run: "r", round: 1, attempt });

/** Participants in their order around the ring: with two neighbours each, whoever walks on finds it. */
function orderOf(n: number, session: Uint8Array): number[] {
  const { of } = ring(n, { neighbours: 2, threshold: 3 }, session);
  const order = [0, of(0)[0]!];
  while (order.length < n) order.push(of(order.at(-1)!).find((next) => next !== order.at(-2)!)!);
  return order;
}

describe("how many neighbours", () => {
  /** log P[X > x] by logarithms of factorials. */
  function logTail(n: number, marked: number, sample: number, x: number): number {
    const logs = [0];
    for (let i = 1; i <= n; i++) logs.push(logs[i - 1]! + Math.log(i));
    const choose = (a: number, b: number) => logs[a]! - logs[b]! - logs[a - b]!;
    let sum = 0;
    for (let i = Math.max(x + 1, sample - (n - marked)); i <= Math.min(marked, sample); i++) {
      sum += Math.exp(choose(marked, i) + choose(n - marked, sample - i) - choose(n, sample));
    }
    return Math.log(sum);
  }

  test("the bound on a window is the least whose tail, n times, is small enough", () => {
    const sizes = fc
      .integer({ min: 5, max: 400 })
      .chain((n) => fc.tuple(fc.constant(n), fc.nat(n), fc.integer({ min: 1, max: n - 1 })));
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 120 }), ([n, marked, sample], bits) => {
        const x = mostOf(n, marked, sample, bits);
        const bound = -bits * Math.LN2 - Math.log(n);
        expect(logTail(n, marked, sample, x)).toBeLessThanOrEqual(bound + 1e-8);
        const least = Math.max(0, sample - (n - marked));
        expect(x).toBeGreaterThanOrEqual(least);
        if (x > least)
          expect(logTail(n, marked, sample, x - 1)).toBeGreaterThanOrEqual(bound - 1e-8);
      }),
      { numRuns: thorough ? 200 : 100, seed: 18 },
    );
  });

  // By SciPy's hypergeom.logsf, searched over even k in the same way.
  test.each([
    [100, 5, 5, 22, 18],
    [1000, 10, 50, 66, 45],
    [1000, 100, 50, 164, 133],
    [10_000, 500, 500, 162, 125],
    [100_000, 5000, 5000, 176, 135],
  ])("%i participants, %i colluding, %i missing: %i", (participants, colluding, dropOuts, k, t) => {
    const size = ringSize({ participants, colluding, dropOuts });
    expect(size).toEqual({ neighbours: k, threshold: t });
  });

  test("numbers that no ring bears are refused, saying so", () => {
    expect(ringSize({ participants: 20, colluding: 5, dropOuts: 5 })).toBeUndefined();
    expect(() => parties({ participants: 20, colluding: 5, dropOuts: 5 })).toThrow(
      "dropOuts: no ring of neighbours bears 5 colluding and 5 missing of 20 participants",
    );
    expect(() => parties({ participants: 20, colluding: 0, dropOuts: 7 })).toThrow("dropOuts");
    expect(() => ringSize({ participants: 20, colluding: 20, dropOuts: 1 })).toThrow("colluding");
    expect(parties({ participants: 20, colluding: 0 }).ring).toBeNull();
  });

  test("windows are as full as the tails say, over orders", () => {
    // The fullest of 60 windows of 12 holds more than x of 10 marked with a probability of 1/8 at most.
    const [n, marked, sample, bits] = [60, 10, 12, 3];
    const x = mostOf(n, marked, sample, bits);
    const countsOf = (attempt: number) => {
      const order = orderOf(n, sessionOf(attempt));
      return order.map(
        (_, at) =>
          order
            .slice(at)
            .concat(order)
            .slice(0, sample)
            .filter((p) => p < marked).length,
      );
    };
    const draws = thorough ? 3000 : 1500;
    const orders = Array.from({ length: draws }, (_, i) => countsOf(i + 1));
    const beyond = orders.filter((counts) => Math.max(...counts) > x).length / draws;
    // Five standard deviations: a false alarm has a probability below 1e-6.
    expect(beyond).toBeLessThan(1 / 8 + (5 * Math.sqrt(0.125 * 0.875)) / Math.sqrt(draws));
    // And x is the least: single windows pass x - 1 more often than 1 / (8 n), by the same margin.
    const single = orders.flat().filter((count) => count > x - 1).length / (draws * n);
    expect(single).toBeGreaterThan(1 / (8 * n));
  });
});

describe("a ring", () => {
  test("everyone has k others, increasing, and is theirs in turn; another session has another order", () => {
    for (const [n, k] of [
      [8, 6],
      [9, 2],
      [200, 60],
    ] as const) {
      const { of, threshold } = ring(n, { neighbours: k, threshold: 5 }, sessionOf(1));
      expect(threshold).toBe(5);
      const all = Array.from({ length: n }, (_, i) => of(i));
      for (const [i, mine] of all.entries()) {
        expect(new Set(mine).size).toBe(k);
        expect(mine).not.toContain(i);
        expect([...mine].sort((a, b) => a - b)).toEqual(mine);
        expect(mine.filter((other) => !all[other]!.includes(i))).toEqual([]);
      }
    }
    expect(orderOf(50, sessionOf(1))).toEqual(orderOf(50, sessionOf(1)));
    expect(orderOf(50, sessionOf(1))).not.toEqual(orderOf(50, sessionOf(2)));
  });

  test("every order is as likely as every other", () => {
    // Five participants: 12 rings. Chi-square with 11 degrees of freedom above 43.2 has a probability of 1e-5.
    const each = thorough ? 1000 : 250;
    const counts = new Map<string, number>();
    for (let attempt = 1; attempt <= 12 * each; attempt++) {
      const { of } = ring(5, { neighbours: 2, threshold: 3 }, sessionOf(attempt));
      const key = [0, 1, 2, 3, 4].map((i) => of(i).join("")).join(" ");
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect(counts.size).toBe(12);
    const statistic = [...counts.values()].reduce((sum, count) => sum + (count - each) ** 2, 0);
    expect(statistic / each).toBeLessThan(43.2);
  });
});

describe("what a curator that sees the order can ask for", () => {
  /** In words of the proof: places of the ring, by number. */
  interface Asked {
    n: number;
    k: number;
    /** Those in league. */
    colluders: Set<number>;
    /** Honest participants in the sum, and those of them that show shares. */
    included: Set<number>;
    showing: Set<number>;
  }

  const near = ({ n, k }: Asked, v: number) =>
    Array.from({ length: k / 2 }, (_, i) => [(v + i + 1) % n, (v + n - i - 1) % n]).flat();

  /** Whether the parts of the honest sum that come out are none, or all of it in one piece. */
  function isWhole(asked: Asked, threshold: number): boolean {
    const { included, showing, colluders } = asked;
    const hidden = (v: number) =>
      [v, ...near(asked, v)].filter((p) => showing.has(p) || colluders.has(p)).length < threshold;
    const left = new Set(included);
    const parts: number[][] = [];
    while (left.size > 0) {
      const part = [[...left][0]!];
      left.delete(part[0]!);
      for (const v of part) {
        for (const other of near(asked, v)) {
          // A mask between two that both show nothing may have been left out by both.
          if (!left.has(other) || !(showing.has(v) || showing.has(other))) continue;
          left.delete(other);
          part.push(other);
        }
      }
      parts.push(part);
    }
    const opened = parts.filter((part) => !part.some(hidden));
    return opened.length === 0 || parts.length === 1;
  }

  const fullest = ({ n, k, colluders }: Asked) =>
    Math.max(
      ...Array.from(
        { length: n },
        (_, at) =>
          Array.from({ length: k / 2 }, (_, i) => (at + i) % n).filter((p) => colluders.has(p))
            .length,
      ),
    );

  /** Gaps in a row are what cuts a ring: every place is what the one before was, more often than not. */
  const askedFor = fc
    .tuple(fc.integer({ min: 8, max: 40 }), fc.integer({ min: 1, max: 5 }))
    .filter(([n, half]) => 2 * half < n - 1)
    .chain(([n, half]) =>
      fc
        .array(fc.tuple(fc.nat(3), fc.nat(9)), { minLength: n, maxLength: n })
        .map((draws): Asked => {
          const asked = {
            n,
            k: 2 * half,
            colluders: new Set<number>(),
            included: new Set<number>(),
            showing: new Set<number>(),
          };
          let kind = 0;
          draws.forEach(([next, stay], place) => {
            if (stay < 4) kind = next;
            if (kind === 1) asked.colluders.add(place);
            if (kind >= 2) asked.included.add(place);
            if (kind === 3) asked.showing.add(place);
          });
          return asked;
        }),
    );

  test("one sum or none, with t' = k / 2 + x + 2", () => {
    fc.assert(
      fc.property(askedFor, (asked) => isWhole(asked, asked.k / 2 + fullest(asked) + 2)),
      { numRuns: thorough ? 20_000 : 5_000, seed: 18 },
    );
  });

  test("parts of it, with one share less", () => {
    const between = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => from + i);
    const both = new Set([...between(0, 4), ...between(6, 10)]);
    const asked = { n: 12, k: 4, colluders: new Set<number>(), included: both, showing: both };
    expect(isWhole(asked, 4)).toBe(true);
    expect(isWhole(asked, 3)).toBe(false);
    const found = fc.check(
      fc.property(askedFor, (any) => isWhole(any, any.k / 2 + fullest(any) + 1)),
      { numRuns: thorough ? 20_000 : 5_000, seed: 18 },
    );
    expect(found.failed).toBe(true);
  });
});

describe("secure sums in a ring", () => {
  const n = 14;
  const numbers = { participants: n, colluding: 1, dropOuts: 2, threshold: 12 };
  const { neighbours, threshold } = parties(numbers).ring!;
  const values = randomValues(n, 7, 5);
  const session = settingOf({ n, values }).session;
  const options = {
    n,
    values,
    threshold: 12,
    colluding: 1,
    neighbourhood: () => neighbourhoodOf(parties(numbers), session),
  };

  thoroughTest("are the plain sums, whoever is missing from whatever step on", () => {
    expect(neighbours).toBeLessThan(n - 1);
    for (const step of [0, 2, 4] as const) {
      const stays = new Array<Stays>(n).fill(5);
      stays[3] = step;
      stays[11] = step;
      const { sum, included } = run({ ...options, stays });
      expect(included).toHaveLength(step < 3 ? n - 2 : n);
      expect(sum).toEqual(plainSum(values, included));
    }
  });

  test("a participant deals to its neighbours and shows a share of each", () => {
    const { seen } = run(options);
    const kind = (of: number) => seen.filter(({ message }) => message[1] === of);
    expect(kind(3).map(({ message }) => message.length)).toEqual(
      new Array(n).fill(34 + 32 + 84 * neighbours),
    );
    for (const { message } of kind(9)) expect(message.length).toBe(34 + 36 * (neighbours + 1));
  });

  test("nothing is opened where a secret has fewer shares than t'", () => {
    const around = orderOf(n, session);
    const stays = new Array<Stays>(n).fill(5);
    // One after another, all in the neighbourhood of the one before them: one more than it can spare.
    for (const gone of around.slice(1, neighbours + 2 - threshold + 1)) stays[gone] = 4;
    const { sum, effects } = run({ ...options, stays });
    expect(sum).toBeUndefined();
    expect(effects.at(-1)!.kind).toBe("waiting");
  });

  test("a curator that hides neighbours from a participant gets no shares of it", () => {
    const { participantEffects } = run({
      ...options,
      relay: (to, message) => (to === 0 && message[1] === 4 ? message.slice(0, -84) : message),
    });
    expect(JSON.stringify(participantEffects)).toContain(
      "the dealers are not those whose shares arrived",
    );
  });
});

describe("plans", () => {
  test("without dropOuts keep their hash and have everyone as neighbours", () => {
    const plan = secure.planOf("mp-low-rank", { rounds: 1, epsilon: 1 });
    expect("dropOuts" in plan.aggregation).toBe(false);
    const other = secure.planOf("mp-low-rank", { rounds: 1, epsilon: 1 }, { dropOuts: 0, colluding: 0 }); // prettier-ignore
    expect(other.aggregation.dropOuts).toBe(0);
    expect(planHash(other)).not.toBe(planHash(plan));
    expect(describePlan(plan).join("\n")).not.toContain("Each has masks with");
    expect(describePlan(other).join("\n")).toContain(
      "Each has masks with 2 others, in an order that follows from the sum: who colludes must not depend on it, and up to 0 may be " +
        "missing at any step.",
    );
    expect(() => secure.planOf("mp-low-rank", { rounds: 1, epsilon: 1 }, { dropOuts: 0.5 })).toThrow("plan: aggregation.dropOuts"); // prettier-ignore
  });

  test("with it give the models that everyone as neighbours gives", async () => {
    const options = { rounds: 2, epsilon: 1e6 };
    const plan = secure.planOf("mp-low-rank", options, { dropOuts: 0, colluding: 0 });
    expect(shareOptionsOf(plan.aggregation).parties.ring).toEqual({ neighbours: 2, threshold: 3 });
    const inRing = secure.weightsOf((await secure.run(plan)).models);
    const all = secure.planOf("mp-low-rank", options, { colluding: 0 });
    // Noise and sums are those of the integers: the order of the ring changes no bit.
    expect(inRing).toEqual(secure.weightsOf((await secure.run(all)).models));
    const local = await localFit(plan, secure.tasks);
    expect(inRing.size).toBe(local.m);
  });

  test("promise against more colluders than the plan's what one noise share gives", () => {
    const events: Parameters<typeof collusionTable>[0] = [
      {
        kind: "discrete-gaussian",
        adjacency: "replace",
        shares: 20,
        sigma: 4,
        grid: 2 ** -20,
        entries: 1,
        sensitivity: 1,
      },
    ];
    const rows = (dropOuts?: number) =>
      collusionTable(events, parties({ participants: 24, threshold: 20, colluding: 1, dropOuts }), 1e-5).map(({ colluding, honest }) => [colluding, honest]); // prettier-ignore
    expect(rows()).toEqual([[0, 20], [1, 19], [15, 5], [23, 1]]); // prettier-ignore
    expect(rows(2)).toEqual([[0, 20], [1, 19], [23, 1]]); // prettier-ignore
  });
});
