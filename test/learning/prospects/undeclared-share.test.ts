/** What a budget is expected to buy where nobody declared how large columns are. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseMethod } from "../../../src/learning/auto/choose-method.js";
import { prospectsOf } from "../../../src/learning/index.js";

const sizes = fc.record({
  m: fc.integer({ min: 2, max: 2000 }),
  d: fc.integer({ min: 1, max: 15 }),
  rowsPerTask: fc.integer({ min: 1, max: 40 }),
  epsilon: fc.double({ min: 0.1, max: 10, noNaN: true }),
  classes: fc.constantFrom(undefined, 2, 4),
});

const lossOf = (classes?: number) =>
  classes === undefined ? "squared" : classes === 2 ? "logistic" : "softmax";

describe("undeclared columns", () => {
  test("buy what auto reckons with where it shares, and never more than declared ones", () => {
    fc.assert(
      fc.property(sizes, ({ m, d, rowsPerTask, epsilon, classes }) => {
        const undeclared = d + (classes === undefined ? 1 : 0);
        const facts = { m, d, rowsPerTask, epsilon, classes, delta: "auto" } as const;
        const declared = prospectsOf(facts);
        const open = prospectsOf({ ...facts, undeclared });
        expect(open.share!).toBeLessThanOrEqual(declared.share!);
        // What is said against the budget is true of declared ranges, too.
        expect(open.warnings).toEqual(declared.warnings);
        const taken = chooseMethod({
          sizes: { m, d, rows: m * rowsPerTask },
          loss: lossOf(classes),
          classes,
          epsilon,
          delta: "auto",
          declared: false,
        });
        if (taken.method === "mp-mixed") expect(open.share!).toBeCloseTo(taken.share, 12);
      }),
    );
  });

  test("are named in the sentence, and without them it is the old one", () => {
    const facts = { m: 60, d: 3, rowsPerTask: 12, epsilon: 1, delta: "auto" } as const;
    const { expectation } = prospectsOf({ ...facts, undeclared: 4 });
    expect(expectation).toMatch(
      /^at 60 tasks and 3 features, with 4 columns that nobody declared, /,
    );
    expect(prospectsOf({ ...facts, undeclared: 0 })).toEqual(prospectsOf(facts));
  });
});
