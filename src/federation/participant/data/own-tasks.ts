/**
 * Whether a participant's tasks are its own by the plan, before anything is sent: the curator would refuse others, without a name.
 * @module
 */
import { DataError } from "../../../core/index.js";
import type { Plan } from "../../protocol/plan/plan-form.js";

/** @throws DataError naming the first task that the plan gives to another participant, as where a file was mixed up. */
export function requireOwnTasks(
  names: readonly string[],
  participant: string,
  { tasks }: Pick<Plan, "tasks">,
): void {
  if (!tasks) return;
  const owners = new Map(tasks.map(({ name, participant: owner }) => [name, owner]));
  for (const name of names) {
    if (!owners.has(name)) requireOtherForm(name, [...owners.keys()]);
    const owner = owners.get(name) ?? participant;
    if (owner === participant) continue;
    throw new DataError(
      `task ${JSON.stringify(name)}: the plan gives it to ${JSON.stringify(owner)}, not to ${JSON.stringify(participant)}; ` +
        "is this the right table?",
    );
  }
}

/** @throws DataError if the plan has a name that looks the same: its é is one character there, and here a letter and an accent, or the other way. */
function requireOtherForm(name: string, planned: readonly string[]): void {
  const form = name.normalize();
  const alike = planned.find((one) => one.normalize() === form);
  if (alike === undefined) return;
  throw new DataError(
    `task ${JSON.stringify(name)}: the plan has it in another Unicode form, which looks the same; write it in the table as there`,
  );
}
