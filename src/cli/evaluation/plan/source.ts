/**
 * Where an evaluation's rows come from, read so that it runs unattended on any table: what is missing
 * is filled in, text becomes categories, the loss follows the target; and all of that is said.
 * @module
 */
import { basename } from "node:path";
import { DataError, OptionError } from "../../../core/index.js";
import type { TaskSet } from "../../../data/index.js";
import type { LossName } from "../../../learning/index.js";
import { undeclaredColumns } from "../../../learning/release/public-sizes.js";
import { taskArrays } from "../../../model/index.js";
import { dataDigest } from "../../tables/data-digest.js";
import type { DataValues } from "../../tables/data-options.js";
import { usualRoles } from "../../tables/read-data.js";
import { prepareData } from "../../tables/prepare-data.js";
import { columnsFarFromUnit } from "../../tables/words/raw-columns.js";
import type { CellData } from "../cells/cell.js";

/** What `evaluate` says of its data. */
export interface SourceValues {
  readonly data: string | undefined;
  readonly task: string | undefined;
  readonly target: string | undefined;
  readonly ranges?: string | undefined;
  readonly simulate: "low-rank" | "group-sparse" | undefined;
  readonly tasks: number | undefined;
  readonly loss: LossName | "auto";
  readonly trainFraction: number;
}

/** The data, what it is to be fitted with, and what was done to it. */
export interface Source {
  readonly data: CellData;
  readonly loss: LossName;
  /** Number of tasks. */
  readonly m: number;
  /** Number of features. */
  readonly d: number;
  /** Training rows of a task, in the mean; undefined of a simulation. */
  readonly rowsPerTask?: number;
  /** Number of labels; undefined where the target is one of numbers. */
  readonly classes?: number;
  /** Columns whose range nobody declared, a target of numbers as one of them. */
  readonly undeclared?: number;
  /** Whether the rows are sparse. */
  readonly sparse: boolean;
  /** sha256 of a table's rows; undefined for simulations, which their options determine. */
  readonly digest: string | undefined;
  readonly notes: readonly string[];
  /** Decisions by all tasks' rows that the task set does not know of: not charged. */
  readonly notCharged: readonly string[];
  /** Columns of which nothing is declared, and whose numbers are far from unit size. */
  readonly farFromUnit: readonly string[];
}

/** Tasks of a simulation, unless told otherwise. */
const SIMULATED_TASKS = 320;
const SIMULATED_FEATURES = 30;

/**
 * @throws OptionError if there is no data, or two kinds of it; DataError as the reader.
 */
export async function readSource(values: SourceValues): Promise<Source> {
  const { simulate, tasks, loss, trainFraction } = values;
  if (simulate !== undefined) {
    if (values.data !== undefined) {
      throw new OptionError("--data and --simulate exclude each other.");
    }
    const options = { pattern: simulate, ...(tasks ? { tasks } : {}) };
    return {
      data: { kind: "simulation", options },
      loss: loss === "auto" ? "squared" : loss,
      m: tasks ?? SIMULATED_TASKS,
      d: SIMULATED_FEATURES,
      sparse: false,
      digest: undefined,
      notes: [],
      notCharged: [],
      farFromUnit: [],
    };
  }
  const needed =
    values.ranges === undefined ? (["data", "task", "target"] as const) : ["data" as const];
  const given = { ...usualRoles(values.data), ...definedOf(values) };
  const missing = needed.filter((name) => given[name] === undefined);
  if (missing.length > 0) {
    throw new OptionError(`--${missing.join(", --")} needed, or --simulate PATTERN.`);
  }
  const prepared = await prepareData(values as unknown as DataValues, loss);
  const { notes, questions, notCharged } = prepared;
  const set = prepared.withGaps();
  refuseConstant(set, values.data);
  if (prepared.isDoubtful) throw new DataError(questions.join("\n"));
  return {
    data: { kind: "table", tasks: taskArrays(set), trainFraction },
    loss: prepared.loss,
    m: set.m,
    d: set.d,
    rowsPerTask: (trainFraction * set.size) / set.m,
    ...(prepared.loss === "squared" ? {} : { classes: new Set(set.y).size }),
    undeclared: undeclaredColumns(set, prepared.loss),
    sparse: set.sparse !== undefined,
    digest: dataDigest(set),
    notes: [...notes, ...questions],
    notCharged,
    farFromUnit: columnsFarFromUnit(set),
  };
}

/** One value everywhere: there is no error to compare, and a table of dashes would say so badly. */
function refuseConstant({ y, size, targetName }: TaskSet, data: string | undefined): void {
  if (y.some((value) => value !== y[0])) return;
  throw new DataError(
    `${basename(data ?? "")}: the target ${JSON.stringify(targetName)} is the same in all of its ${size} rows: whatever predicts ` +
      "that value is right, so there is nothing to compare. Is it the right column (--target), and is the table " +
      "cut to one kind of rows?",
  );
}

/** What was given of the roles. */
function definedOf({ data, task, target }: SourceValues): Partial<SourceValues> {
  return Object.fromEntries(
    Object.entries({ data, task, target }).filter(([, value]) => value !== undefined),
  );
}
