import fc from "fast-check";
import { expect, test } from "vitest";
import {
  placeDoubt,
  type Place,
} from "../../../../../src/learning/families/mixed/undeclared/place-doubt.js";

const CELLS = [1, 1 / 4, 1 / 16];

const placesOf = (list: readonly Place[]) => ({
  values: list.map(({ value }) => value),
  levels: list.map(({ level }) => level),
  evidences: list.map(({ evidence }) => evidence),
  length: list.length,
});

test("the doubt of a place is the weight of those for which it is of no use", () => {
  const taken = { value: 0, level: 1, evidence: 2 };
  const near = { value: 0.4, level: 1, evidence: 1 };
  const far = { value: 3, level: 0, evidence: 0 };
  const whole = Math.exp(2) + Math.exp(1) + 1;
  expect(placeDoubt(placesOf([taken, near, far]), taken, CELLS)).toBeCloseTo(1 / whole, 14);
  expect(placeDoubt(placesOf([taken, near]), taken, CELLS)).toBe(0);
});

test("a wide place is of no use for a narrow one inside it, a narrow one is for the wide one", () => {
  const wide = { value: 0.2, level: 0, evidence: 1 };
  const narrow = { value: -0.3, level: 2, evidence: 1 };
  expect(placeDoubt(placesOf([wide, narrow]), wide, CELLS)).toBe(1 / 2);
  expect(placeDoubt(placesOf([wide, narrow]), narrow, CELLS)).toBe(0);
});

test("without noise there is none, and it is a probability whatever the places", () => {
  const sure = { value: 0.2, level: 0, evidence: 1e18 };
  const other = { value: -0.3, level: 2, evidence: 9e17 };
  expect(placeDoubt(placesOf([other, sure]), sure, CELLS)).toBe(0);
  const place = fc.record({
    value: fc.double({ min: -4, max: 4, noNaN: true }),
    level: fc.constantFrom(0, 1, 2),
    evidence: fc.double({ min: -800, max: 800, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 30 }), (list) => {
      const places = placesOf(list);
      const taken = list.reduce((best, one) => (one.evidence > best.evidence ? one : best));
      const doubt = placeDoubt(places, taken, CELLS);
      expect(doubt).toBeGreaterThanOrEqual(0);
      expect(doubt).toBeLessThan(1);
    }),
  );
});
