import fc from "fast-check";
import { expect, test } from "vitest";
import {
  leastLost,
  type Place,
} from "../../../../../src/learning/families/mixed/undeclared/least-lost.js";

const CELLS = [1, 1 / 4, 1 / 16];

test("a narrow place inside a wide one is taken though the wide one is somewhat likelier", () => {
  const wide = { value: 0.2, level: 0, evidence: 7 };
  const narrow = { value: -0.3, level: 2, evidence: 6 };
  expect(leastLost([wide, narrow], CELLS).place).toBe(narrow);
});

test("what is far likelier is taken, however narrow another place is", () => {
  const wide = { value: 0.2, level: 0, evidence: 12 };
  const narrow = { value: -0.3, level: 2, evidence: 6 };
  expect(leastLost([wide, narrow], CELLS).place).toBe(wide);
});

test("without noise the likeliest is taken, beside which nothing else can be weighed", () => {
  const sure = { value: 0.2, level: 0, evidence: 1e18 };
  const other = { value: -0.3, level: 2, evidence: 9e17 };
  expect(leastLost([other, sure], CELLS)).toEqual({ place: sure, doubt: 0 });
});

test("its doubt is the weight of what it is of no use for", () => {
  const taken = { value: 0, level: 1, evidence: 2 };
  const near = { value: 0.4, level: 1, evidence: 1 };
  const far = { value: 3, level: 0, evidence: 0 };
  const whole = Math.exp(2) + Math.exp(1) + 1;
  expect(leastLost([taken, near, far], CELLS)).toEqual({ place: taken, doubt: 1 / whole });
  expect(leastLost([taken, near], CELLS).doubt).toBe(0);
});

test("no place has a smaller expected loss", () => {
  const place = fc.record({
    value: fc.double({ min: -4, max: 4, noNaN: true }),
    level: fc.constantFrom(0, 1, 2),
    evidence: fc.double({ min: -3, max: 3, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 30 }), (places) => {
      const lossOf = (taken: Place) =>
        places.reduce((sum, { value, level, evidence }) => {
          const bins = (taken.value - value) / CELLS[level]!;
          return sum + Math.exp(evidence) * Math.min(bins ** 2, 4);
        }, 0);
      const taken = lossOf(leastLost(places, CELLS).place);
      for (const other of places) expect(taken).toBeLessThanOrEqual(lossOf(other) * (1 + 1e-9));
    }),
  );
});
