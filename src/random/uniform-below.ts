/**
 * Uniform whole numbers from random words.
 * @module
 */

/**
 * Uniform on 0..bound-1 exactly: words beyond the last full multiple, which would favour small numbers, are redrawn.
 * @param bound 1 <= bound <= 2^32.
 * @param next  the next word, uniform on 0..2^32-1.
 */
export function uniformBelow(bound: number, next: () => number): number {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const word = next();
    if (word < limit) return word % bound;
  }
}
