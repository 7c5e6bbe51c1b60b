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
import { localTraining, type AveragingMethod } from "./local-training.js";
import { SelectingTasks, selectionPlan } from "./selection.js";

/**
 * The tasks' local steps; what they return is every task's model, finetuned where asked, or what it selects.
 */
export const averagingParticipants =
  (definition: AveragingMethod, options: FederatedOptions): Halves["participants"] =>
  (context) => {
    const { core } = context;
    const work = localTraining(definition, options, context);
    const { model, participants, shared, architecture } = work;
    // All that is shared: with intercepts where these are too.
    const { models, global, m, uploadLength: released } = participants;
    const plan = selectionPlan(definition, options);
    const selecting =
      plan.fallback || options.choice !== "last"
        ? new SelectingTasks(definition, { options, context, work }, plan)
        : undefined;
    const half = withSelection(
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
