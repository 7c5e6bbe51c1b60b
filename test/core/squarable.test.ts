import { expect, test } from "vitest";
import { areSquarable, squarable } from "../../src/core/squarable.js";

test.each([0, 1, 3, 4, 5, 8, 11])("of %i numbers every one counts", (length) => {
  for (const edge of [1e60, -1e60, 1e59, 0]) {
    for (let at = 0; at < length; at++) {
      const values = new Float64Array(length).fill(-2.5);
      values[at] = edge;
      expect(areSquarable(values)).toBe(true);
    }
  }
  for (const beyond of [1e60 * (1 + Number.EPSILON), -1e61, 1e200, Infinity, -Infinity, NaN]) {
    for (let at = 0; at < length; at++) {
      const values = new Float64Array(length).fill(0.5);
      values[at] = beyond;
      expect(areSquarable(values)).toBe(false);
      expect(areSquarable(values.map(squarable))).toBe(!Number.isNaN(beyond));
    }
  }
});

test.each([0, 4095, 4096, 4097, 8191, 8192, 9000])("of thousands number %i counts", (at) => {
  const values = new Float64Array(9001).fill(1e59);
  expect(areSquarable(values)).toBe(true);
  values[at] = 1e61;
  expect(areSquarable(values)).toBe(false);
});
