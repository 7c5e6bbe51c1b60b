/**
 * The tasks' half of Algorithms 2, 3 and 4: projected gradient steps, and what is kept of them.
 * @module
 */
import { withSelection } from "../../local-selection/local-selection.js";
import { singleTaskModels } from "../../local-selection/single-task.js";
import { partsOf } from "../../convex/parts.js";
import { linearModels, taskLosses } from "../../fitted/linear-models.js";
import { placeTasks } from "../../tasks/resident-tasks.js";
import { protectRecords } from "../../options/curator-trust.js";
import { checkFeatureBound } from "../../options/check-feature-bound.js";
import type { Halves } from "../../round/halves.js";
import { plannedClip } from "../../options/clip-option.js";
import { rowNorms } from "../../votes/clip-votes.js";
import { LearningClip } from "../../votes/learning-clip.js";
import { initialModels, modelsVotedOn } from "../../steps/initial-models.js";
import { clipFacts, type GradientMethodOptions } from "./options.js";
import { ProjectedTasks, publicStep, type ProjectedMethod } from "./projected-tasks.js";
import { selectionOf } from "./selection.js";

/** The tasks' projected gradient steps; their models are w^(T), or what each task selects. */
export const projectedParticipants =
  (definition: ProjectedMethod, options: GradientMethodOptions): Halves["participants"] =>
  (context) => {
    const { core, data, sizes, positions, classes, releases } = context;
    const { rounds, choice, safeguard } = options;
    const clip =
      options.clip === "auto" ? new LearningClip(releases, clipFacts(options, sizes)) : null;
    const { step } = publicStep(definition, options, sizes);
    const broadcastLength = definition
      .rule(step * options.lambda)
      .broadcastLength(sizes.m, sizes.d);
    const { tasks } = placeTasks(data, options, { core, classes, sizes });
    checkFeatureBound(data, options.featureBound, tasks);
    const selects = safeguard || choice !== "last";
    const singleTask = selects ? singleTaskModels(tasks, options.initialPenalty) : undefined;
    const initial =
      singleTask && options.initial === "single-task"
        ? singleTask
        : initialModels(tasks, options, context);
    const method = clip ? { ...definition, clip: clip.now } : definition;
    const steppers = new ProjectedTasks(method, options, sizes);
    const participants = steppers.of(tasks, initial);
    const batch = { tasks, steppers, participants, initial, broadcastLength };
    const selected = singleTask && selectionOf(options, context, { ...batch, singleTask });
    const exposed = selected?.log ?? participants;
    const bound = plannedClip(options.clip);
    const records = protectRecords(exposed, core, { ...options, clip: bound, positions });
    const half = withSelection(
      {
        participants: records ?? exposed,
        rounds,
        broadcastLength,
        records,
        models: () => ({
          ...linearModels(tasks, participants),
          ...(definition.local ? { components: partsOf(participants, core) } : {}),
        }),
        byTask: ["shared", "local"],
        losses: () => taskLosses(tasks, participants),
        close: () => records?.close(),
      },
      selected?.selection,
    );
    if (!clip) return half;
    const models = () => modelsVotedOn(tasks, options, initial.weights);
    return clip.voting(half, core, () => rowNorms(models(), tasks.m));
  };
