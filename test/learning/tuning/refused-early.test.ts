/** What a private selection refuses by its tasks' rows, it refuses before its first charge: between two runs it would tell of them. */
import { afterEach, expect, test, vi } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { selectPrivately, type Candidate } from "../../../src/learning/index.js";
import { Ledger } from "../../../src/privacy/index.js";
import { makeLabelled } from "../tasks.js";

afterEach(() => vi.restoreAllMocks());

const rows = (withWeights: boolean) =>
  TaskSet.from(
    [...makeLabelled({ m: 4, d: 3, rows: () => 8 })].map(({ name, x, y, n }) => ({
      name,
      x: Array.from({ length: n }, (_, row) => Array.from(x.subarray(3 * row, 3 * row + 3))),
      y: Array.from(y, (label) => (label > 0 ? "yes" : "no")),
      ...(withWeights ? { weights: new Float64Array(n).fill(1) } : {}),
    })),
    { labels: ["no", "yes"] },
  );

test.each<[string, Candidate[], boolean, RegExp]>([
  [
    "mp-group-sparse",
    [{ featureBound: 100 }, { featureBound: 1e-3 }],
    false,
    /row 0: its l2 norm is above/,
  ],
  ["mp-hierarchical", [{ meanWeight: 0.5 }, { meanWeight: 1 }], true, /takes no weights of rows/],
])("%s: no charge was made", async (method, candidates, withWeights, why) => {
  const charged = vi.spyOn(Ledger.prototype, "charge");
  const random = { mode: "seeded", seed: 1 } as const;
  const asked = { method, options: { loss: "logistic", random }, candidates } as const;
  const chosen = selectPrivately(rows(withWeights), { ...asked, repetitions: "all" });
  await expect(chosen).rejects.toThrow(why);
  expect(charged).not.toHaveBeenCalled();
});
