/**
 * exp by integers of 700 bits: what decisions of the exact samplers are held against.
 * @module
 */
export const BITS = 700n;
const ONE = 1n << BITS;

/** exp(-n / d) 2^BITS, to within a few units: the series of a small part, squared back. */
export function exponential(n: bigint, d: bigint): bigint {
  let halvings = 0n;
  while (n > d << halvings) halvings++;
  const y = (n << BITS) / (d << halvings);
  let [sum, term] = [ONE, ONE];
  for (let j = 1n; term !== 0n; j++) {
    term = (term * y) / (ONE * j);
    sum += j % 2n === 1n ? -term : term;
  }
  for (; halvings > 0n; halvings--) sum = (sum * sum) / ONE;
  return sum;
}
