/**
 * Whether a participant's tasks are its own by the plan, before anything is sent: the curator would refuse others, without a name.
 * @module
 */
import { DataError } from "../../core/index.js";
import type { Plan } from "../protocol/plan-form.js";

/** @throws DataError naming the first task that the plan gives to another participant, as where a file was mixed up. */
export function requireOwnTasks(
  names: readonly string[],
  participant: string,
  { tasks }: Pick<Plan, "tasks">,
): void {
  const owners = new Map(tasks?.map(({ name, participant: owner }) => [name, owner]));
  for (const name of names) {
    const owner = owners.get(name) ?? participant;
    if (owner === participant) continue;
    throw new DataError(
      `task ${JSON.stringify(name)}: the plan gives it to ${JSON.stringify(owner)}, not to ${JSON.stringify(participant)}; ` +
        "is this the right table?",
    );
  }
}
