import { describe, expect, test } from "vitest";
import {
  LowRankSparse,
  MpGroupSparse,
  MpLowRank,
  MpLowRankSparse,
  type MpLowRankSparseOptions,
} from "../../../../src/learning/index.js";
import { someOf } from "../../../thorough.js";
import { makeTasks } from "../../tasks.js";

const tasks = makeTasks({ m: 12, d: 5, rows: (i) => 4 + (i % 5), noise: 0.3 });
const random = { mode: "seeded", seed: "parts" } as const;
const common = { rounds: 6, clip: 3, lambda: 0.05, intercept: false, safeguard: false, random };
const fit = (options: Partial<MpLowRankSparseOptions>) =>
  new MpLowRankSparse({ ...common, ...options }).fit(tasks);
const largestDifference = (a: Float64Array, b: Float64Array) =>
  a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k]!)), 0);

describe("mp-low-rank-sparse", () => {
  test.each([
    ["trace", MpLowRank],
    ["l21", MpGroupSparse],
  ] as const)(
    "with the local part silenced it is the %s method, to the bit",
    async (part, Other) => {
      const model = await fit({ sharedPenalty: part, lambda2: 1e9 });
      // eta = 1/(2L), L = 1 for unit rows.
      const other = await new Other({ ...common, stepSize: 0.5 }).fit(tasks);
      expect(model.weights).toEqual(other.weights);
      expect(model.components["local"]!.data.every((value) => value === 0)).toBe(true);
      expect(model.ledger!.entries).toEqual(other.ledger!.entries);
    },
  );

  test.each(someOf<"l1" | "l12" | "frobenius">(["l1", "l12", "frobenius"], 3))(
    "as eps grows it tends to the non-private solution (Q: %s)",
    async (localPenalty) => {
      const penalties = { lambda: 0.05, lambda2: 0.03, localPenalty } as const;
      const exact = await new LowRankSparse({
        ...penalties,
        intercept: false,
        tolerance: 1e-12,
      }).fit(tasks);
      const model = await fit({
        ...penalties,
        epsilon: 1e18,
        delta: 0,
        shift: 0,
        clip: 20,
        rounds: 3000,
      });
      expect(largestDifference(model.weights, exact.weights)).toBeLessThan(1e-5);
    },
    30_000,
  );

  test("the weights are the sum of the parts", async () => {
    const { weights, components } = await fit({ lambda2: 0.02 });
    const { shared, local } = components;
    expect(local!.data.some((value) => value !== 0)).toBe(true);
    weights.forEach((value, k) => expect(value).toBe(shared!.data[k]! + local!.data[k]!));
  });

  test("the papers' start has both parts at W(0), ours only the shared one", async () => {
    const initial = new Float64Array(tasks.m * tasks.d).fill(0.2);
    const once = { rounds: 1, initial, lambda: 0, lambda2: 0, stepSize: 0.5 } as const;
    const ours = await fit(once);
    const papers = await fit({ ...once, initialLocal: "initial" });
    expect(largestDifference(ours.weights, initial)).toBeLessThan(1e-12);
    papers.weights.forEach((value) => expect(value).toBeCloseTo(0.4, 12));
  });

  test("the ledger does not depend on the local part", async () => {
    const [a, b] = [await fit({ lambda2: 0 }), await fit({ lambda2: 1, localPenalty: "l12" })];
    expect(a.guarantee).toEqual(b.guarantee);
  });
});
