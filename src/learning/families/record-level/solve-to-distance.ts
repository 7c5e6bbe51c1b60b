/**
 * Strongly convex problems of the record-level baselines, solved to a distance that is known
 * beforehand, because their noise is scaled to how far the exact solution can move.
 *
 * How long the steps are and how many there are follow from public sizes and declared bounds alone. A task that is
 * not coupled to others is solved by a function of its own rows: read off the data at hand, the steps of all tasks would
 * hang on the one with the largest curvature, and a record of it could turn what another task decides by its solution.
 * @module
 */
import * as math from "../../../core/elementary.js";
import type { Pointer } from "../../../core/index.js";
import { fixedMomentum } from "../../steps/momentum.js";
import type { Projection } from "../../steps/projection.js";
import { ProximalGradient } from "../../steps/proximal-gradient.js";
import { publicSmoothness } from "../../tasks/losses.js";
import { Curator } from "../../round/curator.js";
import { runRounds } from "../../round/run.js";
import { aloneRule } from "../../sharing/alone.js";
import type { ClippedTasks } from "./clipped-slopes.js";

/** min_W sum_i L_i(w_i) + (mu/2) ||W||_F^2 + g(W), g convex, g >= g(0) = 0. */
export interface StronglyConvexProblem {
  readonly tasks: ClippedTasks;
  /** mu > 0. */
  readonly strongConvexity: number;
  /** B, to which all rows were held. */
  readonly featureBound: number;
  /** prox of step g, given the step; by default g = 0. */
  readonly proximal?: ((step: number) => Projection) | undefined;
  /** Bound on ||W - W*||_F at the end. */
  readonly distance: number;
  readonly signal?: AbortSignal | undefined;
}

/** Covers what rows may pass their bound by (`checkFeatureBound`), and rounding. */
const LONGER_ROWS = 1 + 1e-8;

/**
 * Runs accelerated proximal gradient from W = 0 for as many steps as bring ||W - W*||_F below
 * `distance`: F(W_k) - F* <= (1 - sqrt(mu/L))^k (F(0) - F* + (mu/2) ||W*||^2) <=
 * 2 (F(0) - F*) exp(-k sqrt(mu/L)), and (mu/2) ||W_k - W*||^2 <= F(W_k) - F*. As g is least at 0,
 * F(0) - F* <= R^2 / (2 mu) for R the norm of the losses' gradient at 0, which is at most
 * c_i n_i G B in task i.
 *
 * @returns W, [m, d], in the core's memory.
 * @see Beck (2017), "First-order methods in optimization", Theorem 10.42.
 */
export async function solveToDistance(problem: StronglyConvexProblem): Promise<Pointer> {
  const { tasks, strongConvexity, featureBound, distance, signal } = problem;
  const { m, d, core } = tasks;
  const smoothness = knownSmoothness(tasks, strongConvexity, problem);
  const step = 1 / smoothness;
  const participants = new ProximalGradient(tasks, {
    clip: Infinity,
    clipIterate: false,
    steps: new Float64Array(m).fill(step),
    strongConvexity,
    momentum: fixedMomentum("strongly-convex", strongConvexity, smoothness),
    gradientFirst: true,
    projection: problem.proximal?.(step) ?? keep(tasks),
    initial: new Float64Array(m * d),
    initialIntercepts: new Float64Array(m),
  });
  const steps = Math.sqrt(smoothness / strongConvexity);
  // In logarithms, where no square overflows.
  const log =
    math.log(2) +
    2 * (math.log(steepest(tasks) * featureBound) - math.log(strongConvexity) - math.log(distance));
  await runRounds({
    participants,
    curator: new Curator({ core, m, d, rule: aloneRule }),
    rounds: Math.max(1, Math.ceil(steps * log)),
    signal,
  });
  return participants.weights;
}

/** L of the whole problem but g, whatever the rows. */
export function knownSmoothness(
  { loss, lossScale, mostRows }: ClippedTasks,
  strongConvexity: number,
  { featureBound }: { readonly featureBound: number },
): number {
  const ofLosses = publicSmoothness(loss, lossScale, featureBound, mostRows);
  return ofLosses * LONGER_ROWS + strongConvexity;
}

/**
 * sqrt(sum_i (c_i n_i G)^2): no gradient at 0 is longer than B times that. Without a declared G it is read off the data, as the
 * papers' noise is, which promises nothing.
 */
function steepest(tasks: ClippedTasks): number {
  const { core, m, d, bound, scales, offsets } = tasks;
  const slope =
    bound === Infinity ? Math.max(1, tasks.largestSlope(core.arena.zeros(m * d))) : bound;
  const starts = core.arena.words(offsets, m + 1);
  const weights = core.arena.view(scales, m);
  const squares = weights.reduce(
    (sum, scale, i) => sum + (scale * (starts[i + 1]! - starts[i]!)) ** 2,
    0,
  );
  return slope * Math.sqrt(squares) * LONGER_ROWS;
}

/** No proximal step. */
function keep({ core: { arena }, m, d }: ClippedTasks): Projection {
  return (_broadcast, from, to) => arena.view(to, m * d).set(arena.view(from, m * d));
}
