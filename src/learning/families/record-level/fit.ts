/**
 * The rounds of the record-level baselines: solve all tasks, release with the noise of one record, and
 * state what that is for a task.
 * @module
 */
import { largest } from "../../../core/largest.js";
import type { Pointer } from "../../../core/index.js";
import type { TaskSet } from "../../../data/index.js";
import { fittedModel } from "../../fitted/build-model.js";
import type { FitOptions } from "../../round/estimator.js";
import { sumOfLosses, taskLosses } from "../../fitted/linear-models.js";
import { checkFeatureBound } from "../../options/check-feature-bound.js";
import { publicSizes } from "../../release/public-sizes.js";
import { PrivateReleases } from "../../release/private-releases.js";
import { refuseWarmStart } from "../../release/refuse-warm-start.js";
import type { FittedModelState } from "../../fitted/model-state.js";
import { asPrivate, type PrivateModel } from "../../fitted/private-model.js";
import type { Projection } from "../../steps/projection.js";
import { Curator } from "../../round/curator.js";
import { noiseScaleAt } from "../../round/release-plan.js";
import type { SharingRule } from "../../round/sharing-rule.js";
import type { ClippedTasks } from "./clipped-slopes.js";
import {
  placeClipped,
  recordLevelGuarantee,
  recordReleases,
  releaseBound,
  heldByAll,
  requireSingleRecords,
  type RecordLevelOptions,
} from "./options.js";
import { solveToDistance } from "./solve-to-distance.js";
import { fallBack } from "./fallback.js";

/** What tells one such baseline from another. */
export interface RecordLevelMethod {
  readonly method: string;
  readonly options: RecordLevelOptions;
  /** mu > 0, of the problem that is solved in every round. */
  readonly strongConvexity: number;
  readonly rounds: number;
  /** What is released of the solution: the tasks' "average", [d], or all "models", [m, d]. */
  readonly released: "average" | "models";
  /** prox of what couples the tasks in the next round, given the step; default nothing. */
  coupling?(tasks: ClippedTasks): (step: number) => Projection;
  /** Looks at a release, which is public. */
  see?(models: Float64Array, sizes: { m: number; d: number }): void;
  /** What was learned beside the models. */
  components?(): FittedModelState["components"] & object;
}

/** Broadcast: the release, as it is. */
const asReleased: SharingRule = {
  statistic: "vector",
  broadcastLength: (_m, d) => d,
  prepare:
    ({ core: { arena }, d }) =>
    (statistic, broadcast) => {
      arena.view(broadcast, d).set(arena.view(statistic, d));
      return {};
    },
};

/**
 * Runs the releases and makes the model.
 * @throws DataError if a row is longer than `featureBound`.
 */
export async function fitRecordLevel(
  definition: RecordLevelMethod,
  data: TaskSet,
  hooks: FitOptions,
): Promise<PrivateModel> {
  const { method, options, strongConvexity, rounds, released } = definition;
  const { featureBound, slopeBound } = options;
  refuseWarmStart(method, hooks);
  requireSingleRecords(data, options);
  checkFeatureBound(data, featureBound);
  const placed = placeClipped(data, options);
  const { tasks } = placed;
  const { m, d, core } = tasks;
  const { arena } = core;
  // An average is the sum of m vectors of length d, all models one vector of length m d.
  const parts = released === "average" ? m : 1;
  const length = (m * d) / parts;
  const perSlope =
    (largest(arena.view(tasks.scales, m)) * featureBound) / (strongConvexity * parts);
  const declared = slopeBound === "data" ? 1 : slopeBound;
  const { distance } = releaseBound(perSlope * declared);
  let releases: PrivateReleases | undefined;
  let curator: Curator | undefined;
  try {
    for (let round = 1; round <= rounds; round++) {
      hooks.signal?.throwIfAborted();
      const solution = await solveToDistance({
        tasks,
        strongConvexity,
        distance,
        proximal: definition.coupling?.(tasks),
        signal: hooks.signal,
      });
      // The papers' bound is read off the first solution and kept.
      releases ??= new PrivateReleases(
        recordReleases(options, publicSizes(data), {
          length,
          clip: releaseBound(
            perSlope * (slopeBound === "data" ? tasks.largestSlope(solution) : declared),
          ).clip,
          rounds,
        }),
        { core, random: options.random, journal: hooks.journal },
      );
      const { observe } = hooks;
      const privacy = releases.stages[0];
      curator ??= new Curator({ core, m: parts, d: length, rule: asReleased, privacy, observe });
      const shared = arena.view(solution, m * d);
      for (let j = 0; j < shared.length; j++) shared[j]! /= parts;
      curator.round(solution, round);
      definition.see?.(arena.view(curator.broadcast, length).slice(), { m, d });
      hooks.onRound?.({ round, rounds });
    }
    const weights = modelsOf(tasks, curator!.broadcast, length);
    if (options.safeguard) {
      const { signal } = hooks;
      const problem = { strongConvexity, distance, signal };
      const { classes } = placed;
      await fallBack({ tasks, data, classes, options, weights, part: 1 / parts, problem });
    }
    const guarantee = recordLevelGuarantee(releases!, data, options, hooks);
    const recordGuarantee = heldByAll(guarantee, options);
    return asPrivate(
      fittedModel(
        data,
        placed,
        { weights, intercepts: 0 },
        {
          method,
          options,
          guarantee,
          ledger: releases!.ledger,
          ...(recordGuarantee ? { recordGuarantee, recordLedger: releases!.ledger } : {}),
          certificate: null,
          rounds,
          history: Array.from({ length: rounds }, (_, k) => ({
            round: k + 1,
            noiseScale: noiseScaleAt(releases!.plan.main, k + 1),
          })),
          objective: sumOfLosses(taskLosses(tasks, { weights, intercepts: 0 })),
          ...(definition.components ? { components: definition.components() } : {}),
        },
      ),
    );
  } finally {
    releases?.close();
  }
}

/** [m, d] of what was released: every task has the average, or its own row. */
function modelsOf({ core: { arena }, m, d }: ClippedTasks, released: Pointer, length: number) {
  const weights = arena.f64(m * d);
  for (let at = 0; at < m * d; at += length) {
    arena.view(weights + 8 * at, length).set(arena.view(released, length));
  }
  return weights;
}
