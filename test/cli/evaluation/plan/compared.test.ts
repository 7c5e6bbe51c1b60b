import { expect, test } from "vitest";
import { comparedUnasked, leftOutNotes } from "../../../../src/cli/evaluation/plan/compared.js";
import { evaluationRemarks } from "../../../../src/cli/evaluation/findings/remarks.js";
import { summaryTable, summarize } from "../../../../src/cli/evaluation/findings/summary.js";
import type { CellResult } from "../../../../src/cli/evaluation/cells/cell.js";

const table = { loss: "squared", sparse: false, simulated: false } as const;

test("a table as it is gets what suits grouped rows, simulations the papers' methods besides", () => {
  const usual = ["auto", "single-task", "mixed-model", "pooled"];
  expect(comparedUnasked(table)).toEqual(usual);
  expect(comparedUnasked({ ...table, loss: "logistic" })).toEqual(usual);
  const simulated = comparedUnasked({ ...table, simulated: true });
  expect(simulated).toEqual(expect.arrayContaining([...usual, "mp-low-rank", "trace-norm"]));
  expect(comparedUnasked({ ...table, loss: "softmax" })).toContain("pmtl");
  expect(comparedUnasked({ ...table, sparse: true })).toContain("group-sparse");
});

test("what was left out is said, with the flag that asks for it, unless methods were named", () => {
  const [note] = leftOutNotes(comparedUnasked(table), table);
  expect(note).toMatch(/^left out unless named: .*mp-low-rank.* which are for rows of length 1/);
  expect(note).toContain("--methods auto,single-task,mixed-model,pooled,trace-norm,mp-low-rank");
  expect(leftOutNotes(["auto", "single-task"], table)).toEqual([]);
  const simulated = { ...table, simulated: true };
  expect(leftOutNotes(comparedUnasked(simulated), simulated)).toEqual([]);
});

const cell = (nmsePerTask: number | null, tasksLeftOut: number): CellResult => ({
  method: "single-task",
  epsilon: null,
  replicate: 0,
  rowsLeftOut: 0,
  chosen: {},
  tuning: "none",
  guarantee: null,
  scores: { nmse: 0.5, nmsePerTask, tasksLeftOut },
});

test("tasks of too few test rows for an nMSE of their own are spoken of", () => {
  const remarks = (one: CellResult) => evaluationRemarks([one], { ranges: {} }).join("\n");
  expect(remarks(cell(0.4, 3))).toContain("nmsePerTask leaves out up to 3 tasks of a replicate");
  expect(remarks(cell(null, 9))).toContain("nmsePerTask is left out: every task has fewer than 6");
  expect(remarks(cell(0.4, 0))).not.toContain("nmsePerTask");
});

test("headings are the names of the JSON document", () => {
  const rows = summarize([cell(0.4, 0)]);
  const [head] = summaryTable(rows).split("\n");
  const names = head!.trim().split(/ +/);
  const known = [...Object.keys(rows[0]!), ...Object.keys(rows[0]!.metrics)];
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
  expect(names).toContain("gainOnSingleTask");
});
