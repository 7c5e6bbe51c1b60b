/** Tables of many raw columns, of few: products of their columns of numbers, as quadratic models have them. */

/** Columns of numbers from which their products are enough. */
const LEAST = 6;

/**
 * Rows with products of features until there are `most` columns of numbers, and what is said of the table; undefined where it has few columns.
 * @param described [target, slope, ranges], as `describedIn` has it.
 */
export function withProducts(rows, [target, slope, ranges], most) {
  const numbers = Object.keys(rows[0]).filter((name) => name in ranges && name !== target);
  if (numbers.length < LEAST) return undefined;
  const pairs = numbers
    .flatMap((a, i) => numbers.slice(i).map((b) => [a, b]))
    .slice(0, Math.max(most - numbers.length, 0));
  const products = (row) => pairs.map(([a, b]) => [`${a}*${b}`, String(row[a] * row[b])]);
  const added = Object.fromEntries(pairs.map(([a, b]) => [`${a}*${b}`, null]));
  return {
    rows: rows.map((row) => ({ ...row, ...Object.fromEntries(products(row)) })),
    described: [target, slope, { ...ranges, ...added }],
  };
}
