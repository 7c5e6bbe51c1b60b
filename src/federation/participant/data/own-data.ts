/**
 * A participant's tasks once the plan is known: read by it, and held to it before anything is sent.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";
import { requireTaskSet } from "../../../data/checks/require-task-set.js";
import type { Plan } from "../../protocol/plan/plan-form.js";
import { ownEpsilons } from "../own-epsilons.js";
import type { ParticipantOptions, ParticipantOutput } from "../participant-events.js";
import type { StoredState } from "../participant-records.js";
import { holdToKept } from "./own-rows.js";
import { requireOwnTasks } from "./own-tasks.js";
import { prepareData, type PreparedData } from "./participant-data.js";

/** The tasks that were given, or that a function makes of them by the plan, perhaps later. */
export function tasksBy(data: ParticipantOptions["data"], plan: Plan): TaskSet | Promise<TaskSet> {
  const tasks: unknown = typeof data === "function" ? data(plan) : data;
  if (!isThenable(tasks)) return tasks as TaskSet;
  const reading = Promise.resolve(tasks);
  // Whoever waits for them gets the error; where the run ended before, nobody does.
  reading.catch(() => undefined);
  return reading;
}

const isThenable = (value: unknown): value is PromiseLike<TaskSet> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === "function";

/**
 * Holds tasks to the plan, to what their owner consents to, and to the rows of an earlier process.
 * @throws DataError or OptionError naming what does not fit.
 */
export function ownData(
  given: TaskSet,
  plan: Plan,
  { participant, epsilon, rowsKey }: ParticipantOptions,
  { rows }: Pick<StoredState, "rows">,
  output: ParticipantOutput,
): PreparedData {
  requireTaskSet("data", given);
  const prepared = prepareData(given, plan);
  const { data } = prepared;
  requireOwnTasks(data.names, participant, plan);
  ownEpsilons(epsilon, data.names, plan);
  if (!holdToKept(rows, data, rowsKey)) output.status({ kind: "rows-not-compared" });
  return prepared;
}
