/**
 * Two-sided Wishart noise: S + E1 - E2 with E1, E2 independent W_n(n + 1, v I). Pure DP.
 *
 * **Statement.** With nuclear-norm sensitivity Delta and v = Delta / (2 eps) the release is eps-DP.
 *
 * **Proof.** With n + 1 degrees of freedom the Wishart density is c exp(-tr A / (2v)) on the cone
 * A >= 0. So E has density
 *   p(E) = c^2 Int_{B >= 0, E + B >= 0} exp(-(tr E + 2 tr B) / (2v)) dB,
 * positive for every symmetric E: no output is impossible on one side only. For D >= 0 the set
 * {B >= 0, E + B >= 0} lies inside {B >= 0, E + D + B >= 0}, hence p(E + D) >= exp(-tr D/(2v)) p(E).
 * Written in A = E + B,
 *   p(E) = c^2 Int_{A >= 0, A >= E} exp(-(2 tr A - tr E) / (2v)) dA,
 * and {A >= E + D} lies inside {A >= E}, hence p(E + D) <= exp(tr D/(2v)) p(E). A symmetric change is
 * D = D+ - D- with D+, D- >= 0, so the log ratio is at most (tr D+ + tr D-)/(2v) = ||D||_nuc/(2v). QED
 *
 * Drawn in floating point (the form "float"), this is proven for real numbers only; `exact/rounded-wishart.ts` draws the
 * same noise exactly.
 *
 * In one dimension this is the Laplace mechanism of scale 2v.
 *
 * **Shift.** -lambda_min(E) has the law of lambda_max(E). Its limit for large n is the edge of the
 * free difference of two Marchenko-Pastur laws of ratio 1, 3.3302 n v (the critical value of
 * 1/z + 2z/(1 - z^2)); 2.5 sqrt(n + 1) v is added for fluctuation. Measured for n from 1 to 100, at
 * most 1 % of draws go beyond (test).
 * @module
 */
import { positive } from "../../core/checks.js";
import { twoSidedWishartEvent } from "../events/events.js";
import { sensitivity as sensitivityOf } from "../sensitivity.js";
import {
  matrixSide,
  REAL_NUMBERS_ONLY,
  type Mechanism,
  type MechanismOptions,
} from "./mechanism.js";
import { FREE_EDGE } from "./noise-law.js";

/** Two-sided Wishart mechanism; a round's budget is its eps. */
export function twoSidedWishartMechanism(options: MechanismOptions): Mechanism {
  const { statistic, adjacency = "replace" } = options;
  const n = matrixSide(options);
  const sensitivity = sensitivityOf({ ...options, adjacency, norm: "nuclear" });
  const noiseScale = (budget: number) => sensitivity / (2 * positive("budget", budget));
  return {
    name: "two-sided-wishart",
    statistic,
    adjacency,
    sound: true,
    exact: false,
    why: `the difference of two Wishart matrices has full support and a density ratio bounded by the nuclear-norm sensitivity: pure DP${REAL_NUMBERS_ONLY}`,
    budgetKind: "epsilon",
    noiseScale,
    event: (budget) => twoSidedWishartEvent({ scale: noiseScale(budget), sensitivity, adjacency }),
    perturb({ kernels, arena }, random, at, budget, work) {
      const scratch = work + 8 * n * n + ((8 * n * n) % 16);
      for (const sign of [1, -1]) {
        kernels.wishart(random.state, work, n, n + 1, noiseScale(budget), scratch);
        kernels.axpy(sign, work, at, n * n);
      }
      arena.wipe(work, scratch - work + kernels.wishartWorkspace(n));
    },
    workspace: ({ kernels }) => 8 * n * n + ((8 * n * n) % 16) + kernels.wishartWorkspace(n),
    shift: (budget) => noiseScale(budget) * (FREE_EDGE * (n + 1) + 2.5 * Math.sqrt(n + 1)),
  };
}
