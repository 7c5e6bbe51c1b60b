/**
 * `account` by public sizes: what a budget can be expected to buy, before anything is spent or even read.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { chooseMethod } from "../../learning/auto/choose-method.js";
import { UNKNOWN_ROWS } from "../../learning/prospects/expected-share.js";
import { prospectsOf } from "../../learning/prospects/prospects.js";
import { resolveDelta, type DeltaChoice } from "../../privacy/index.js";
import { decimalAbove } from "../../privacy/accounting/rounding.js";
import type { AccountValues } from "./options.js";
import type { Result } from "../options/command.js";
import { shareTables } from "./share-tables.js";

/** Budgets beside the one asked for. */
export const EPSILONS = [0.1, 0.3, 1, 3, 10];
/** Numbers of tasks beside the one asked for. */
export const TASKS = [3, 10, 30, 100, 300, 1000, 10_000];

/** Classes reckoned with where nobody says how many: the fewest that are more than two. */
const USUAL_CLASSES = 3;

/** Number of classes of a target of labels; undefined of one of numbers. */
const classesOf = ({ loss, classes = USUAL_CLASSES }: AccountValues) =>
  loss === "squared" ? undefined : loss === "logistic" ? 2 : classes;

/** The list with one more value, ascending, each once. */
export const among = (list: readonly number[], own: number) =>
  [...new Set([...list, own])].sort((a, b) => a - b);

/** Sizes and budget, all given. */
export interface ProspectValues extends AccountValues {
  readonly tasks: number;
  readonly features: number;
  readonly epsilon: number;
}

/** What to expect at these sizes, and how it would change with the budget and with the number of tasks. */
export function accountProspects(values: ProspectValues): Result {
  const { tasks: m, features: d, rows, epsilon, loss, declared } = values;
  const delta: DeltaChoice = values.delta ?? "auto";
  const known = resolveDelta(delta, m);
  const classes = classesOf(values);
  const undeclared = declared ? 0 : d + (classes === undefined ? 1 : 0);
  const facts = { m, d, classes, rowsPerTask: rows, undeclared, epsilon, delta };
  const { share, expectation, warnings } = prospectsOf(facts);
  const shareOf = (of: { m?: number; epsilon?: number }) => prospectsOf({ ...facts, ...of }).share;
  const byEpsilon = among(EPSILONS, epsilon).map((one) => ({
    epsilon: one,
    share: shareOf({ epsilon: one }),
  }));
  const byTasks = among(TASKS, m).map((one) => ({ tasks: one, share: shareOf({ m: one }) }));
  const sizes = { m, d, rows: m * (rows ?? UNKNOWN_ROWS) };
  const { method, why } = chooseMethod({ sizes, loss, classes, epsilon, delta, declared });
  const document = {
    tasks: m,
    features: d,
    ...(classes === undefined ? {} : { classes }),
    ...(rows === undefined ? {} : { rows }),
    epsilon,
    delta: known,
    expectedShare: share,
    byEpsilon,
    byTasks,
    choice: { method, why },
    warnings,
  };
  const lines = [
    `epsilon ${epsilon}, delta ${decimalAbove(known, 6)} for ${m === 1 ? "the task" : `each of ${m} tasks`} with ${counted(d, "feature")}; nothing is spent by asking`,
    ...(expectation === null ? [] : [expectation]),
    ...(rows !== undefined && classes === undefined && m > 1 ? [aloneWords(rows, d)] : []),
    ...(rows === undefined && classes !== undefined ? [UNKNOWN_WORDS] : []),
    "",
    ...shareTables({ byEpsilon, byTasks }),
    "",
    `auto would take ${method}: ${why}`,
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  return { document, text: lines.join("\n") };
}

const UNKNOWN_WORDS = `${UNKNOWN_ROWS} rows a task are reckoned with; of labels few rows tell little, so say how many there are (--rows)`;

/** What there is to gain at most: least squares of n rows on p numbers err by p / (n - p - 1) of the noise's variance. */
function aloneWords(rows: number, d: number): string {
  const numbers = d + 1;
  if (rows <= numbers + 1) {
    return `alone, ${counted(rows, "row")} a task cannot determine the ${numbers} numbers of a model: there is much to gain where tasks have something in common`;
  }
  const part = Math.round((100 * numbers) / (rows - numbers - 1));
  return (
    `alone, ${rows} rows a task for the ${numbers} numbers of a model cost least squares about ${part} % of the noise's variance in accuracy; that is the most that sharing ` +
    "can save it"
  );
}
