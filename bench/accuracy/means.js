/** Means over replicates, splits or draws. */

export const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;

/** Of the mean; NaN for one value, which tells of none. */
export function standardError(list) {
  const center = mean(list);
  const squares = list.reduce((sum, value) => sum + (value - center) ** 2, 0);
  return Math.sqrt(squares / (list.length - 1) / list.length);
}

/** mean ± standard error, or the mean and that it is of one replicate. */
export function meanAndError(list, write = (value) => value.toFixed(4)) {
  const error = list.length > 1 ? `± ${write(standardError(list))}` : "(one replicate)";
  return `${write(mean(list))} ${error}`;
}
