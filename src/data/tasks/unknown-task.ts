/**
 * The error for a task that is not there.
 * @module
 */
import { text } from "../../core/checks.js";
import { DataError } from "../../core/errors.js";
import { didYouMean } from "../../core/messages/nearest.js";

/**
 * To be thrown.
 * @throws TypeError for a name that is no text: what stands in its place may be rows, and is not shown.
 */
export function unknownTask(name: string, names: readonly string[]): DataError {
  const shown = JSON.stringify(text("name", name));
  return new DataError(
    `unknown task ${shown}: not among the ${names.length} tasks.` + didYouMean(name, names),
  );
}
