/**
 * Numbers whose sums of squares are numbers: how large features and targets may be, wherever they come from.
 * @module
 */
/** The square of its square is a number, and so is a sum of many: models are made of squares of products of two. */
export const LARGEST = 1e60;

/** What is said of one that is not, after its place. */
export const tooLargeWords =
  `expected a number within +-${LARGEST}, found one that is larger, whose squares are beyond what sums can hold. Correct it, or use ` +
  "other units";

/** Numbers whose squares sum to less are not near it. */
const FAR_BELOW = 1e119;

/** Numbers that are looked at in a call. */
const BLOCK = 4096;

/**
 * Whether all are; not where one is NaN. By blocks: engines compile a function that is called often, and a long loop of one that is
 * called once a fit anew each time.
 */
export function areSquarable(values: Float64Array): boolean {
  const { length } = values;
  for (let from = 0; from < length; from += BLOCK) {
    if (!areSquarableWithin(values, from, Math.min(from + BLOCK, length))) return false;
  }
  return true;
}

function areSquarableWithin(values: Float64Array, from: number, end: number): boolean {
  let k = from;
  // Four at a time: rows are millions of numbers, which one thread asks of while the others wait.
  for (; k + 3 < end; k += 4) {
    const a = values[k]!;
    const b = values[k + 1]!;
    const c = values[k + 2]!;
    const d = values[k + 3]!;
    if (a * a + b * b + c * c + d * d < FAR_BELOW) continue;
    if (!(isSquarable(a) && isSquarable(b) && isSquarable(c) && isSquarable(d))) return false;
  }
  while (k < end && isSquarable(values[k]!)) k++;
  return k === end;
}

/** Whether a number is; not NaN. */
export const isSquarable = (value: number): boolean => Math.abs(value) <= LARGEST;

/** The nearest number that is; NaN of NaN. */
export const squarable = (value: number): number => Math.max(-LARGEST, Math.min(value, LARGEST));
