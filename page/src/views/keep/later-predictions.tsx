/**
 * Predictions of the rows that a later owner's model was not fitted to, beside those without any of its rows.
 * @module
 */
import { Figure, type Numbers } from "../../charts/figure.js";
import { Intervals, type IntervalRow } from "../../charts/intervals.js";
import { percent, plural, short } from "../../text/numbers.js";
import type { LaterOutcome, LaterOwner, LaterRow } from "../../work/messages.js";

/** As many as are drawn; all are counted. */
const MOST = 20;

export function LaterPredictions({ outcome, owner }: { outcome: LaterOutcome; owner: LaterOwner }) {
  const { actual, withRows, without, learned, name } = owner;
  const shown = (rows: readonly LaterRow[]): IntervalRow[] =>
    rows.slice(0, MOST).map((row, at) => ({ ...row, actual: actual[at]! }));
  const all = [...shown(withRows), ...(without ? shown(without) : [])];
  const values = all.flatMap((row) => [row.prediction, row.actual, row.lower, row.upper]);
  const ends = outcome.classes ? [0, 1] : values.filter((value) => value !== null);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const drawn = { least, most: most > least ? most : least + 1 };
  const [title, untitled] = [
    `With ${plural(learned, "row")} of its own`,
    "Without any of its rows",
  ];
  return (
    <>
      <p class="lead-result">{laterWords(outcome, owner)}</p>
      {actual.length > 0 && (
        <>
          {without && (
            <Figure title={untitled} numbers={numbersOf(outcome, actual, without)}>
              <Intervals rows={shown(without)} look="alone" {...drawn} />
            </Figure>
          )}
          <Figure
            title={title}
            numbers={numbersOf(outcome, actual, withRows)}
            caption={captionOf(outcome, name, actual.length)}
          >
            <Intervals rows={shown(withRows)} look="ours" {...drawn} />
          </Figure>
        </>
      )}
    </>
  );
}

function captionOf({ level, classes }: LaterOutcome, name: string, count: number): string {
  const rows = `${count > MOST ? `The first ${MOST} of ` : ""}${plural(count, "row")} of ${name}`;
  return classes
    ? `${rows}: dots are the probability of “${classes[1]}”, strokes what it was.`
    : `${rows}: dots are predictions, lines the interval that should hold ${percent(level!)} of the targets, strokes the targets.`;
}

/** Error, and of numbers how many lie within their interval; of classes how many are on the likelier side. */
function scoreOf({ classes }: LaterOutcome, actual: readonly number[], rows: readonly LaterRow[]) {
  const within = rows.filter(({ prediction, lower, upper }, at) =>
    classes
      ? prediction > 0.5 === (actual[at] === 1)
      : lower !== null && upper !== null && actual[at]! >= lower && actual[at]! <= upper,
  ).length;
  const squares = rows.reduce(
    (sum, { prediction }, at) => sum + (prediction - actual[at]!) ** 2,
    0,
  );
  return { within, error: Math.sqrt(squares / Math.max(rows.length, 1)) };
}

/** What it comes down to, in a sentence or a few. */
export function laterWords(outcome: LaterOutcome, owner: LaterOwner): string {
  const { classes, level, known, dropped } = outcome;
  const { name, actual, withRows, without, learned } = owner;
  const told = (rows: readonly LaterRow[]) => {
    const { within, error } = scoreOf(outcome, actual, rows);
    return classes
      ? `${within} of ${plural(actual.length, "row")} are on the likelier side`
      : `the typical error is ${short(error)}, and ${within} of ${plural(actual.length, "row")} lie within their ${percent(level!)} interval`;
  };
  return [
    actual.length === 0
      ? `${name} has a model of ${plural(learned, "row")}; none is left to predict.`
      : without
        ? `${name}: without any of its rows ${told(without)}; by a model of ${plural(learned, "row")} of its own ${told(withRows)}.`
        : `${name}: by a model of ${plural(learned, "row")} of its own ${told(withRows)}. Without rows nothing is predicted: of columns that nobody declared no levels are learned.`,
    "Spent: nothing.",
    known.includes(name) && `${name} was in the fit, whose guarantee covers it.`,
    dropped > 0 && `${plural(dropped, "row")} without a target left out.`,
  ]
    .filter(Boolean)
    .join(" ");
}

function numbersOf(
  { level, classes }: LaterOutcome,
  actual: readonly number[],
  rows: readonly LaterRow[],
): Numbers {
  return {
    columns: classes
      ? [`probability of ${classes[1]}`, "was"]
      : ["prediction", `${percent(level!)} from`, "to", "was"],
    rows: rows.map(({ prediction, lower, upper }, at) =>
      classes ? [prediction, classes[actual[at]!]!] : [prediction, lower, upper, actual[at]!],
    ),
  };
}
