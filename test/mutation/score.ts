/**
 * What share of the faults was found, with its interval, in words.
 * @module
 */

/** Wilson's 95 % interval of a proportion. */
export function interval(hits: number, n: number): readonly [number, number] {
  const z = 1.96;
  const middle = (hits + (z * z) / 2) / (n + z * z);
  const half = (z / (n + z * z)) * Math.sqrt((hits * (n - hits)) / n + (z * z) / 4);
  return [middle - half, middle + half];
}

const percent = (x: number) => `${(100 * x).toFixed(1)} %`;

/** `38 of 40 faults found, 95.0 % (95 % interval: 83.5 % to 98.6 %)`. */
export function scoreWords(caught: number, n: number): string {
  if (n === 0) return "no faults";
  const [low, high] = interval(caught, n);
  return `${caught} of ${n} faults found, ${percent(caught / n)} (95 % interval: ${percent(low)} to ${percent(high)})`;
}

/** In an order that a seed gives, the same for the same list. */
export const shuffled = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
