/**
 * Which options go together where a shared prior hides single records.
 * @module
 */
import { OptionError } from "../../../core/index.js";
import { checkPersons } from "../../options/person-options.js";
import type { PriorMethodOptions } from "./options.js";

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
