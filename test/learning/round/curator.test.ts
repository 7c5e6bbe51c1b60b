import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { Curator, type RoundPrivacy } from "../../../src/learning/round/curator.js";
import type { SharingRule } from "../../../src/learning/round/sharing-rule.js";
import type { StatisticName } from "../../../src/learning/round/statistic/statistic.js";

const [m, d] = [3, 2];
const V = Float64Array.of(1, 2, 3, 4, 5, 6);

/** A curator that writes down what happens; its message is the statistic as the rule finds it. */
function watched(statistic: StatisticName, privacy?: Partial<RoundPrivacy>, first?: number) {
  const core = openCore();
  const seen: string[] = [];
  const rule: SharingRule = {
    statistic,
    broadcastLength: (tasks, numbers) => (statistic === "task-covariance" ? tasks ** 2 : statistic === "covariance" ? numbers ** 2 : numbers), // prettier-ignore
    prepare: () => (at, message, round) => {
      const length = curator.broadcastLength;
      core.arena.view(message, length).set(core.arena.view(at, length));
      seen.push(`rule ${round}`);
      return { rank: round };
    },
  };
  const curator: Curator = new Curator({
    core,
    m,
    d,
    rule,
    first,
    privacy: privacy && { perturb: () => seen.push("noise"), shift: () => 0, ...privacy },
    observe: ({ stage, round, statistic: name, values, ...sizes }) => {
      expect([name, sizes.m, sizes.d]).toEqual([statistic, m, d]);
      seen.push(`${stage} ${round}: ${values.join(" ")}`);
    },
  });
  const shared = core.arena.copyOf(V);
  return { core, curator, seen, shared };
}

describe("a round", () => {
  test("with noise shows what is uploaded, exact, released and sent, in this order", () => {
    const made = watched("diagonal", {
      perturb: (at, round) => {
        made.seen.push(`noise ${round}`);
        made.core.arena.view(at, 2)[0]! += 0.5;
      },
    });
    expect(made.curator.round(made.shared, 4)).toEqual({ rank: 4 });
    expect(made.seen).toEqual([
      "uploads 4: 1 2 3 4 5 6",
      "exact 4: 35 56",
      "noise 4",
      "released 4: 35.5 56",
      "rule 4",
      "broadcast 4: 35.5 56",
    ]);
  });

  test("without noise shows what is uploaded and sent", () => {
    const { curator, seen, shared } = watched("vector");
    curator.round(shared, 1);
    expect(seen).toEqual(["uploads 1: 1 2 3 4 5 6", "rule 1", "broadcast 1: 9 12"]);
  });

  test("of a later stage is counted from its first by the rule", () => {
    const { curator, seen, shared } = watched("vector", {}, 6);
    curator.round(shared, 7);
    expect(seen).toContain("rule 2");
    expect(seen).toContain("broadcast 7: 9 12");
  });

  test.each([
    ["covariance", [35 + 9, 44, 44, 56 + 9]],
    ["diagonal", [35 + 9, 56 + 9]],
    ["vector", [9 + 9, 12 + 9]],
    ["task-covariance", [5 + 9, 11, 17, 11, 25 + 9, 39, 17, 39, 61 + 9]],
  ] as const)("shifts the diagonal of %s after the release", (name, expected) => {
    const shifted: number[] = [];
    const { core, curator, seen, shared } = watched(name, {
      shift: (round) => (shifted.push(round), 9),
    });
    curator.round(shared, 3);
    expect(shifted).toEqual([3]);
    const message = core.arena.view(curator.broadcast, curator.broadcastLength);
    expect([...message]).toEqual([...expected]);
    const exact = seen.find((line) => line.startsWith("exact"))!.slice("exact".length);
    expect(seen).toContain(`released${exact}`);
  });
});

describe("vectors that are 0 but in a task's own block", () => {
  const rule = (changes: Partial<SharingRule>): SharingRule => ({
    statistic: "vector",
    ownBlocks: true,
    broadcastLength: (_m, length) => length,
    prepare: () => () => ({}),
    ...changes,
  });

  test("come as their blocks, and are shown and summed as the whole vectors are", () => {
    const core = openCore();
    const views: string[] = [];
    const blocks = core.arena.copyOf(V);
    const round = (ownBlocks: boolean) => {
      const whole = new Float64Array(m * V.length);
      for (let i = 0; i < m; i++) whole.set(V.subarray(i * d, (i + 1) * d), i * V.length + i * d);
      const curator = new Curator({
        core,
        m,
        d: V.length,
        rule: rule({ ownBlocks }),
        privacy: { perturb: () => undefined, shift: () => 0 },
        observe: ({ stage, values, ...sizes }) =>
          views.push(`${stage} ${sizes.m} ${sizes.d} ${values.join(" ")}`),
      });
      curator.round(ownBlocks ? blocks : core.arena.copyOf(whole), 1);
      return views.splice(0);
    };
    expect(round(true)).toEqual(round(false));
    expect(round(true)[1]).toBe("exact 3 6 1 2 3 4 5 6");
  });

  test.each([
    [{ statistic: "diagonal" }, 6],
    [{ combine: () => undefined }, 6],
    [{}, 7],
  ] as const)("are sums of m blocks: %j", (changes, numbers) => {
    const made = () => new Curator({ core: openCore(), m, d: numbers, rule: rule(changes) });
    expect(made).toThrow("only plain sums of vectors of m equal blocks");
  });
});

describe("noise in shares", () => {
  test("comes with the sum: it is charged, and becomes the broadcast", () => {
    const { curator, seen } = watched("vector", { inNoiseShares: true });
    expect(curator.statisticLength).toBe(2);
    expect(curator.release(Float64Array.of(10, 20), 2)).toEqual({ rank: 2 });
    expect(seen).toEqual(["noise", "released 2: 10 20", "rule 2", "broadcast 2: 10 20"]);
  });

  test("and noise of the curator's own are not taken for one another", () => {
    const inNoiseShares = watched("vector", { inNoiseShares: true });
    expect(() => inNoiseShares.curator.round(inNoiseShares.shared, 1)).toThrow("use `release`");
    const own = watched("vector", {});
    expect(() => own.curator.release(new Float64Array(2), 1)).toThrow("use `round`");
    const open = watched("vector");
    expect(() => open.curator.release(new Float64Array(2), 1)).toThrow("use `round`");
    expect([...inNoiseShares.seen, ...own.seen, ...open.seen]).toEqual([]);
  });
});
