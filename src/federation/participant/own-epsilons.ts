/**
 * What a participant consents to: epsilons of its own for its tasks, where they are smaller than the plan's.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { epsilonsOf, someTaskEpsilons } from "../../learning/options/task-epsilons.js";
import type { ParticipantOptions } from "./participant-events.js";
import type { RegisteredTask } from "../protocol/messages/messages.js";
import type { Plan } from "../protocol/plan/plan-form.js";
import { hasOwnEpsilons } from "../protocol/words/plan-promise.js";

/**
 * In the order of the tasks; undefined where the plan's epsilon is consented to.
 * @throws OptionError for what is no epsilon, and for a plan with a larger one whose method has one budget for all.
 */
export function ownEpsilons(
  stated: ParticipantOptions["epsilon"],
  names: readonly string[],
  plan: Plan,
): readonly (number | undefined)[] {
  const { options, method } = plan;
  if (stated === undefined) return names.map(() => undefined);
  const byName =
    typeof stated === "number" ? Object.fromEntries(names.map((name) => [name, stated])) : stated;
  const known = someTaskEpsilons.accept(byName);
  if (!known) throw new OptionError("epsilon: expected a number > 0, or one for each task by name");
  const most = options["epsilon"] as number;
  const own = epsilonsOf(known, names, most).map((epsilon) =>
    epsilon < most ? epsilon : undefined,
  );
  if (!hasOwnEpsilons(plan) && own.some((epsilon) => epsilon !== undefined)) {
    throw new OptionError(
      `epsilon: the plan has epsilon ${most}, more than was consented to, and ${method} as it is planned has one budget for all ` +
        'owners; nothing was uploaded. The unit "record" or "both" (of mp-mixed, pmtl, private-fedavg and private-fedprox) gives each owner its own',
    );
  }
  return own;
}

/** What a participant registers: its tasks with their rows, and what is consented to of each where that is less than the plan's. */
export function registrationOf(
  { names, taskSizes }: Pick<TaskSet, "names" | "taskSizes">,
  stated: ParticipantOptions["epsilon"],
  plan: Plan,
): RegisteredTask[] {
  const own = ownEpsilons(stated, names, plan);
  return names.map((name, i) => ({
    name,
    rows: taskSizes[i]!,
    ...(own[i] === undefined ? {} : { epsilon: own[i] }),
  }));
}
