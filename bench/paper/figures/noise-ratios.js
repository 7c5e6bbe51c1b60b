/**
 * Noise against signal in the releases of a seeded fit on low-rank data, and means over replicates.
 */
import { makeEstimator, simulate } from "../../../build/modules/index.js";

/** Seeds of so many replicates, of data and noise. */
export const seedsOf = (replicates) => Array.from({ length: replicates }, (_, k) => `paper/${k}`);

/** ||noise|| / ||statistic|| of every release, in order, and the fitted model. */
export async function noiseRatios(method, options, epsilon, seed) {
  const { train } = simulate({ pattern: "low-rank", seed });
  const ratios = [];
  let exact;
  const observe = ({ stage, values }) => {
    if (stage === "exact") exact = values.slice();
    if (stage !== "released") return;
    const noise = Math.hypot(...values.map((value, at) => value - exact[at]));
    ratios.push(noise / Math.hypot(...exact));
  };
  const settings = { ...options, epsilon, delta: "papers", random: { mode: "seeded", seed } };
  const model = await makeEstimator(method, settings).fit(train, { observe });
  return { ratios, model };
}

/** Mean and standard error; no error of one value. */
export function meanAndError(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const error = values.length > 1 ? Math.sqrt(squares / (values.length - 1) / values.length) : null;
  return { mean, error };
}
