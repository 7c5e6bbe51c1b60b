/**
 * How many rounds a prior is refined in: from public sizes and the budget only.
 * @module
 */
import { createMechanism, resolveDelta, type Mechanism } from "../../../privacy/index.js";
import { entryNoiseOf, matrixNoiseOf } from "../../../privacy/mechanisms/catalogue.js";
import type { ReleaseOptions } from "../../options/private-options.js";
import { shareOfBudget } from "../../release/plan-releases.js";

const MOST = 4;
/** Shared energy, in units of the noise of a single release, that pays for one more round. */
const PER_ROUND = { covariance: 5, diagonal: 2 };

/**
 * Rounds that m unit vectors in d dimensions pay for. Their energy, m, is compared with what the
 * noise of a single release of all the budget could be taken for: the spectral edge of the matrix, or
 * d deviations of an entry. A diagonal has little noise, and is always worth a second look.
 */
export function affordableRounds(
  options: ReleaseOptions,
  statistic: "covariance" | "diagonal",
  m: number,
  d: number,
): number {
  const { epsilon, adjacency, mechanism: name } = options;
  const delta = resolveDelta(options.delta, m);
  const mechanism: Mechanism = createMechanism({
    name,
    statistic,
    tasks: m,
    dimension: d,
    clip: 1,
    adjacency,
    delta,
  });
  const scale = mechanism.noiseScale(shareOfBudget(mechanism.budgetKind, 1, { epsilon, delta }));
  const noise =
    statistic === "covariance"
      ? matrixNoiseOf(mechanism, scale, d).edge
      : d * entryNoiseOf(mechanism, scale, d).deviation;
  const paid = m / noise / PER_ROUND[statistic];
  // The deviations of T Gaussian rounds grow as sqrt(T), those of pure ones as T.
  const rounds = Math.ceil(mechanism.budgetKind === "mu" ? paid : Math.sqrt(paid));
  return Math.min(MOST, statistic === "covariance" ? rounds : rounds + 1);
}
