/**
 * The tasks' half of the methods whose broadcast is a prior: local solves under it, averaged with what a task has alone.
 * @module
 */
import { LocalSelection, withSelection } from "../../local-selection/local-selection.js";
import { BELIEF } from "../../local-selection/thresholds.js";
import { TASK_LIMITS } from "../../fitted/feature-limits.js";
import { linearModels, taskLosses } from "../../fitted/linear-models.js";
import { ownLimits } from "../../fitted/own-limits.js";
import { placeTasks, type ResidentTasks } from "../../tasks/resident-tasks.js";
import { protectRecords } from "../../options/curator-trust.js";
import { VOTE } from "../../local-selection/private-selection.js";
import type { Halves } from "../../round/halves.js";
import { scaledIdentity } from "../../tasks/local-solves.js";
import { ridgeModels } from "../../tasks/ridge.js";
import { inTurns } from "../../round/run.js";
import { aloneModels, partsAlone, type AloneModels } from "./alone.js";
import { onGivenFeatures, scaleFeatures } from "./feature-scale.js";
import { votedStrengths } from "./strength-vote.js";
import { selectStrength, type SelectedModels, type StrengthPrior } from "./strength-selection.js";
import { roundsOf, type PriorMethod } from "./method.js";
import { DEFAULT_STRENGTH, marginLoss, STRENGTHS, type PriorMethodOptions } from "./options.js";
import { LocalSolve } from "./local-solve.js";
import { priorBroadcastLength } from "./covariance-prior.js";
import { recordSolve, scalePublicly } from "./record-tasks.js";
import { requireUnit } from "../../options/person-options.js";
import { requireKnownSizes } from "./check-records.js";
import { uploadFactors } from "../../release/owner-accounts.js";

/** The tasks' solves, and what each makes of them: an average over strengths of the prior and the model that it would have alone. */
export const priorParticipants =
  (definition: PriorMethod, options: PriorMethodOptions): Halves["participants"] =>
  ({ core, data, sizes, positions, classes, releases }) => {
    const { clip, centered, refined } = definition;
    const { tasks } = placeTasks(data, options, { core, classes, sizes });
    const hidden = options.unit !== "task";
    if (hidden) requireKnownSizes(data, options);
    requireUnit(data, options);
    const factors = hidden
      ? scalePublicly(tasks, data, options)
      : options.featureScale === "own"
        ? scaleFeatures(tasks)
        : undefined;
    const strength = ownStrength(options);
    const voted = releases.stages.some(({ label }) => label === VOTE)
      ? votedStrengths(options)
      : undefined;
    const { initialPenalty } = options;
    const participants = new LocalSolve(tasks, {
      clip,
      scaling: options.uploadScaling,
      initial:
        initialPenalty === "auto"
          ? identityModels(tasks, strength)
          : ridgeModels(tasks, initialPenalty),
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
        voted,
        ...(options.safeguard && {
          alone: () =>
            onGivenFeatures(tasks, data, factors, () => aloneModels(tasks, data, options, classes)),
        }),
        factors,
      }),
    );
  };

/** What tasks choose by, and between. */
interface PriorSelection {
  /** Strengths that are voted on, consecutive ones of all. */
  readonly voted: readonly number[] | undefined;
  /** Makes the models without the others, where tasks are to have a part of these. */
  readonly alone?: () => Generator<void, AloneModels>;
  /** g[m, d] of the features that models are of; undefined where these are as given. */
  readonly factors: Float64Array | undefined;
}

/** Selection by the evidence of the last solve, and then an average with the model that a task has alone. */
function selectionOf(
  tasks: ResidentTasks,
  participants: LocalSolve,
  { voted, alone, factors }: PriorSelection,
): LocalSelection {
  const { core, m, loss } = tasks;
  const all = STRENGTHS[marginLoss(loss)];
  const offsets = core.arena.words(tasks.offsets, m + 1).slice();
  const models = {
    loss,
    offsets,
    costs: () => {
      const { costs } = participants.chosen;
      const first = all.indexOf(voted![0]!);
      return costs.filter((_, k) => {
        const at = (k % all.length) - first;
        return at >= 0 && at < voted!.length;
      });
    },
    keep: async (winner: number | undefined, signal?: AbortSignal) => {
      if (winner !== undefined) {
        const center = voted![winner]!;
        participants.solveAgain({
          candidates: all,
          center,
          decades: BELIEF.priorStrength.pooled,
        });
      }
      const shared = participants.chosen.rowLosses;
      if (!alone) return shared;
      const { weights, intercepts, rowLosses } = await inTurns(alone(), signal);
      const parts = partsAlone(tasks, offsets, { shared, alone: rowLosses });
      const scaled = factors ? weights.map((w, k) => w / factors[k]!) : weights;
      participants.blend({ weights: scaled, intercepts }, parts);
      return shared;
    },
  };
  return new LocalSelection(core, models, {
    vote: voted && { candidates: voted.length },
  });
}

/** Candidates and belief of every task's own choice. */
function ownStrength({ loss, priorStrength }: PriorMethodOptions): StrengthPrior {
  const known = marginLoss(loss);
  const decades = BELIEF.priorStrength.own;
  return priorStrength === "auto"
    ? { candidates: STRENGTHS[known], center: DEFAULT_STRENGTH[known], decades }
    : { candidates: [priorStrength], center: priorStrength, decades };
}

/** Every task's model under the prior that says nothing, chosen by the same rule: what it shares first. */
function identityModels(tasks: ResidentTasks, strength: StrengthPrior): SelectedModels {
  const { arena } = tasks.core;
  const mark = arena.mark();
  const identity = { precision: scaledIdentity(arena, tasks.d, 1), center: 0 };
  const chosen = selectStrength(tasks, identity, strength);
  arena.release(mark);
  return chosen;
}
