/** Lines of the table of parties and units. */
import { expect, test } from "vitest";
import { protectionLines } from "../../../src/cli/fitted/protection-text.js";
import type { Protection } from "../../../src/privacy/index.js";

const row = (of: Protection["of"], against: Protection["against"], epsilon: number | null) =>
  ({ of, against, epsilon, delta: epsilon === null ? null : 1e-5 }) as Protection;

const line = row("record", "other tasks", 0.5);

test("a line names its first tasks and counts the others, so that a thousand owners stay a line", () => {
  expect(protectionLines([line])).toEqual(["record against other tasks: (0.5, 0.00001)-DP"]);
  const [two] = protectionLines([{ ...line, tasks: ["p1", "p2"] }]);
  expect(two).toContain('record of "p1", "p2" against');
  const tasks = Array.from({ length: 1000 }, (_, i) => `p${i}\u001b`);
  const [long] = protectionLines([{ ...line, tasks }]);
  expect(long).toContain(" and 995 more against other tasks");
  expect(long).not.toContain("\u001b");
  expect(long!.length).toBeLessThan(150);
});

test("equal promises are one line, of parties and of units; others stay apart", () => {
  const of = (unit: Protection["of"], other: number | null, own: number | null) => [
    row(unit, "other tasks", other),
    row(unit, "curator", null),
    row(unit, "own model", own),
  ];
  expect(protectionLines([...of("record", 1, null), ...of("task", 1, null)])).toEqual([
    "record or task against other tasks: (1, 0.00001)-DP",
    "record or task against curator, own model: no promise",
  ]);
  expect(protectionLines([...of("record", 1, 1), ...of("task", null, null)])).toEqual([
    "record against other tasks, own model: (1, 0.00001)-DP",
    "record against curator: no promise",
    "task against other tasks, curator, own model: no promise",
  ]);
  expect(protectionLines([])).toEqual([]);
});

test("owners with budgets of their own keep lines of their own", () => {
  const own = [
    { ...line, tasks: ["p1"] },
    { ...row("record", "other tasks", 2), tasks: ["p2"] },
    { ...row("task", "other tasks", null), tasks: ["p1"] },
    { ...row("task", "other tasks", null), tasks: ["p2"] },
  ];
  expect(protectionLines(own)).toEqual([
    'record of "p1" against other tasks: (0.5, 0.00001)-DP',
    'record of "p2" against other tasks: (2, 0.00001)-DP',
    'task of "p1" against other tasks: no promise',
    'task of "p2" against other tasks: no promise',
  ]);
});
