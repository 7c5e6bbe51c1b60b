/**
 * A joint fit without noise: its tasks on one thread or on several, to the same bits, whatever rounds they go through.
 * @module
 */
import type { Core } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { modelOf, type FitRecord } from "../fitted/build-model.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import type { ConvergenceOptions } from "../options/common-options.js";
import { fitInBatches } from "../parallel/fit-in-batches.js";
import { publicSizes } from "../release/public-sizes.js";
import type { BatchContext, Batches } from "../round/batches.js";
import type { FitOptions } from "../round/estimator.js";
import type { ParticipantHalf } from "../round/halves.js";
import type { StatisticName } from "../round/statistic/statistic.js";
import type { CommonOptions } from "../tasks/common-options.js";
import { targetsOf } from "../tasks/targets.js";
import { withFreeIntercepts } from "./free-intercepts.js";
import type { PenalizedSolution, SolverHooks, SolverLimits, Start } from "./solvers/problem.js";
import type { Penalties } from "./penalties/penalty.js";
import { placeTasks } from "../tasks/resident-tasks.js";

/** Whose tasks they are, and what is said of the fit. */
export interface JointOwner extends Penalties, Pick<FitRecord, "method" | "guarantee"> {
  readonly options: CommonOptions & ConvergenceOptions;
}

/** min over W of sum_i L_i(w_i) + penalty(W), the tasks in a half. */
export interface JointProblem extends SolverLimits, SolverHooks, Penalties {
  readonly core: Core;
  readonly m: number;
  readonly d: number;
  /** Whether the losses are squared. */
  readonly isSquared: boolean;
  /** The tasks, on this thread or several. */
  readonly half: Pick<ParticipantHalf, "stages">;
}

/** Where rounds stopped; the models are in the half. */
export type JointSolution = Omit<PenalizedSolution, "weights" | "intercepts" | "solver">;

/** How tasks go through rounds. */
export interface JointRounds {
  /** Whether local steps are exact, not gradient steps. */
  readonly areExact: boolean;
  readonly batches: Batches;
  /** What is made of the uploads of every stage. */
  readonly statistics: readonly StatisticName[];
  readonly solve: (problem: JointProblem) => Promise<JointSolution>;
}

/** All tasks' W [m, d], Q [m, d] where models are in two parts, and b [m], one after the other. */
function startInOne({ weights, local, intercepts }: Start, parts: number): Float64Array {
  const second = parts > 1 ? (local ?? new Float64Array(weights.length)) : new Float64Array(0);
  const start = new Float64Array(weights.length + second.length + intercepts.length);
  start.set(weights);
  start.set(second, weights.length);
  start.set(intercepts, weights.length + second.length);
  return start;
}

/** Of the batch's own tasks; null stands for zeros. */
function startOfBatch(
  start: Float64Array | null,
  first: number,
  { m, d, own }: { readonly m: number; readonly d: number; readonly own: number },
  parts: number,
): Start {
  const part = (before: number, width: number) => {
    const at = before + first * width;
    return start?.subarray(at, at + own * width) ?? new Float64Array(own * width);
  };
  return {
    weights: part(0, d),
    ...(parts > 1 ? { local: part(m * d, d) } : {}),
    intercepts: part(parts * m * d, 1),
  };
}

/** A batch of tasks as a joint fit places them, and where they start. */
export function placeBatch(
  { core, data, sizes, positions, classes, start }: BatchContext,
  options: CommonOptions,
  parts: number,
) {
  const { tasks } = placeTasks(data, options, { core, classes, sizes });
  const from = startOfBatch(start, positions[0]!, { ...sizes, own: data.m }, parts);
  return { tasks: withFreeIntercepts(tasks), start: from };
}

/**
 * Fits all tasks.
 * @throws DataError if the data does not suit the method; HostError if it fits the memories of no threads there are; whatever
 *   the hooks' signal was aborted with.
 * @param from null stands for zeros.
 */
export async function fitJointly(
  owner: JointOwner,
  { batches, statistics, solve }: JointRounds,
  data: TaskSet,
  from: Start | null,
  hooks: FitOptions,
): Promise<FittedModel> {
  const { method, guarantee, options, shared, local } = owner;
  const { m, d } = data;
  const { loss, tolerance, maxRounds } = options;
  const { classes } = targetsOf(data, loss);
  const start = from && startInOne(from, local ? 2 : 1);
  const { models, solution, threads } = await fitInBatches(
    { method, options, batches, statistics },
    { data, sizes: publicSizes(data), classes, start },
    hooks,
    (half, core) =>
      solve({
        core,
        m,
        d,
        half,
        shared,
        local,
        isSquared: loss === "squared",
        tolerance,
        maxRounds,
        signal: hooks.signal,
        onRound: hooks.onRound,
      }),
  );
  const { components, ...at } = models;
  return modelOf(data, classes, at, {
    method,
    guarantee,
    options,
    ledger: null,
    threads,
    ...solution,
    ...(components ? { components } : {}),
  });
}
