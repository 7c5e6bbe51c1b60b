/**
 * Features in units of their own: whether a task's features differ by more than what they mean, and what takes that away.
 * @module
 */
import * as math from "../../../core/elementary.js";

/**
 * Variance of the logarithms of energies up to which features may be of one unit: rare and common levels of categories have 2 to 3, three
 * columns of scores and shares 9. Beyond, columns are in units such as years, shares and sums of money.
 */
const OF_ONE_UNIT = 10;
/** What is left of that variance when units are taken away. */
const LEFT = 1;

/**
 * Factors that take the logarithms of energies towards their mean, by the part of their variance that only units explain: all 1 where
 * there is none. A feature that does not vary has the mean energy's.
 *
 * @param energy sums of squares, [d], of which one at least is not 0.
 */
export function unitFactors(energy: Float64Array): Float64Array {
  const logs = energy.filter((value) => value > 0).map((value) => math.log(value));
  const center = meanOf(logs);
  const beyond = meanOf(logs.map((value) => (value - center) ** 2)) - OF_ONE_UNIT;
  if (!(beyond > 0)) return new Float64Array(energy.length).fill(1);
  const k = beyond / (beyond + LEFT);
  const mean = math.log(meanOf(energy));
  return energy.map((value) => {
    const from = value > 0 ? math.log(value) : mean;
    return math.exp((-k / 2) * (from - center));
  });
}

const meanOf = (values: Float64Array) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
