/**
 * Random faults that change nothing, as equivalent.json lists them with the reason.
 * @module
 */
import { readFileSync } from "node:fs";
import { mutantsOf, textOf, type Mutant } from "./mutants.js";

/** By what is written, so that lines may move. */
interface Equivalent {
  readonly file: string;
  readonly line: string;
  readonly original: string;
  readonly replacement: string;
  /** Which of the same faults of the line, from 1; default the first. */
  readonly nth?: number;
  readonly why: string;
}

const equivalents = JSON.parse(
  readFileSync("test/mutation/equivalent.json", "utf8"),
) as Equivalent[];

/** Whether a fault is listed. */
export function isEquivalent({ file, line, start, original, replacement }: Mutant): boolean {
  const written = textOf(file).split("\n")[line - 1]!.trim();
  const same = mutantsOf(file, textOf(file)).filter(
    (other) =>
      other.line === line && other.original === original && other.replacement === replacement,
  );
  const nth = same.findIndex((other) => other.start === start) + 1;
  return equivalents.some(
    (known) =>
      known.file === file &&
      known.line === written &&
      known.original === original &&
      known.replacement === replacement &&
      (known.nth ?? 1) === nth,
  );
}
