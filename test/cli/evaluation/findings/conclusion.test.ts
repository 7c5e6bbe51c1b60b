import { expect, test } from "vitest";
import { conclusionOf } from "../../../../src/cli/evaluation/findings/conclusion.js";
import { estimateOf, isClearlyPositive } from "../../../../src/cli/evaluation/findings/estimate.js";
import type { SummaryRow } from "../../../../src/cli/evaluation/findings/summary.js";
import { seededUniforms } from "../../../../src/data/split/shuffle.js";

/** A row of which only the gain matters; its standard error is .01. */
const row = (method: string, epsilon: number | null, gain: number): SummaryRow => ({
  method,
  epsilon,
  replicates: 5,
  variant: null,
  metrics: {},
  gainOnSingleTask: { mean: gain, standardError: 0.01 },
  share: null,
  reference: null,
  unit: null,
  delta: null,
  mechanism: null,
  holds: epsilon === null ? null : true,
  tuning: "none",
});

const alone = row("single-task", null, 0);

test("where nothing is to be gained without privacy, no budget is worth spending", () => {
  const rows = [row("auto", 1, -0.2), row("auto", 3, -0.1), alone, row("pooled", null, -0.3)];
  const [verdict, budgets, ...rest] = conclusionOf(rows, []);
  expect(verdict).toMatch(
    /^Even without privacy .*\(pooled, the best, loses 0\.3 \(± 0\.01\)\).*: keep single-task\.$/,
  );
  expect(budgets).toBe(
    "At eps 1 and 3 nothing here is clearly better than learning alone, by two standard errors: auto, the best, loses 0.1 (± 0.01) at eps 3.",
  );
  expect(rest).toEqual([]);
});

test("a gain within two standard errors is none; one that is clear has a sentence of its own", () => {
  const rows = [row("auto", 0.3, 0.019), row("auto", 3, 0.1), alone, row("pooled", null, 0.2)];
  expect(conclusionOf(rows, [])).toEqual([
    "At eps 0.3 nothing here is clearly better than learning alone, by two standard errors: auto, the best, gains 0.019 (± 0.01).",
    "At eps 3 auto gains 0.1 (± 0.01) on learning alone.",
  ]);
});

test("a figure has no more digits than its error leaves it", () => {
  const said = (mean: number, standardError: number | null) =>
    conclusionOf(
      [{ ...row("auto", 3, 0), gainOnSingleTask: { mean, standardError } }, alone],
      [],
    ).join(" ");
  expect(said(0.00006837, 0.0001768)).toContain("auto, the best, gains 0.00007 (± 0.00018).");
  expect(said(-0.0123456, 0.01999)).toContain("auto, the best, loses 0.012 (± 0.02).");
  expect(said(0.0386123, 0.0099999)).toContain("auto gains 0.039 (± 0.01) on learning alone.");
  expect(said(12345.678, 123.4)).toContain("auto gains 12346 (± 120) on learning alone.");
  expect(said(0.123456, null)).toContain("auto gains 0.1235 on learning alone.");
});

test("an auto that learned alone everywhere is not called the best", () => {
  const rows = [row("auto", 1, 0), row("auto", 3, 0), alone, row("pooled", null, 0.2)];
  expect(conclusionOf(rows, [])).toEqual([
    "At eps 1 and 3 nothing here is clearly better than learning alone, by two standard errors: nothing that was compared gains anything.",
  ]);
});

test("one that is is seldom chance: gains of five replicates without any pass about one time in seventeen", () => {
  const draw = seededUniforms("clear", "1");
  // Sums of twelve uniforms are near enough to normal draws.
  const normal = () => Array.from({ length: 12 }, draw).reduce((sum, x) => sum + x, -6);
  const trials = 4000;
  const passed = (replicates: number) =>
    Array.from({ length: trials }, () =>
      estimateOf(Array.from({ length: replicates }, normal)),
    ).filter(isClearlyPositive).length / trials;
  expect(passed(5)).toBeCloseTo(1 / 17, 1.7);
  expect(passed(2)).toBeCloseTo(1 / 7, 1.7);
});

test("one replicate tells nothing of chance, and its sign is taken", () => {
  expect(isClearlyPositive({ mean: 0.1, standardError: null })).toBe(true);
  expect(isClearlyPositive({ mean: -0.1, standardError: null })).toBe(false);
});

test("what a private method gained is not argued away", () => {
  const rows = [row("auto", 3, 0.1), alone, row("pooled", null, -0.2)];
  expect(conclusionOf(rows, [])).toEqual(["At eps 3 auto gains 0.1 (± 0.01) on learning alone."]);
});

test("a promise that does not hold counts for nothing", () => {
  const broken = { ...row("mp-low-rank", 1, 0.5), holds: false };
  expect(conclusionOf([broken, alone], [])).toEqual([]);
});
