/**
 * What an evaluation comes down to, in sentences.
 * @module
 */
import { isPrivateMethod } from "../../../learning/index.js";
import { ALONE } from "../../../learning/methods.js";
import type { Adjacency } from "../../../privacy/index.js";
import { decimalAbove } from "../../../privacy/accounting/rounding.js";
import { short } from "../../words/short.js";
import type { CellResult } from "../cells/cell.js";
import type { Estimate } from "./estimate.js";
import type { SummaryRow } from "./summary.js";

/** Budgets with a sentence of their own. */
const MOST = 6;

const percent = (share: number) => Math.round(100 * share);

const withError = ({ mean, standardError }: Estimate, say: (value: number) => string | number) =>
  `${say(mean)}${standardError === null ? "" : ` (± ${say(standardError)})`}`;

/** Tasks whose error on the test rows is larger than that of learning alone, of those that have one. */
function worseThanAlone(own: CellResult | undefined, alone: CellResult | undefined) {
  const [mine, theirs] = [own?.taskErrors, alone?.taskErrors];
  if (!mine || mine.length !== theirs?.length) return null;
  const pairs = mine.flatMap((error, task) => {
    const other = theirs[task];
    return error === null || other == null ? [] : [error > other];
  });
  return pairs.length > 0 ? { of: pairs.length, worse: pairs.filter(Boolean).length } : null;
}

/** The private methods at one eps, the one with the most gain first. */
function bestAt(rows: readonly SummaryRow[], epsilon: number): SummaryRow | undefined {
  return rows
    .filter((row) => row.epsilon === epsilon && row.holds !== false && row.gainOnSingleTask)
    .reduce<SummaryRow | undefined>(
      (a, b) => (a && a.gainOnSingleTask!.mean >= b.gainOnSingleTask!.mean ? a : b),
      undefined,
    );
}

function sentenceAt(row: SummaryRow, cells: readonly CellResult[]): string {
  const { method, epsilon, gainOnSingleTask, share, reference } = row;
  const gain = gainOnSingleTask!;
  if (!(gain.mean > (gain.standardError ?? 0))) {
    return `At eps ${epsilon} nothing here is clearly better than learning alone: ${method}, the best, gains ${withError(gain, short)}.`;
  }
  const traced = (name: string, at: number | null) =>
    cells.find((cell) => cell.method === name && cell.epsilon === at && cell.taskErrors);
  const counted = worseThanAlone(traced(method, epsilon), traced(ALONE, null));
  const kept = share
    ? `you keep ${withError(share, percent)} % of what ${reference!}, which sees all data, gains on learning alone, by ${method}`
    : `${method} gains ${withError(gain, short)} on learning alone`;
  const losers = counted
    ? `; ${counted.worse} of ${counted.of} tasks fared worse than alone (first replicate)`
    : "";
  return `At eps ${epsilon} ${kept}${losers}.`;
}

/**
 * A sentence for each budget, on the method that gained most there. In a sweep there is none: its figures vary
 * something else.
 */
export function conclusionOf(rows: readonly SummaryRow[], cells: readonly CellResult[]): string[] {
  if (rows.some(({ variant }) => variant !== null)) return [];
  const budgets = [...new Set(rows.flatMap(({ epsilon }) => (epsilon === null ? [] : [epsilon])))];
  const best = budgets.toSorted((a, b) => a - b).flatMap((at) => bestAt(rows, at) ?? []);
  return best.slice(0, MOST).map((row) => sentenceAt(row, cells));
}

type Unit = NonNullable<CellResult["guarantee"]>["unit"];

/** What eps hides from whom, by adjacency and the unit of the guarantee. */
const HIDDEN: Readonly<Record<Adjacency, Readonly<Record<Unit, string>>>> = {
  replace: {
    task: "whatever one task's data had been, all others together",
    record: "whatever one record (row) of one task had been, all other tasks together",
    person: "whatever the rows of one person had been, all other tasks together",
  },
  "zero-out": {
    task: "whether one task adds what it does or nothing, all others together",
    record:
      "whether one record (row) of one task adds what it does or nothing, all other tasks together",
    person: "whether the rows of one person add what they do or nothing, all other tasks together",
  },
};

/** What eps stands for in an evaluation, whose runs are seeded. */
export function promiseOf(cells: readonly CellResult[]): string[] {
  const stated = cells.flatMap(({ method, guarantee }) =>
    guarantee && isPrivateMethod(method) ? [{ method, ...guarantee }] : [],
  );
  if (stated.length === 0) return [];
  const largest = decimalAbove(Math.max(...stated.map(({ delta }) => delta)), 3);
  const sound = stated.filter((one) => one.sound);
  const kinds = (["replace", "zero-out"] as const).flatMap((adjacency) => {
    const of = sound.filter((one) => (one.adjacency ?? "replace") === adjacency);
    return [...new Set(of.map(({ unit }) => unit))].map((unit) => ({
      ...{ adjacency, unit },
      methods: [...new Set(of.filter((one) => one.unit === unit).map(({ method }) => method))],
    }));
  });
  const promise = ({ adjacency, unit, methods }: (typeof kinds)[number]) => {
    const whose =
      kinds.length > 1 || stated.some(({ sound }) => !sound) ? ` of ${methods.join(", ")}` : "";
    return (
      `A fit${whose} without a seed promises what eps says: ${HIDDEN[adjacency][unit]} would have seen nearly the same: whatever they see is at ` +
      `most e^eps times as likely, plus delta (at most ${largest} here)${unit === "task" ? "" : "; what is true of a whole task is not hidden"}.`
    );
  };
  return [
    "Nothing, by these runs: their noise is seeded so that they can be repeated.",
    ...kinds.map(promise),
    ...(stated.some(({ sound }) => !sound)
      ? ["Rows marked DOES NOT HOLD state the papers' nominal eps, which is no guarantee."]
      : []),
  ];
}
