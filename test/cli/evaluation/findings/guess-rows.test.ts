import { expect, test } from "vitest";
import type { CellResult } from "../../../../src/cli/evaluation/cells/cell.js";
import { guessRows, LABELS_SHARES } from "../../../../src/cli/evaluation/findings/guess-rows.js";
import { guessRemarks } from "../../../../src/cli/evaluation/findings/guess-remarks.js";
import { summaryTable } from "../../../../src/cli/evaluation/findings/summary.js";

const cell = (
  method: string,
  replicate: number,
  logLoss: number,
  guess: number,
  variant: number | null = null,
): CellResult => ({
  method,
  epsilon: null,
  replicate,
  variant,
  scores: {
    auc: 0.7,
    accuracy: 0.93,
    logLoss,
    tasksLeftOut: 0,
    guessing: { accuracy: 0.92, logLoss: guess },
  },
  rowsLeftOut: 0,
  chosen: {},
  tuning: "none",
  guarantee: null,
});

test("what the labels' shares reach stands in a row of its own, paired with learning alone", () => {
  const rows = guessRows([
    cell("single-task", 0, 0.35, 0.25),
    cell("single-task", 1, 0.45, 0.3),
    cell("pooled", 0, 0.2, 0.25),
    cell("pooled", 1, 0.2, 0.3),
  ]);
  expect(rows).toMatchObject([
    { method: LABELS_SHARES, epsilon: null, replicates: 2, variant: null, holds: null },
  ]);
  expect(rows[0]!.metrics).toMatchObject({ accuracy: { mean: 0.92 }, auc: { mean: 0.5 } });
  expect(rows[0]!.metrics["logLoss"]!.mean).toBeCloseTo(0.275, 12);
  expect(rows[0]!.gainOnSingleTask!.mean).toBeCloseTo(0.125, 12);
  expect(summaryTable(rows)).toMatch(/^labels' shares +- +0\.5 /m);
});

test("a sweep has a row for each value where the test rows differ, else one", () => {
  const swept = (second: number) =>
    guessRows([cell("single-task", 0, 0.4, 0.3, 4), cell("single-task", 0, 0.4, second, 8)]).map(
      ({ variant }) => variant,
    );
  expect(swept(0.2)).toEqual([4, 8]);
  expect(swept(0.3)).toEqual([null]);
});

test("numbers, and results that do not tell, have no such row", () => {
  const { scores, ...rest } = cell("pooled", 0, 0.2, 0.25);
  const { guessing: _, ...others } = scores;
  expect(guessRows([{ ...rest, scores: others }])).toEqual([]);
  expect(guessRows([{ ...rest, scores: { nmse: 0.5, tasksLeftOut: 0 } }])).toEqual([]);
});

test("of rare labels a log-loss below log 2 is remarked on where the shares' is less", () => {
  expect(guessRemarks([cell("single-task", 0, 0.35, 0.25)], 2)).toEqual([
    expect.stringMatching(
      /^single-task has a larger log-loss than telling each label's share, 0\.25: /,
    ),
  ]);
  expect(guessRemarks([cell("single-task", 0, 0.2, 0.25)], 2)).toEqual([]);
});
