/**
 * Targets that count something: whole numbers from 0 or 1 on, most of them small and a few large.
 * @module
 */

/** Skewness from which a tail is long. Of a Poisson law of mean 4 it is this; of uniform numbers 0, of marks in exams seldom so much. */
const LONG_TAIL = 0.5;

/** Whether values, of which there are three or more different ones, look like counts. */
export function mayBeCounts(values: Float64Array): boolean {
  const n = values.length;
  let least = Infinity;
  let sum = 0;
  for (const value of values) {
    if (!Number.isSafeInteger(value) || value < 0) return false;
    least = Math.min(least, value);
    sum += value;
  }
  if (n === 0 || least > 1) return false;
  const mean = sum / n;
  let [squares, cubes] = [0, 0];
  for (const value of values) {
    const off = value - mean;
    squares += off * off;
    cubes += off * off * off;
  }
  return squares > 0 && cubes / n >= LONG_TAIL * (squares / n) * Math.sqrt(squares / n);
}
