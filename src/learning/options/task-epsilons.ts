/**
 * Every owner's own epsilon: by the name of its task, at most that of the run.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { OptionKind } from "./kinds.js";
import { someNames } from "../../core/messages/some-names.js";

/** By task; a task that is not named has the run's epsilon. */
export type TaskEpsilons = Readonly<Record<string, number>>;

const NONE = "none";

function accept(value: unknown): TaskEpsilons | null | undefined {
  if (value === null) return null;
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  // What is looked at is the copy: another reading of the given one may say otherwise.
  const own = { ...(value as TaskEpsilons) };
  const all = Object.values(own);
  const isBudget = (epsilon: unknown) => Number.isFinite(epsilon) && (epsilon as number) > 0;
  return all.length > 0 && all.every(isBudget) ? own : undefined;
}

/** On the command line a JSON file. */
export const someTaskEpsilons: OptionKind<TaskEpsilons | null> = {
  expected: "{ TASK: number > 0, … }",
  expectedText: 'a JSON file: { "TASK": 0.5, … }',
  placeholder: "FILE",
  fromFile: true,
  accept,
  read: (written) => (written === NONE ? null : written),
  write: (value) => (value ? "given" : NONE),
};

/** @throws OptionError naming a task whose epsilon is larger than the run's. */
export function requireWithin(epsilons: TaskEpsilons, epsilon: number): void {
  const above = Object.keys(epsilons).filter((name) => epsilons[name]! > epsilon);
  if (above.length === 0) return;
  throw new OptionError(
    `taskEpsilons: ${someNames(above)}: more than the run's epsilon, ${epsilon}, which is the largest of all; expected at most ` +
      "that, or a larger epsilon (--epsilon)",
  );
}

/**
 * In the order of tasks.
 * @throws OptionError naming tasks that are not there.
 */
export function epsilonsOf(
  epsilons: TaskEpsilons,
  names: readonly string[],
  epsilon: number,
): readonly number[] {
  const known = new Set(names);
  const unknown = Object.keys(epsilons).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new OptionError(
      `taskEpsilons: no task ${someNames(unknown)}; expected names among ${someNames(names)}`,
    );
  }
  return names.map((name) => (Object.hasOwn(epsilons, name) ? epsilons[name]! : epsilon));
}
