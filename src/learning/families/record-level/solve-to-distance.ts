/**
 * Strongly convex problems of the record-level baselines, solved to a distance that is known
 * beforehand, because their noise is scaled to how far the exact solution can move.
 * @module
 */
import { largest } from "../../../core/largest.js";
import * as math from "../../../core/elementary.js";
import type { Pointer } from "../../../core/index.js";
import { fixedMomentum } from "../../steps/momentum.js";
import type { Projection } from "../../steps/projection.js";
import { ProximalGradient } from "../../steps/proximal-gradient.js";
import { Curator } from "../../round/curator.js";
import { runRounds } from "../../round/run.js";
import { aloneRule } from "../../sharing/alone.js";
import type { ClippedTasks } from "./clipped-slopes.js";

/** min_W sum_i L_i(w_i) + (mu/2) ||W||_F^2 + g(W), g convex. */
export interface StronglyConvexProblem {
  readonly tasks: ClippedTasks;
  /** mu > 0. */
  readonly strongConvexity: number;
  /** prox of step g, given the step; by default g = 0. */
  readonly proximal?: ((step: number) => Projection) | undefined;
  /** Bound on ||W - W*||_F at the end. */
  readonly distance: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs accelerated proximal gradient from W = 0 for as many steps as bring ||W - W*||_F below
 * `distance`: F(W_k) - F* <= (1 - sqrt(mu/L))^k (F(0) - F* + (mu/2) ||W*||^2) <=
 * 2 F(0) exp(-k sqrt(mu/L)), and (mu/2) ||W_k - W*||^2 <= F(W_k) - F*.
 *
 * @returns W, [m, d], in the core's memory.
 * @see Beck (2017), "First-order methods in optimization", Theorem 10.42.
 */
export async function solveToDistance(problem: StronglyConvexProblem): Promise<Pointer> {
  const { tasks, strongConvexity, distance, signal } = problem;
  const { m, d, core } = tasks;
  const smoothness = largest(tasks.smoothness()) + strongConvexity;
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
  const losses = core.arena.f64(m);
  tasks.losses(core.arena.zeros(m * d), 0, losses); // clipping slopes only lowers them
  const start = core.arena.view(losses, m).reduce((sum, loss) => sum + loss, 0);
  const steps = Math.sqrt(smoothness / strongConvexity);
  // In logarithms, and of a finite start: with clipped slopes the losses are no more than G |y|.
  const log =
    math.log(4) +
    math.log(Math.min(Math.max(start, Number.MIN_VALUE), Number.MAX_VALUE)) -
    math.log(strongConvexity) -
    2 * math.log(distance);
  await runRounds({
    participants,
    curator: new Curator({ core, m, d, rule: aloneRule }),
    rounds: Math.max(1, Math.ceil(steps * log)),
    signal,
  });
  return participants.weights;
}

/** No proximal step. */
function keep({ core: { arena }, m, d }: ClippedTasks): Projection {
  return (_broadcast, from, to) => arena.view(to, m * d).set(arena.view(from, m * d));
}
