/** Which columns a logarithm would do good. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inspectTable, Table } from "../../../../src/data/index.js";
import { hasLongTail } from "../../../../src/data/inspect/signs/long-tail.js";

/** Quantiles of a law, by its inverse. */
const quantiles = (inverse: (p: number) => number) =>
  Float64Array.from({ length: 400 }, (_, i) => inverse((i + 0.5) / 400));

/** The logistic law is near the normal one and has a closed inverse. */
const logit = (p: number) => Math.log(p / (1 - p));

describe("a long tail", () => {
  test.each([
    ["amounts whose logarithms are symmetric", (p: number) => Math.exp(0.7 * logit(p)), true],
    ["symmetric ones", (p: number) => 100 + logit(p), false],
    ["even ones", (p: number) => 1 + p, false],
    ["symmetric ones about 0, which have no logarithm", (p: number) => logit(p), false],
    ["large ones but for a 0", (p: number) => (p < 0.01 ? 0 : Math.exp(logit(p))), false],
  ])("%s", (_, inverse, found) => {
    expect(hasLongTail(quantiles(inverse))).toBe(found);
  });

  test("does not depend on the unit, nor on gaps", () => {
    const amounts = quantiles((p) => Math.exp(0.7 * logit(p)));
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (unit) => {
        expect(hasLongTail(amounts.map((value) => value * unit))).toBe(true);
      }),
    );
    expect(hasLongTail(Float64Array.of(...amounts, NaN, NaN))).toBe(true);
  });

  test("is reported of features and target, not of what names tasks", () => {
    const amounts = quantiles((p) => Math.exp(0.7 * logit(p)));
    const table = new Table([
      { name: "firm", values: amounts.map((value) => Math.ceil(value)) },
      { name: "sales", values: amounts },
      { name: "wages", values: [...amounts].reverse().map(String) },
    ]);
    const { columns } = inspectTable(table, { task: "firm", target: "sales" });
    expect(columns.map(({ longTail }) => longTail)).toEqual([false, true, true]);
  });
});
