/**
 * The tasks' half of PMTL, private FedAvg and private FedProx: local steps, finetuning, and what is kept.
 * @module
 */
import { splitIntercepts } from "../../tasks/constant-column.js";
import { LocalSelection, testsOf, withSelection } from "../../local-selection/local-selection.js";
import type { ResidentModel } from "../../models/resident-model.js";
import type { Halves } from "../../round/halves.js";
import { inTurns } from "../../round/run.js";
import type { FederatedOptions } from "./options.js";
import { LearningClip } from "../../votes/learning-clip.js";
import { clipFacts, firstUpdates } from "./updates/first-updates.js";
import { localTraining, type AveragingMethod } from "./updates/local-training.js";
import { SelectingTasks, selectionPlan } from "./selection/selection.js";

/** The tasks' local steps. They end with every task's model, finetuned where asked for, or the candidate that the task selects. */
export const averagingParticipants =
  (definition: AveragingMethod, options: FederatedOptions): Halves["participants"] =>
  (context) => {
    const { core, releases } = context;
    // Where single records are hidden, it is the clip of their gradients that counts.
    const clip =
      options.clip === "auto" && !definition.records
        ? new LearningClip(
            releases,
            clipFacts(options, context, definition.projected !== undefined),
          )
        : null;
    const method = clip ? { ...definition, clip: clip.now } : definition;
    const work = localTraining(method, options, context);
    const { model, participants, shared, architecture } = work;
    // All that is shared: with intercepts where these are too.
    const { models, global, m, uploadLength: released } = participants;
    const plan = selectionPlan(definition, options);
    const selecting =
      plan.fallback || options.choice !== "last"
        ? new SelectingTasks(method, { options, context, work }, plan)
        : undefined;
    const rounds = withSelection(
      {
        participants: selecting?.log ?? participants,
        rounds: options.rounds,
        broadcastLength: released,
        models: () => ({
          ...splitIntercepts(
            core.arena.view(models, m * model.parameters).slice(),
            m,
            model.parameters - shared,
          ),
          architecture,
          components: {
            shared: { shape: [released], data: core.arena.view(global, released).slice() },
          },
        }),
        losses: () => taskLosses(model, models),
        close: work.close,
      },
      selecting && new LocalSelection(core, selecting.models, testsOf(plan)),
    );
    const half = clip ? clip.voting(rounds, core, () => firstUpdates(participants)) : rounds;
    if (selecting) return half;
    const { own } = work;
    return {
      ...half,
      ...(own ? { own } : {}),
      ...(definition.records?.ownModel === "noisy" && !own ? { modelsAreReleased: true } : {}),
      finish: (signal) => inTurns(work.finish(), signal),
    };
  };

/** L_i of every task at its model. */
export function taskLosses(model: ResidentModel, models: number): Float64Array<ArrayBuffer> {
  const { core, m } = model.tasks;
  const gradient = core.arena.f64(model.parameters);
  return Float64Array.from({ length: m }, (_, i) =>
    model.valueAndGradient(i, models + 8 * i * model.parameters, gradient),
  );
}
