/**
 * PMTL's sharing rule: the shared model moves by the noisy mean of the tasks' updates.
 * @module
 */
import { aboveNoiseOf } from "../../release/above-noise.js";
import type { CuratorParts } from "../../release/curator-half.js";
import type { CombineVectors } from "../../round/statistic/robust-sum.js";
import type { SharingRule } from "../../round/sharing-rule.js";

/** What the curator starts from and divides by; all public. */
export interface RunningMeanOptions {
  /** w~(0), [d]. */
  readonly initial: Float64Array;
  /** Number of participants expected in a round, or what stands for it beside `combine`. */
  readonly divisor: number;
  /** Factor of the mean, > 0. */
  readonly stepSize: number;
  /** Whether the mean of a round is the shared model, whatever it was; default false: it moves by the mean. */
  readonly afresh?: boolean;
  /** What stands in the place of the sum; default the sum. */
  readonly combine?: CombineVectors | undefined;
}

/**
 * Broadcast: w~(t+1) = w~(t) + stepSize S / divisor, S the noisy sum of clipped updates; [d]. Afresh, of models: w~(t+1) =
 * stepSize S / divisor.
 *
 * @see Hu, Wu, Smith (2023), "Private multi-task learning", Algorithm 1, with stepSize 1.
 */
export function runningMeanRule({
  initial,
  divisor,
  stepSize,
  afresh = false,
  combine,
}: RunningMeanOptions): SharingRule {
  return {
    statistic: "vector",
    combine,
    broadcastLength: (_m, d) => d,
    prepare: ({ core: { arena, kernels }, d }) => {
      const mean = arena.copyOf(initial);
      const factor = stepSize / divisor;
      return (statistic, broadcast) => {
        // From the sum of models to the way there; its rounding is far below the noise.
        if (afresh) kernels.axpy(-1 / factor, mean, statistic, d);
        kernels.axpy(factor, statistic, mean, d);
        arena.view(broadcast, d).set(arena.view(mean, d));
        return { movement: factor * Math.sqrt(kernels.dot(statistic, statistic, d)) };
      };
    },
  };
}

/** A round's line in the history of a fit, of noise in the mean that the release is divided to. */
export const meanEntry =
  (divisor: number): NonNullable<CuratorParts["entry"]> =>
  ({ round, movement = 0, ...report }, noiseScale, spent) => ({
    round,
    movement,
    noiseScale: noiseScale / divisor,
    epsilon: spent(),
    ...aboveNoiseOf(report),
  });
