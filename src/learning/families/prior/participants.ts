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
import { scaledIdentity } from "../../tasks/solves/local-solves.js";
import { ridgeModels } from "../../tasks/solves/ridge.js";
import type { LocalModels } from "../../tasks/local-models.js";
import { ownModels } from "../../tasks/own-models/own-models.js";
import { partsAlone } from "./strength/alone.js";
import { onGivenFeatures, scaleFeatures } from "./feature-scale.js";
import { votedStrengths } from "./strength/strength-vote.js";
import {
  selectStrength,
  type SelectedModels,
  type StrengthPrior,
} from "./strength/strength-selection.js";
import { roundsOf, type PriorMethod } from "./method.js";
import { marginLoss, type PriorMethodOptions } from "./options.js";
import { strengthBelief, STRENGTHS } from "./strength/strength-belief.js";
import { LocalSolve } from "./local-solve.js";
import { priorBroadcastLength } from "./covariance/covariance-prior.js";
import { recordSolve, scalePublicly } from "./records/record-tasks.js";
import { requireUnit } from "../../options/person-options.js";
import { requireKnownSizes } from "./records/check-records.js";
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
    const identity = identityModels(tasks, strength);
    const participants = new LocalSolve(tasks, {
      clip,
      scaling: options.uploadScaling,
      initial: initialPenalty === "auto" ? identity : ridgeModels(tasks, initialPenalty),
      strength,
      centered,
      refined,
    });
    const rounds = roundsOf(definition, options, sizes);
    const uploading = hidden
      ? recordSolve(tasks, participants, {
          definition,
          data,
          options,
          sizes,
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
          // Made after releases: of a task whose numbers are too large to be squared zeros.
          alone: () => onGivenFeatures(tasks, data, factors, () => ownModels(tasks, "zeros")),
        }),
        identity,
        factors,
      }),
    );
  };

/** What tasks choose by, and between. */
interface PriorSelection {
  /** Strengths that are voted on, consecutive ones of all. */
  readonly voted: readonly number[] | undefined;
  /** Makes the models without the others, where tasks are to have a part of these. */
  readonly alone?: () => LocalModels;
  /** Those of the prior that says nothing. */
  readonly identity: SelectedModels;
  /** g[m, d] of the features that models are of; undefined where these are as given. */
  readonly factors: Float64Array | undefined;
}

/** Selection by the evidence of the last solve, and then an average with the model that a task has alone. */
function selectionOf(
  tasks: ResidentTasks,
  participants: LocalSolve,
  { voted, alone, identity, factors }: PriorSelection,
): LocalSelection {
  const { core, m, loss, intercept } = tasks;
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
    keep: (winner: number | undefined) => {
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
      const { weights, intercepts } = alone();
      const losses = { shared, identity: identity.rowLosses };
      // Where no release said anything nothing is shared, which without an intercept is the prior that says nothing.
      const parts =
        intercept && !participants.informed
          ? new Float64Array(m).fill(1)
          : partsAlone({ loss, intercept }, offsets, losses);
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
function ownStrength(options: PriorMethodOptions): StrengthPrior {
  const { loss, priorStrength } = options;
  const belief = strengthBelief(options);
  return typeof priorStrength === "number"
    ? { ...belief, candidates: [priorStrength], center: priorStrength }
    : { ...belief, candidates: STRENGTHS[marginLoss(loss)] };
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
