/**
 * `account --events`: the releases of files, and what the files say of them beside.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { readBytes } from "../../node/files/read-bytes.js";
import { readJson } from "../words/read-json.js";
import { sum } from "../../privacy/accounting/rounding.js";
import { personWords, type PersonBound } from "../../privacy/guarantee/guarantee-words.js";
import {
  LEDGER_UNITS,
  parseEvents,
  type LedgerUnit,
  type NoiseSource,
  type PrivacyEvent,
} from "../../privacy/index.js";
import { statementOf, type FileStatement, type Hold } from "./statement.js";

/** Releases, and whose they are. */
export interface ReadEvents {
  readonly events: PrivacyEvent[];
  /** What they hide; undefined where nothing says so, as in a list of events. */
  readonly unit?: LedgerUnit | undefined;
  /** Where that is a person: of how many rows at most, of all files; undefined where one of them does not say. */
  readonly person?: PersonBound | undefined;
  /** Where their noise is from; undefined where nothing says so. */
  readonly noiseSource?: NoiseSource | undefined;
  /** Delta of the budget that they were charged to, where one ledger says it. */
  readonly delta?: number | undefined;
  /** Whether they are what the papers charge, which nothing proves. */
  readonly nominal?: boolean;
  /** Of how many files they are. */
  readonly files?: number;
  /** Epsilons and deltas of the budgets of several files' ledgers, added up; undefined where one of them has none. */
  readonly budgets?: { readonly epsilon: number; readonly delta: number } | undefined;
  /** Whether holders of a task's own model, or the curator, see releases of it beside, which a file's other ledger is of. */
  readonly others?: boolean;
  /** What those files that hold a guarantee state of themselves. */
  readonly statements?: readonly FileStatement[];
}

/**
 * All releases of several files, as those of several fits on the same data.
 *
 * @param hold compares what a file states with the releases in it.
 * @throws DataError naming the file, and in it the event and field that is not as expected; where files say that they hide
 *   units of different kinds, whose epsilons do not add up.
 */
export async function readEvents(paths: readonly string[], hold: Hold): Promise<ReadEvents> {
  const files = await Promise.all(paths.map((path) => eventsOf(path, hold)));
  const units = [...new Set(files.map(({ unit }) => unit))];
  const said = units.filter((unit) => unit !== undefined);
  if (said.length > 1) {
    throw new DataError(
      `${paths.join(", ")}: expected releases that hide one unit, got ${said.join(" and ")}, whose epsilons do not add up.`,
    );
  }
  const sources = files.map(({ noiseSource }) => noiseSource);
  return {
    events: files.flatMap(({ events }) => events),
    unit: units.length === 1 ? units[0] : undefined,
    person: smallestOf(files.map(({ person }) => person)),
    // Whoever subtracts the noise of one knows more than is printed of all.
    noiseSource: sources.includes("seeded")
      ? "seeded"
      : sources.includes(undefined)
        ? undefined
        : "secure",
    // Ledgers of several fits have a delta each, and none of all.
    delta: files.length === 1 ? files[0]!.delta : undefined,
    nominal: files.some(({ nominal }) => nominal),
    others: files.some(({ others }) => others),
    statements: files.flatMap(({ statements = [] }) => statements),
    files: files.length,
    budgets: files.length > 1 ? sumOf(files.map(({ budgets }) => budgets)) : undefined,
  };
}

/** Releases hide together whoever each of them hides. */
function smallestOf(bounds: readonly (PersonBound | undefined)[]): PersonBound | undefined {
  const known = bounds.flatMap((bound) => (bound ? [bound] : []));
  if (known.length < bounds.length) return undefined;
  const least = (of: keyof PersonBound) => Math.min(...known.map((bound) => bound[of]));
  return { rowsPerPerson: least("rowsPerPerson"), tasksPerPerson: least("tasksPerPerson") };
}

/** What a file's guarantee says of persons. */
export function personOf(read: { guarantee?: unknown } | null): PersonBound | undefined {
  const { person } = Object(read?.guarantee) as { person?: unknown };
  const { rowsPerPerson, tasksPerPerson } = Object(person) as Record<keyof PersonBound, unknown>;
  const isCount = (value: unknown): value is number =>
    Number.isSafeInteger(value) && (value as number) >= 1;
  return isCount(rowsPerPerson) && isCount(tasksPerPerson)
    ? { rowsPerPerson, tasksPerPerson }
    : undefined;
}

function sumOf(budgets: readonly ReadEvents["budgets"][]): ReadEvents["budgets"] {
  const known = budgets.flatMap((budget) => (budget ? [budget] : []));
  if (known.length < budgets.length) return undefined;
  const total = (of: "epsilon" | "delta") => sum(known.length, (k) => known[k]![of]);
  return { epsilon: total("epsilon"), delta: total("delta") };
}

/** The bytes of a file; of a model's folder it is said which of its files is asked for. */
const bytesOf = (path: string) =>
  readBytes(path).catch((error: unknown) => {
    if (!(error instanceof DataError) || (error.cause as NodeJS.ErrnoException).code !== "EISDIR")
      throw error;
    throw new DataError(
      `${error.message} The ledger of a model is in its folder's model-card.json, that of a run in its run.json.`,
      { cause: error },
    );
  });

async function eventsOf(path: string, hold: Hold): Promise<ReadEvents> {
  const bytes = await bytesOf(path);
  try {
    const read = readJson(new TextDecoder().decode(bytes)) as {
      ledger?: unknown;
      recordLedger?: unknown;
      guarantee?: unknown;
    } | null;
    // What `fit` and `curator` write has the ledger of its releases in it.
    const stored: unknown = read?.ledger ?? read;
    const said = (stored ?? {}) as Record<string, unknown>;
    const statement = await statementOf(path, read, hold);
    return {
      events: parseEvents(stored),
      unit: wordOf(said, "unit", LEDGER_UNITS),
      person: personOf(read),
      noiseSource: wordOf(said, "noiseSource", ["secure", "seeded"]),
      delta: typeof said["delta"] === "number" ? said["delta"] : undefined,
      nominal: wordOf(said, "nominal", [true, false]) === true,
      others: hasOthers(read),
      statements: statement ? [statement] : [],
      budgets: budgetOf(said),
    };
  } catch (cause) {
    const dot = cause instanceof SyntaxError ? "." : "";
    throw new DataError(`${path}: ${(cause as Error).message}${dot}`, { cause });
  }
}

function budgetOf({ epsilon, delta }: Record<string, unknown>): ReadEvents["budgets"] {
  return typeof epsilon === "number" && typeof delta === "number" ? { epsilon, delta } : undefined;
}

/** Of models that are functions of the shared releases alone both ledgers are the same. */
const hasOthers = (read: { ledger?: unknown; recordLedger?: unknown } | null): boolean =>
  Boolean(read?.ledger && read.recordLedger) &&
  JSON.stringify(read!.recordLedger) !== JSON.stringify(read!.ledger);

/** What a file says, in a word that is known; undefined where it says nothing. */
function wordOf<Word>(
  words: Record<string, unknown>,
  field: string,
  known: readonly Word[],
): Word | undefined {
  const said = words[field];
  if (said === undefined || known.includes(said as Word)) return said as Word | undefined;
  throw new RangeError(`${field}: expected one of ${known.join(", ")}`);
}

/** What is replaced, or becomes zero, in a world that nobody can tell from this one. */
export function unitWords(unit: LedgerUnit | undefined, person: PersonBound | undefined): string {
  if (unit === undefined) {
    return "one of what these releases were planned to hide (a task or a record: the file does not say)";
  }
  if (unit !== "person") return `one ${unit}`;
  return person
    ? personWords(person)
    : "all rows of one person, of no more than the fit was told (how many: the file does not say)";
}
