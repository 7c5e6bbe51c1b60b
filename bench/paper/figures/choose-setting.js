/**
 * Choosing a setting on other seeds than the figures': fair to every row of a table, as all get the same number of trials.
 */

/** Of data, splits and noise while choosing. */
const SEED = "paper-settings";

/**
 * The candidate of the best mean metric.
 *
 * @param candidates options that are tried.
 * @param experiment as that of `evaluate`, with the one eps.
 * @param metric and whether more of it is better.
 * @returns options with the best candidate's.
 */
export async function chooseSetting(harness, name, [method, options], candidates, experiment) {
  const { metric, higherIsBetter, replicates = 1, ...rest } = experiment;
  let best;
  for (const [k, candidate] of candidates.entries()) {
    const chosen = { ...options, ...candidate };
    const [row] = await harness.evaluate(`${name}-candidate-${k}`, {
      ...rest,
      methods: [[method, chosen]],
      seed: SEED,
      replicates,
    });
    if (!row) continue;
    const score = (higherIsBetter ? 1 : -1) * row.metrics[metric].mean;
    if (!best || score > best.score) best = { score, chosen };
  }
  return best?.chosen;
}
