/**
 * A participant's tasks once the plan is known: read by it, and held to it before anything is sent.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";
import type { Plan } from "../../protocol/plan/plan-form.js";
import { ownEpsilons } from "../own-epsilons.js";
import type { ParticipantOptions, ParticipantOutput } from "../participant-events.js";
import type { StoredState } from "../participant-records.js";
import { holdToKept } from "./own-rows.js";
import { requireOwnTasks } from "./own-tasks.js";
import { prepareData, type PreparedData } from "./participant-data.js";

/** The tasks that were given, or that a function makes of them by the plan, perhaps later. */
export function tasksBy(data: ParticipantOptions["data"], plan: Plan): TaskSet | Promise<TaskSet> {
  const tasks = typeof data === "function" ? data(plan) : data;
  // Whoever waits for them gets the error; where the run ended before, nobody does.
  if ("then" in tasks) tasks.catch(() => undefined);
  return tasks;
}

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
  const prepared = prepareData(given, plan);
  const { data } = prepared;
  requireOwnTasks(data.names, participant, plan);
  ownEpsilons(epsilon, data.names, plan);
  if (!holdToKept(rows, data, rowsKey)) output.status({ kind: "rows-not-compared" });
  return prepared;
}
