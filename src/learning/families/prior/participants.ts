/**
 * The tasks' half of the methods whose broadcast is a prior: local solves under it, and what is kept of them.
 * @module
 */
import { LocalSelection, withSelection } from "../../local-selection/local-selection.js";
import { BELIEF, FALLBACK } from "../../local-selection/thresholds.js";
import { TASK_LIMITS } from "../../fitted/feature-limits.js";
import { linearModels, taskLosses } from "../../fitted/linear-models.js";
import { ownLimits } from "../../fitted/own-limits.js";
import { placeTasks, type ResidentTasks } from "../../tasks/resident-tasks.js";
import { pooledModels } from "./pooled-alone.js";
import { protectRecords } from "../../options/curator-trust.js";
import { VOTE } from "../../local-selection/private-selection.js";
import type { Halves } from "../../round/halves.js";
import { scaledIdentity } from "../../tasks/local-solves.js";
import type { LocalModels } from "../../tasks/local-models.js";
import { ownModels } from "../../tasks/own-models/own-models.js";
import { ridgeModels } from "../../tasks/ridge.js";
import { scaleFeatures } from "./feature-scale.js";
import { votedStrengths } from "./strength-vote.js";
import { selectStrength, type SelectedModels, type StrengthPrior } from "./strength-selection.js";
import { roundsOf, type PriorMethod } from "./method.js";
import { marginLoss, type PriorMethodOptions } from "./options.js";
import { strengthBelief, STRENGTHS } from "./strength-belief.js";
import { LocalSolve } from "./local-solve.js";
import { priorBroadcastLength } from "./covariance-prior.js";
import { recordSolve, scalePublicly } from "./record-tasks.js";
import { requireUnit } from "../../options/person-options.js";
import { requireKnownSizes } from "./check-records.js";
import { uploadFactors } from "../../release/owner-accounts.js";

/** The tasks' solves, and what each selects: a strength of the prior, or its single-task model. */
export const priorParticipants =
  (definition: PriorMethod, options: PriorMethodOptions): Halves["participants"] =>
  ({ core, data, sizes, positions, classes, releases }) => {
    const { clip, centered, refined } = definition;
    const { tasks } = placeTasks(data, options, { core, classes, sizes });
    const hidden = options.unit !== "task";
    if (hidden) requireKnownSizes(data, options);
    requireUnit(data, options);
    // Of the features as they are given.
    const own =
      options.priorStrength === "wide" && options.safeguard && !hidden
        ? ownModels(tasks, "zeros")
        : undefined;
    const factors = hidden
      ? scalePublicly(tasks, data, options)
      : options.featureScale === "own"
        ? scaleFeatures(tasks)
        : undefined;
    const strength = ownStrength(options);
    const singleTask = singleTaskModels(tasks, strength);
    const voted = releases.stages.some(({ label }) => label === VOTE)
      ? votedStrengths(options)
      : undefined;
    const { initialPenalty } = options;
    const participants = new LocalSolve(tasks, {
      clip,
      scaling: options.uploadScaling,
      initial: initialPenalty === "auto" ? singleTask : ridgeModels(tasks, initialPenalty),
      strength,
      centered,
      refined,
    });
    const rounds = roundsOf(definition, options, sizes);
    const uploading = hidden
      ? recordSolve(tasks, participants, {
          ...{ definition, data, options, sizes },
          weights: uploadFactors(releases, positions),
        })
      : participants;
    const records = protectRecords(participants, core, { ...options, rounds, clip, positions });
    return withSelection(
      {
        participants: records ?? uploading,
        rounds,
        broadcastLength: priorBroadcastLength(sizes.d),
        records,
        models: () => {
          const { weights, intercepts } = linearModels(tasks, participants);
          return {
            weights: factors ? weights.map((v, k) => v * factors[k]!) : weights,
            intercepts,
            // A prior says how large slopes are, not how far rows may lie from those that they were learned from. Where single rows are
            // hidden columns are declared, or of unit size.
            components: hidden ? {} : ownLimits(data),
          };
        },
        byTask: [TASK_LIMITS],
        losses: () => taskLosses(tasks, participants),
        close: () => records?.close(),
      },
      selectionOf(tasks, participants, {
        ...{ singleTask, voted, fallback: options.safeguard },
        alone: own && inScale(own, factors),
      }),
    );
  };

/** Models of the features as they were given as models of the scaled ones. */
const inScale = (own: LocalModels, factors: Float64Array | undefined): LocalModels =>
  factors ? { ...own, weights: own.weights.map((w, k) => w / factors[k]!) } : own;

/**
 * Selection by the evidence of the last solve.
 * @param singleTask the models under a prior that says nothing.
 * @param alone models that each task's is a pool with, and that all keep where the releases said nothing; undefined: none.
 * @param voted strengths that are voted on, consecutive ones of all.
 */
function selectionOf(
  tasks: ResidentTasks,
  participants: LocalSolve,
  {
    singleTask,
    alone,
    voted,
    fallback,
  }: {
    singleTask: SelectedModels;
    alone: LocalModels | undefined;
    voted: readonly number[] | undefined;
    fallback: boolean;
  },
): LocalSelection {
  const { core, m, loss } = tasks;
  const all = STRENGTHS[marginLoss(loss)];
  const offsets = core.arena.words(tasks.offsets, m + 1).slice();
  const models = {
    loss,
    offsets,
    singleTaskLosses: singleTask.rowLosses,
    costs: () => {
      const { costs } = participants.chosen;
      const first = all.indexOf(voted![0]!);
      return costs.filter((_, k) => {
        const at = (k % all.length) - first;
        return at >= 0 && at < voted!.length;
      });
    },
    keep: (winner: number | undefined) => {
      if (winner !== undefined) {
        const center = voted![winner]!;
        participants.solveAgain({
          candidates: all,
          center,
          decades: BELIEF.priorStrength.pooled,
        });
      }
      const { chosen } = participants;
      if (alone) {
        const held = { offsets, shared: chosen.rowLosses, alone: singleTask.rowLosses };
        participants.keep(participants.informed ? pooledModels(chosen, alone, held) : alone);
      }
      return chosen.rowLosses;
    },
    fallBack: (which: Uint8Array) => participants.keep(singleTask, which),
  };
  return new LocalSelection(core, models, {
    // A pool needs no test.
    fallback: fallback && !alone ? FALLBACK.prior : undefined,
    vote: voted && { candidates: voted.length },
  });
}

/** Candidates and belief of every task's own choice. */
function ownStrength(options: PriorMethodOptions): StrengthPrior {
  const { loss, priorStrength } = options;
  const belief = strengthBelief(options);
  return typeof priorStrength === "number"
    ? { ...belief, candidates: [priorStrength], center: priorStrength }
    : { ...belief, candidates: STRENGTHS[marginLoss(loss)] };
}

/** Every task's model under the prior that says nothing, chosen by the same rule. */
function singleTaskModels(tasks: ResidentTasks, strength: StrengthPrior): SelectedModels {
  const { arena } = tasks.core;
  const mark = arena.mark();
  const identity = { precision: scaledIdentity(arena, tasks.d, 1), center: 0 };
  const chosen = selectStrength(tasks, identity, strength);
  arena.release(mark);
  return chosen;
}
