/**
 * What an evaluation comes down to, in sentences.
 * @module
 */
import { ALONE } from "../../../learning/methods.js";
import { short } from "../../words/short.js";
import type { CellResult } from "../cells/cell.js";
import type { Estimate } from "../../../report/index.js";
import { isClearlyPositive } from "./estimate.js";
import type { SummaryRow } from "./summary.js";

/** Budgets with a sentence of their own. */
const MOST = 6;

const percent = (share: number) => Math.round(100 * share);

const inPercent = ({ mean, standardError }: Estimate) =>
  `${percent(mean)}${standardError === null ? "" : ` (± ${percent(standardError)})`}`;

/** With no more digits than its error leaves it. */
function figure({ mean, standardError }: Estimate): string {
  if (!standardError) return short(Math.abs(mean));
  const error = Number(standardError.toPrecision(2));
  const places = Math.min(20, Math.max(0, 1 - Math.floor(Math.log10(error))));
  return `${Number(Math.abs(mean).toFixed(places))} (± ${error})`;
}

/** What a method gains on learning alone, or loses. */
const outcome = (gain: Estimate) => `${gain.mean < 0 ? "loses" : "gains"} ${figure(gain)}`;

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

/** The row with the most gain on learning alone, of those that have one and state nothing that does not hold, or is not known to. */
function bestOf(rows: readonly SummaryRow[]): SummaryRow | undefined {
  return rows
    .filter(
      (row) => row.holds !== false && !(row.own && row.epsilon !== null) && row.gainOnSingleTask,
    )
    .reduce<SummaryRow | undefined>(
      (a, b) => (a && a.gainOnSingleTask!.mean >= b.gainOnSingleTask!.mean ? a : b),
      undefined,
    );
}

/** Whether a row is clearly ahead of learning alone. */
const isClear = ({ gainOnSingleTask: gain }: SummaryRow) =>
  gain !== null && isClearlyPositive(gain);

const outcomeOf = ({ gainOnSingleTask }: SummaryRow) => outcome(gainOnSingleTask!);

/** What holds at any budget: where nothing is to be gained, none buys anything. */
function withoutPrivacy(rows: readonly SummaryRow[]): string[] {
  const open = rows.filter(({ method, epsilon }) => epsilon === null && method !== ALONE);
  const best = bestOf(open);
  if (!best || isClear(best)) return [];
  return [
    `Even without privacy learning together is not clearly better here, by two standard errors, than learning alone (${best.method}, the best, ${outcomeOf(best)}), ` +
      "so no budget is worth spending: keep single-task.",
  ];
}

/** One sentence for all budgets that buy nothing here. */
function unclear(rows: readonly SummaryRow[]): string[] {
  const best = bestOf(rows);
  if (!best) return [];
  const budgets = rows.map(({ epsilon }) => String(epsilon));
  const last = budgets.pop()!;
  const at = budgets.length > 0 ? `${budgets.join(", ")} and ${last}` : last;
  const most = budgets.length > 0 ? ` at eps ${best.epsilon}` : "";
  // An auto that learned alone is learning alone.
  const gained =
    best.gainOnSingleTask!.mean === 0
      ? "nothing that was compared gains anything"
      : `${best.method}, the best, ${outcomeOf(best)}${most}`;
  return [
    `At eps ${at} nothing here is clearly better than learning alone, by two standard errors: ${gained}.`,
  ];
}

function sentenceAt(row: SummaryRow, cells: readonly CellResult[]): string {
  const { method, epsilon, gainOnSingleTask, share, reference } = row;
  const gain = gainOnSingleTask!;
  const traced = (name: string, at: number | null) =>
    cells.find((cell) => cell.method === name && cell.epsilon === at && cell.taskErrors);
  const counted = worseThanAlone(traced(method, epsilon), traced(ALONE, null));
  const kept = share
    ? `you keep ${inPercent(share)} % of what ${reference!}, which sees all data, gains on learning alone, by ${method}`
    : `${method} ${outcome(gain)} on learning alone`;
  const losers = counted
    ? `; ${counted.worse} of ${counted.of} tasks fared worse than alone (first replicate)`
    : "";
  return `At eps ${epsilon} ${kept}${losers}.`;
}

/**
 * A sentence for each budget, on the method that gained most there, and one for all that gained nothing. In a sweep there is none: its
 * figures vary something else.
 */
export function conclusionOf(rows: readonly SummaryRow[], cells: readonly CellResult[]): string[] {
  if (rows.some(({ variant }) => variant !== null)) return [];
  const budgets = [...new Set(rows.flatMap(({ epsilon }) => (epsilon === null ? [] : [epsilon])))];
  const best = budgets
    .toSorted((a, b) => a - b)
    .flatMap((at) => bestOf(rows.filter(({ epsilon }) => epsilon === at)) ?? []);
  const clear = best.filter(isClear);
  return [
    ...(clear.length === 0 ? withoutPrivacy(rows) : []),
    ...unclear(best.filter((row) => !isClear(row))),
    ...clear.slice(0, MOST).map((row) => sentenceAt(row, cells)),
  ];
}
