/**
 * Where a shared prior hides single records: which options go together, and that the size of all columns is known.
 * @module
 */
import { DataError, OptionError } from "../../../../core/index.js";
import type { TaskSet } from "../../../../data/index.js";
import { checkPersons } from "../../../options/person-options.js";
import type { PriorMethodOptions } from "../options.js";

/**
 * @param full whether the whole matrix is shared.
 * @throws OptionError naming every conflict.
 */
export function checkPriorRecords(method: string, options: PriorMethodOptions, full = true): void {
  checkPersons(options);
  if (options.unit === "task") return;
  const { delta, mechanism, curator, choice } = options;
  const problems: string[] = [];
  if (delta === 0 || mechanism !== "auto") {
    problems.push(
      "delta, mechanism: records are hidden by Gaussian noise on what tasks upload; expected delta > 0 and mechanism auto",
    );
  }
  if (curator !== "trusted") {
    problems.push(
      'curator: an untrusted curator is answered by secure sums with these units; expected "trusted"',
    );
  }
  if (choice === "pooled") {
    problems.push(
      "choice: its votes hide whole tasks, and what a record moves of them is no less; expected auto or local",
    );
  }
  if (!full) {
    problems.push('sharing: with these units the whole covariance is shared; expected "full"');
  }
  if (problems.length > 0) {
    throw new OptionError(`${method}, unit "${options.unit}": ${problems.join("; ")}`);
  }
}

/** @throws DataError naming the first column whose size nobody declared. */
export function requireKnownSizes(
  { encoding }: TaskSet,
  { scale, loss, unit }: PriorMethodOptions,
): void {
  if (unit === "task" || scale === "unit") return;
  const unknown = encoding.columns.find((column) => column.scale === null);
  if (!unknown && (loss !== "squared" || encoding.target.scale !== null)) return;
  const what = unknown ? `column ${JSON.stringify(unknown.name)}` : "the target";
  throw new DataError(
    `${what} has no declared range: with unit "${unit}" what one record moves is bounded in units of its size, from public ` +
      "knowledge. Declare ranges (--ranges FILE, which inspect --out drafts; a schema in code), or, if features and target are of " +
      'about unit size, say so with the option scale: "unit" (--scale unit).',
  );
}
