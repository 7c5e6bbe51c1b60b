/**
 * The tasks' half of accelerated proximal gradient: stage 0 are the rounds, stage 1 the angles by which they restart, stage 2 what is
 * asked between them, stage 3 the gradients.
 * @module
 */
import { linearModels, taskLosses } from "../../fitted/linear-models.js";
import type { ParticipantHalf } from "../../round/halves.js";
import { partsOf } from "../parts.js";
import { Angles, DescentQuestions, QUESTION_LENGTH } from "./questions.js";
import { DescentSteps, ORDER_LENGTH, type Descent } from "./steps.js";

/** Makes it of a batch of tasks. */
export function descentHalf(descent: Descent): ParticipantHalf {
  const { tasks, shared, local } = descent;
  const steps = new DescentSteps(descent);
  const questions = new DescentQuestions(descent, steps);
  return {
    stages: [steps, new Angles(steps), questions, questions.gradients],
    broadcastLengths: [ORDER_LENGTH + shared.broadcastLength(tasks.d), 1, QUESTION_LENGTH, 1],
    rounds: [1, 1, 1, 1],
    models: () => ({
      ...linearModels(tasks, steps.solver),
      ...(local ? { components: partsOf(steps.solver, tasks.core) } : {}),
    }),
    byTask: ["shared", "local"],
    losses: () => taskLosses(tasks, steps.solver),
    close: () => undefined,
  };
}
