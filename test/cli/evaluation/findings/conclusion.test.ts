import { expect, test } from "vitest";
import { conclusionOf } from "../../../../src/cli/evaluation/findings/conclusion.js";
import type { SummaryRow } from "../../../../src/cli/evaluation/findings/summary.js";

/** A row of which only the gain matters; its standard error is .01. */
const row = (method: string, epsilon: number | null, gain: number): SummaryRow => ({
  ...{ method, epsilon, replicates: 5, variant: null, metrics: {} },
  gainOnSingleTask: { mean: gain, standardError: 0.01 },
  ...{ share: null, reference: null, unit: null, delta: null, mechanism: null },
  ...{ holds: epsilon === null ? null : true, tuning: "none" },
});

const alone = row("single-task", null, 0);

test("where nothing is to be gained without privacy, no budget is worth spending", () => {
  const rows = [row("auto", 1, -0.2), row("auto", 3, -0.1), alone, row("pooled", null, -0.3)];
  const [verdict, budgets, ...rest] = conclusionOf(rows, []);
  expect(verdict).toMatch(
    /^Even without privacy .*\(pooled, the best, gains -0\.3 \(± 0\.01\)\).*: keep single-task\.$/,
  );
  expect(budgets).toBe(
    "At eps 1 and 3 nothing here is clearly better than learning alone: auto, the best, gains -0.1 (± 0.01) at eps 3.",
  );
  expect(rest).toEqual([]);
});

test("a gain within a standard error is none; one that is clear has a sentence of its own", () => {
  const rows = [row("auto", 0.3, 0.009), row("auto", 3, 0.1), alone, row("pooled", null, 0.2)];
  expect(conclusionOf(rows, [])).toEqual([
    "At eps 0.3 nothing here is clearly better than learning alone: auto, the best, gains 0.009 (± 0.01).",
    "At eps 3 auto gains 0.1 (± 0.01) on learning alone.",
  ]);
});

test("what a private method gained is not argued away", () => {
  const rows = [row("auto", 3, 0.1), alone, row("pooled", null, -0.2)];
  expect(conclusionOf(rows, [])).toEqual(["At eps 3 auto gains 0.1 (± 0.01) on learning alone."]);
});

test("a promise that does not hold counts for nothing", () => {
  const broken = { ...row("mp-low-rank", 1, 0.5), holds: false };
  expect(conclusionOf([broken, alone], [])).toEqual([]);
});
