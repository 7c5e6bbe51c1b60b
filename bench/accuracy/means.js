/** Means and medians over replicates, splits, draws or tables. */
import seedrandom from "seedrandom";

export const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;

/** Of an even number of values the middle of the two in the middle. */
export function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** Of the mean; NaN for one value, which tells of none. */
export function standardError(list) {
  const center = mean(list);
  const squares = list.reduce((sum, value) => sum + (value - center) ** 2, 0);
  return Math.sqrt(squares / (list.length - 1) / list.length);
}

const RESAMPLES = 2000;

/**
 * Standard error of a statistic of a list whose values were drawn independently, by the bootstrap (Efron 1979); seeded, so that a bench prints the
 * same again.
 */
export function bootstrapError(list, statistic) {
  const random = seedrandom(`bootstrap of ${list.length}`);
  const drawn = Array.from({ length: RESAMPLES }, () =>
    statistic(list.map(() => list[Math.floor(random() * list.length)])),
  );
  return standardError(drawn) * Math.sqrt(RESAMPLES);
}

/** mean ± standard error, or the mean and that it is of one replicate. */
export function meanAndError(list, write = (value) => value.toFixed(4)) {
  const error = list.length > 1 ? `± ${write(standardError(list))}` : "(one replicate)";
  return `${write(mean(list))} ${error}`;
}
