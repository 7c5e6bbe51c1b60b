/**
 * One-sided Wishart noise, the papers' mechanism: S + E, E ~ W_d(nu, v I), or its diagonal.
 *
 * **Statement 1 (nu = d + 1, v = K^2 / (2 eps), the papers' setting).** It is *not* eps-DP, for no
 * eps. Zeroing out a column of norm K, the release gives that away with certainty with probability
 * exactly 1 - exp(-eps), whatever d is. It is (0, 1 - exp(-eps))-DP under zero-out, and
 * (eps, 1 - exp(-eps))-DP under replace; both deltas are attained.
 *
 * **Proof.** The noise is supported on the cone E >= 0. Without the column w, the output C + E lies
 * outside the support {S : S - C - w w^T >= 0} of the world with it exactly when E - w w^T is not >= 0,
 * that is when w^T E^-1 w > 1. With X = ||w||^2 / (v * w^T E^-1 w) chi-square with nu - d + 1 degrees of
 * freedom (Muirhead 1982, Theorem 3.2.12), this is X < K^2/v = b; with 2 degrees of freedom it has
 * probability 1 - exp(-b/2) = 1 - exp(-eps). The density is c exp(-tr E / (2v)) on the cone, so
 * where both worlds are possible the ratio is the constant exp(b/2): without against with, the
 * loss is infinite or -b/2; with against without it is always +b/2 with total variation
 * 1 - exp(-b/2). For replace go through the world that holds both columns: the first step costs
 * (0, 1 - exp(-eps)), the second (eps, 0). Removing a column is a special replacement, so delta is
 * attained there too. QED
 *
 * **Statement 2 (nu > d + 1).** A sound (eps, delta) mechanism, with the exact profile of
 * `accounting/wishart-profile.ts` under zero-out and its two-step bound under replace, also composed (Sheffet 2015,
 * 2019 for the idea; the exact profile by the same chi-square reduction).
 *
 * The density of E with more degrees of freedom has the factor det(E)^((nu-d-1)/2); the ratio of the
 * two worlds is (1 - w^T S^-1 w / ...)^..., a function of the one chi-square variable above.
 *
 * **Statement 3 (nu = d + 1, v = K / eps: the older text).** Statement 1 with b = K eps: the release gives the column
 * away with probability 1 - exp(-K eps / 2), and the loss where both worlds are possible is K eps / 2. Neither is
 * a function of eps alone: measuring the models in other units changes both.
 *
 * The older text calls 2K the sensitivity of W W^T, in which a column of norm K makes a difference of nuclear norm
 * K^2; v = 2K / (2 eps). For K above 2 that is less noise than the newest text's, for the same nominal eps.
 *
 * **Statement 4 (diagonal).** The diagonal of the release, which Algorithm 3 reads, has independent noise v chi-square(nu)
 * on its entries. What the statements above say of the matrix bounds it, as it is computed from the matrix. It is
 * not eps-DP either: a chi-square has no negative values.
 *
 * **Shift.** E >= 0 has no negative part: 0. The smallest eigenvalue grows with v, so the papers'
 * Proposition 1 holds without one.
 * @module
 */
import { finite, positive } from "../../core/checks.js";
import { wishartEvent } from "../events/events.js";
import { REAL_NUMBERS_ONLY, type Mechanism, type MechanismOptions } from "./mechanism.js";

/** Options of the one-sided Wishart mechanism. */
export interface WishartOptions extends MechanismOptions {
  /** nu >= d + 1; default d + 1, the papers' choice, which is reported as not sound. */
  degreesOfFreedom?: number;
}

/** How the papers turn a round's eps b into the scale v, and what is wrong with it. */
interface Text {
  readonly name: "wishart" | "wishart-older";
  readonly noiseScale: (clip: number, budget: number) => number;
  /** Whether v says something else than b to who knows K. */
  readonly claims: boolean;
  readonly why: string;
}

const IN_A_CONE =
  "one-sided Wishart noise lies in a cone: a release can be impossible in the neighbouring world, so it is not eps-DP for any eps";

const NEWEST: Text = {
  name: "wishart",
  noiseScale: (clip, budget) => (clip * clip) / (2 * budget),
  claims: false,
  why: `${IN_A_CONE}; the papers' nominal eps is kept for reproduction only`,
};

const OLDER: Text = {
  name: "wishart-older",
  noiseScale: (clip, budget) => clip / budget,
  claims: true,
  why: `${IN_A_CONE}; the older text's scale takes 2K for the sensitivity of W W^T, which is K^2, so what it hides depends on the units of the models; kept for reproduction only`,
};

/** One-sided Wishart mechanism; a round's budget b is its nominal eps: v = K^2 / (2 b). */
export function wishartMechanism(options: WishartOptions): Mechanism {
  return oneSided(NEWEST, options, options.degreesOfFreedom);
}

/**
 * One-sided Wishart mechanism with the noise of the paper's first versions; a round's budget b is its nominal eps: v = K / b.
 * Always of d + 1 degrees of freedom, and never sound.
 */
export function olderWishartMechanism(options: MechanismOptions): Mechanism {
  return oneSided(OLDER, options);
}

function oneSided(text: Text, options: MechanismOptions, degreesOfFreedom?: number): Mechanism {
  const { statistic, dimension: d, clip, adjacency = "replace" } = options;
  if (statistic !== "covariance" && statistic !== "diagonal") {
    throw new RangeError(
      `statistic: expected "covariance" or "diagonal" for mechanism "${text.name}", got "${statistic}"`,
    );
  }
  const nu = finite("degreesOfFreedom", degreesOfFreedom ?? d + 1);
  const sound = nu > d + 1;
  const noiseScale = (budget: number) => text.noiseScale(clip, positive("budget", budget));
  const event = (budget: number) =>
    wishartEvent({
      dimension: d,
      degreesOfFreedom: nu,
      scale: noiseScale(budget),
      clip,
      adjacency,
      ...(text.claims ? { nominal: budget } : {}),
    });
  event(1); // refuses bad sizes now
  return {
    name: text.name,
    statistic,
    adjacency,
    sound,
    exact: false,
    why: sound
      ? `one-sided Wishart noise with more than d + 1 degrees of freedom, accounted by its exact chi-square profile${REAL_NUMBERS_ONLY}`
      : text.why,
    budgetKind: "epsilon",
    noiseScale,
    event,
    ...(statistic === "diagonal" ? diagonalDraw(d, nu, noiseScale) : matrixDraw(d, nu, noiseScale)),
    shift: () => 0,
  };
}

type Draw = Pick<Mechanism, "perturb" | "workspace">;

function matrixDraw(d: number, nu: number, noiseScale: (budget: number) => number): Draw {
  const sample = 8 * d * d + ((8 * d * d) % 16);
  return {
    perturb({ kernels, arena }, random, at, budget, work) {
      const scratch = work + sample;
      kernels.wishart(random.state, work, d, nu, noiseScale(budget), scratch);
      kernels.axpy(1, work, at, d * d);
      arena.wipe(work, sample + kernels.wishartWorkspace(d));
    },
    workspace: ({ kernels }) => sample + kernels.wishartWorkspace(d),
  };
}

/** The diagonal of a Wishart matrix of scale v I alone: independent, v chi-square(nu) each. */
function diagonalDraw(d: number, nu: number, noiseScale: (budget: number) => number): Draw {
  return {
    perturb({ kernels, arena }, random, at, budget) {
      const v = noiseScale(budget);
      const entries = arena.view(at, d);
      for (let j = 0; j < d; j++) entries[j]! += v * kernels.randomChiSquare(random.state, nu);
    },
    workspace: () => 0,
  };
}
