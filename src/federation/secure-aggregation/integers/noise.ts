/**
 * The noise that participants add before masking: distributed discrete Gaussian shares.
 *
 * **Statement.** Every participant adds N_Z(0, s^2) to each integer (N_Z(0, 2 s^2) on the diagonal of a
 * matrix). With h honest participants in the sum, the curator and all the others together see values of
 * squared sensitivity D^2 under noise that is, up to a factor e^(+-tau) a point, discrete Gaussian of
 * variance h s^2: mu = D / (u s sqrt(h))-Gaussian DP, u = sqrt(2) for matrices, 1 else, with the price
 * of `privacy/accounting/discrete.ts`. s is the least integer with which h = t - c gives the round's
 * budget; more honest participants give less than it, fewer more.
 *
 * **Proof.** Noise of colluders is known to the adversary and subtracted. The rest is independent of
 * everything it sees: a sum of h shares. Of a symmetric integer change C, sum_i C_ii^2 / (2 s^2) +
 * sum_(i<j) C_ij^2 / s^2 = ||C||_F^2 / (2 s^2). Then `discreteGaussianEvent` with `shares`. QED
 * @see Kairouz, Liu, Steinke (2021).
 * @module
 */
import { positive } from "../../../core/checks.js";
import type { Core } from "../../../core/index.js";
import { discreteGaussianEvent, type DiscreteGaussianEvent } from "../../../privacy/index.js";
import type { NoiseStream } from "../../../privacy/index.js";
import { isMatrix } from "./fixed-point.js";
import type { AggregationGrid } from "./aggregation-grid.js";

/** Largest share parameter that the kernels draw exactly. */
export const LARGEST_STEPS = 2 ** 46;
/** Below it the price of discreteness has no theorem here. */
const SMALLEST_STEPS = 4;

/**
 * s, the parameter of every participant's share at budget mu, in integers of the statistic.
 *
 * @param squaredSensitivity D^2.
 * @param honest             h the budget is to be met with.
 */
export function shareSteps(
  budget: number,
  squaredSensitivity: bigint,
  honest: number,
  matrix: boolean,
): number {
  positive("budget", budget);
  const exact = Math.sqrt(Number(squaredSensitivity) / (matrix ? 2 * honest : honest)) / budget;
  return Math.max(SMALLEST_STEPS, Math.ceil(exact * (1 + 2 ** -48)));
}

/**
 * What a round with shares of parameter s costs if h honest participants are in the sum.
 *
 * @param honest h >= 1. The event of the plan has h = t - c.
 */
export function shareEvent(
  grid: AggregationGrid,
  steps: number,
  honest: number,
): DiscreteGaussianEvent {
  const { statistic, step, entries, adjacency } = grid;
  const unit = isMatrix(statistic) ? Math.SQRT2 : 1;
  // Rounded against us: by more than the error of the square roots.
  return discreteGaussianEvent({
    sigma: unit * Math.sqrt(honest) * steps * step * (1 - 2 ** -50),
    grid: step,
    entries,
    shares: honest,
    sensitivity: Math.sqrt(Number(grid.squaredSensitivity)) * step * (1 + 2 ** -50),
    adjacency,
  });
}

/** s of the shares that an event of {@link shareEvent} stands for: exact, s being at most 2^46. */
export function eventSteps(grid: AggregationGrid, event: DiscreteGaussianEvent): number {
  const unit = isMatrix(grid.statistic) ? Math.SQRT2 : 1;
  return Math.round(event.sigma / (unit * Math.sqrt(event.shares!) * grid.step));
}

/**
 * sum <- sum + one participant's share of noise, exact integers.
 *
 * @param random a stream in the memory of `core`, selected for this round and attempt.
 */
export function addNoiseShare(
  core: Core,
  random: NoiseStream,
  grid: AggregationGrid,
  steps: number,
  sum: Float64Array,
): void {
  const { arena, kernels } = core;
  const { entries, statistic, side } = grid;
  const mark = arena.mark();
  const at = arena.f64(entries, "a share of noise");
  const diagonal = isMatrix(statistic) ? side : 0;
  const plain = entries - diagonal;
  kernels.discreteGaussian(random.state, at, plain, steps, 1);
  kernels.discreteGaussian(random.state, at + 8 * plain, diagonal, steps, 2);
  const draws = arena.view(at, entries);
  if (diagonal === 0) {
    for (let i = 0; i < entries; i++) sum[i]! += draws[i]!;
  } else {
    let next = 0;
    for (let i = 0, k = 0; i < side; i++) {
      sum[k++]! += draws[plain + i]!;
      for (let j = i + 1; j < side; j++) sum[k++]! += draws[next++]!;
    }
  }
  arena.wipe(at, 8 * entries);
  arena.release(mark);
}
