/**
 * The tasks' half of Douglas-Rachford rounds: stage 0 are the rounds, stage 1 what is asked between them, stage 2 the gradients.
 * @module
 */
import type { BatchModels, ParticipantHalf } from "../../round/halves.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import type { Penalties } from "../penalties/penalty.js";
import type { Start } from "../solvers/problem.js";
import { ColumnSolves, type ExactSolves } from "./exact-solves.js";
import { quadraticsOf, type Quadratics } from "./quadratics.js";
import { QUESTION_LENGTH, Questions } from "./questions.js";
import { ReflectedSteps } from "./reflected-steps.js";
import { RowSolves } from "./row-solves.js";
import { SparseSolves } from "./sparse-solves.js";
import { solvesByRows, type RunSize } from "./suits.js";

/** Components of models in two parts. */
const PARTS = ["shared", "local"];

/** Such a half, and where its models are in the core. */
export interface SplitHalf extends ParticipantHalf {
  readonly steps: ReflectedSteps;
  /** 0 without. */
  readonly intercepts: number;
}

/**
 * Makes it of a batch of tasks.
 * @param run sizes of the whole run, default: of this batch.
 */
export function splitHalf(
  tasks: ResidentTasks,
  { shared, local }: Penalties,
  start: Start,
  run: RunSize = tasks,
): SplitHalf {
  const { core, m, d } = tasks;
  const { arena } = core;
  const stepSizes = new Float64Array(m);
  const projection = shared.projection(core, m, d);
  const own = local?.({ core, m, d, steps: stepSizes });
  const zeros = () => new Float64Array(m * d);
  const quadratics = quadraticsOf(tasks);
  const solves = solvesOf(quadratics, run);
  const steps = new ReflectedSteps(
    tasks,
    solves,
    own
      ? [
          { start: start.weights, projection },
          { start: start.local ?? zeros(), projection: own.projection },
        ]
      : [{ start: start.weights, projection }],
    tasks.loss !== "squared",
  );
  const intercepts = tasks.intercept ? arena.copyOf(start.intercepts) : 0;
  const questions = new Questions({
    tasks,
    steps,
    quadratics,
    intercepts,
    stepSizes,
    kept: tasks.intercept ? arena.f64(m) : 0,
    local: local?.({ core, m: 1, d, steps: stepSizes }),
  });
  const block = (at: number) => arena.view(at, m * d).slice();
  const part = (at: number) => ({ shape: [m, d], data: block(at) });
  const models = (): BatchModels => ({
    weights: block(steps.weights),
    intercepts: intercepts === 0 ? null : arena.view(intercepts, m).slice(),
    ...(own
      ? { components: { shared: part(steps.parts.shared), local: part(steps.parts.local) } }
      : {}),
  });
  return {
    steps,
    intercepts,
    models,
    stages: [steps, questions, questions.gradients],
    broadcastLengths: [shared.broadcastLength(d), QUESTION_LENGTH, 1],
    rounds: [1, 1, 1],
    byTask: PARTS,
    losses: () => questions.losses,
    close: () => solves.close?.(),
  };
}

function solvesOf(quadratics: Quadratics, run: RunSize): ExactSolves {
  const { core, m, d, isDense } = quadratics.tasks;
  if (!isDense) return new SparseSolves(quadratics);
  return solvesByRows(run) ? new RowSolves(quadratics) : new ColumnSolves(core, m, d, quadratics);
}
