/**
 * Columns of amounts of which a few are far larger than most, as incomes and sizes of firms are.
 * @module
 */
import { log } from "../../../core/elementary.js";

/** Skewness from which a tail is long: that of an exponential law. */
const LONG = 2;

/** Fewer different values tell little of a tail. */
const FEWEST_VALUES = 20;

/** Third moment about the mean over the cube of the standard deviation; 0 where all are the same. */
function skewness(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let [squares, cubes] = [0, 0];
  for (const value of values) {
    const off = value - mean;
    squares += off * off;
    cubes += off * off * off;
  }
  const variance = squares / values.length;
  return variance > 0 ? cubes / values.length / (variance * Math.sqrt(variance)) : 0;
}

/** Whether positive values have a long tail that their logarithm has not. @param values NaN where missing. */
export function hasLongTail(values: Float64Array): boolean {
  const present = values.filter((value) => !Number.isNaN(value));
  if (present.some((value) => !(value > 0 && value < Infinity))) return false;
  if (new Set(present).size < FEWEST_VALUES) return false;
  const tail = skewness(present);
  return tail >= LONG && Math.abs(skewness(present.map((value) => log(value)))) < tail / 2;
}
