/** Targets that count something are told from grades, marks, years and prices. */
import { expect, test } from "vitest";
import { mayBeCounts } from "../../../../src/data/inspect/signs/counts.js";

const counts = (values: readonly number[]) => mayBeCounts(Float64Array.from(values));
const visits = [0, 0, 1, 0, 2, 1, 0, 3, 1, 0, 0, 7, 2, 1, 0, 12];

test("whole numbers from 0 on with a long tail may be counts", () => {
  expect(counts(visits)).toBe(true);
  expect(counts(visits.map((value) => value + 1))).toBe(true);
});

test.each([
  ["measurements", visits.map((value) => value / 2)],
  ["differences", visits.map((value) => value - 1)],
  ["prices, which are large", visits.map((value) => value + 100)],
  ["marks of which most are high", visits.map((value) => 12 - value)],
  ["grades that are all as frequent", Array.from({ length: 60 }, (_, row) => row % 12)],
  ["one value", [1, 1, 1]],
  ["nothing", []],
])("%s are none", (_, values) => {
  expect(counts(values)).toBe(false);
});
