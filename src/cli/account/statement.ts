/**
 * Whether what a file states of its privacy is borne out by the releases in it.
 * @module
 */
import { Ledger } from "../../privacy/index.js";
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
  const { guarantee, ledger } = Object(read) as Record<string, Record<string, unknown> | undefined>;
  if (typeof guarantee !== "object" || guarantee === null || !ledger) return undefined;
  const { epsilon, delta } = guarantee;
  return { file, epsilon, delta, problem: problemOf(guarantee, ledger) };
}

/** Rounding of figures that were written as text. */
const SLACK = 1 - 1e-9;

/**
 * What is stated and not borne out. Not the whole comparison that reading a model makes (`check-statement.ts`), whose code `account`
 * would load for this alone: the figures, and what they hold of.
 */
function problemOf(
  stated: Record<string, unknown>,
  stored: Record<string, unknown>,
): string | undefined {
  let ledger: Ledger;
  try {
    ledger = Ledger.fromJSON(stored);
  } catch (error) {
    return `its ledger: ${error instanceof Error ? error.message : "unreadable"}`;
  }
  const { epsilon, delta, sound, noiseSource, adjacency, unit = "task", spent } = stated;
  if (ledger.noiseSource === "seeded" && (noiseSource !== "seeded" || stated["private"] === true)) {
    return "its ledger's noise was seeded";
  }
  if (ledger.nominal && sound !== false) return "its ledger's charges are nominal";
  if (adjacency !== ledger.adjacency) return "its ledger is of another adjacency";
  const { rounds } = Object(spent) as { rounds?: unknown };
  if (rounds !== undefined && rounds !== ledger.entries.length) {
    return "its ledger has another number of releases";
  }
  // What was lifted from one record to all of a task is more than the ledger says: reading the model compares it.
  if (unit !== (ledger.unit ?? unit)) return undefined;
  // JSON has no infinity: null promises nothing.
  const isLess = (figure: unknown, cost: number) =>
    figure !== null && !(typeof figure === "number" && figure >= cost * SLACK);
  return isLess(epsilon, ledger.epsilon) || isLess(delta, ledger.delta)
    ? "it promises more than its ledger paid for"
    : undefined;
}

/** The comparison, in a line. */
export function statementLine({ file, epsilon, delta, problem }: FileStatement): string {
  const figure = (value: unknown) => (typeof value === "number" ? shortPromise(value) : "?");
  const stated = `(${figure(epsilon)}, ${figure(delta)})-DP`;
  return problem === undefined
    ? `${file} states ${stated}, and the releases in it bear that out`
    : `NOT BORNE OUT: ${file} states ${stated}, and is damaged or was altered: ${problem}`;
}
