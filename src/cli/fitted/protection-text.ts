/**
 * Who is protected from whom, in words: the table of parties and units, with equal promises on one line.
 * @module
 */
import { someNames } from "../../core/messages/some-names.js";
import type { Protection } from "../../privacy/index.js";
import { shortPromise } from "../words/short.js";

/** Tasks that a line names one by one; all of them are in the model file and in --json. */
const NAMED = 5;

const promiseOf = ({ epsilon, delta }: Protection) =>
  epsilon === null || delta === null
    ? "no promise"
    : `(${shortPromise(epsilon)}, ${shortPromise(delta)})-DP`;

/** Rows as a map, those of one key together, in the order in which keys first occur. */
function groupedBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** Of one unit, those parties against which the same is promised. */
interface Alike {
  readonly of: string;
  /** Whose: a few owners' tasks, or nothing, which is all. */
  readonly whose: string;
  /** "other tasks, own model: (1, 0.00001)-DP". */
  readonly promised: string;
}

/**
 * One line for each promise: "record or task against curator, own model: no promise".
 * @param rows the table, as `model.protection` has it; nothing in it gives no line.
 */
export function protectionLines(rows: readonly Protection[]): string[] {
  const ofUnits = groupedBy(rows, (row) => JSON.stringify([row.of, row.tasks, promiseOf(row)]));
  const alike = [...ofUnits.values()].map((same): Alike => {
    const { of, tasks } = same[0]!;
    const parties = same.map(({ against }) => against).join(", ");
    const whose = tasks ? ` of ${someNames(tasks, NAMED)}` : "";
    return { of, whose, promised: `against ${parties}: ${promiseOf(same[0]!)}` };
  });
  const lines = groupedBy(alike, ({ whose, promised }) => `${whose} ${promised}`);
  return [...lines].map(([rest, units]) => `${units.map(({ of }) => of).join(" or ")}${rest}`);
}
