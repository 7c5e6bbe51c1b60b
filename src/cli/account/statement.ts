/**
 * Whether what a file states of its privacy is borne out by the releases in it.
 * @module
 */
import { Ledger } from "../../privacy/index.js";
import { statementProblem } from "../../privacy/check-statement.js";
import { shortPromise } from "../words/short.js";

/** What a file promises, and what is wrong with it. */
export interface FileStatement {
  readonly file: string;
  readonly epsilon: unknown;
  readonly delta: unknown;
  /** Undefined where the file's ledger bears all of it out. */
  readonly problem?: string | undefined;
}

/** What a file with a ledger states; undefined where it states nothing, as a list of events. */
export function statementOf(file: string, read: unknown): FileStatement | undefined {
  const { guarantee, ledger, options } = Object(read) as Record<string, unknown>;
  if (typeof guarantee !== "object" || guarantee === null || !ledger) return undefined;
  const { epsilon, delta } = guarantee as Record<string, unknown>;
  return { file, epsilon, delta, problem: problemOf(guarantee, ledger, options) };
}

function problemOf(guarantee: object, ledger: unknown, options: unknown): string | undefined {
  try {
    const of = options as Record<string, unknown> | undefined;
    return statementProblem(guarantee, Ledger.fromJSON(ledger), of);
  } catch (error) {
    return `its ledger: ${error instanceof Error ? error.message : "unreadable"}`;
  }
}

/** The comparison, in a line. */
export function statementLine({ file, epsilon, delta, problem }: FileStatement): string {
  const figure = (value: unknown) => (typeof value === "number" ? shortPromise(value) : "?");
  const stated = `(${figure(epsilon)}, ${figure(delta)})-DP`;
  return problem === undefined
    ? `${file} states ${stated}, and the releases in it bear that out`
    : `NOT BORNE OUT: ${file} states ${stated}, and is damaged or was altered: ${problem}`;
}
