/** Units of columns: where far cells are held, and what is believed before the first release. */
import { expect, test } from "vitest";
import { SquaredState } from "../../../../../src/learning/families/mixed/squared/squared-state.js";
import { FARTHEST, inUnits, limitsArray, type Units } from "../../../../../src/learning/families/mixed/units/units.js"; // prettier-ignore

const units: Units = {
  centers: Float64Array.of(10, -1, 0),
  sizes: Float64Array.of(2, 0.5, 1),
  targetCenter: 100,
  targetSize: 20,
};

test("features are held within eight sizes of their centers, targets are not", () => {
  const x = Float64Array.of(12, -1.5, 1, 1e9, -1e9, 1, -6, 3, 1);
  const found = inUnits(units, { x, y: Float64Array.of(120, 1e9, 60), offsets: [0, 3] });
  expect([...found.x]).toEqual([1, -1, 1, FARTHEST, -FARTHEST, 1, -8, 8, 1]);
  expect([...found.y]).toEqual([1, (1e9 - 100) / 20, -2]);
  // The same in the units of the data.
  expect([...limitsArray(units)]).toEqual([-6, -5, 26, 3]);
});

test("the logarithms of the variances are believed within 1.5, each by itself", () => {
  const { belief } = new SquaredState({ m: 30, d: 4, meanRows: 9 });
  expect([...belief]).toEqual([2.25, 0, 0, 0, 2.25, 0, 0, 0, 2.25]);
});
