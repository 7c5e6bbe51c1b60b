/**
 * What guessing by the labels' shares reaches, as rows beside those of the methods: of an accuracy of 0.93 nobody can tell
 * otherwise whether it is any better than always saying the most frequent label.
 * @module
 */
import { ALONE } from "../../../learning/methods.js";
import type { CellResult } from "../cells/cell.js";
import { summarize, type SummaryRow } from "./summary.js";

/** What stands for it under `method`. */
export const LABELS_SHARES = "labels' shares";

/** A row, or one for each value of a sweep where the test rows differ; none of targets that are numbers. */
export function guessRows(cells: readonly CellResult[]): SummaryRow[] {
  const guesses = cells.flatMap(asCell);
  const valueOf = ({ scores }: CellResult) => JSON.stringify(scores);
  const first = new Map<number, string>();
  for (const one of guesses) {
    if (!first.has(one.replicate)) first.set(one.replicate, valueOf(one));
  }
  const swept = cells.some(({ variant }) => variant != null);
  const varied = swept && guesses.some((one) => valueOf(one) !== first.get(one.replicate));
  const single = new Map<string, CellResult>();
  for (const one of guesses) {
    const variant = varied ? (one.variant ?? null) : null;
    if (varied && variant === null) continue;
    const key = `${one.replicate} ${variant ?? "-"}`;
    if (!single.has(key)) single.set(key, { ...one, variant });
  }
  const alone = cells.filter(({ method }) => method === ALONE);
  return summarize([...alone, ...single.values()]).filter(({ method }) => method === LABELS_SHARES);
}

/** What guessing reaches on a cell's test rows, as the result of a method that looks at no feature. */
function asCell({ replicate, variant = null, scores }: CellResult): CellResult[] {
  const { auc, guessing } = scores;
  if (!guessing || guessing.logLoss === null) return [];
  return [
    {
      method: LABELS_SHARES,
      epsilon: null,
      replicate,
      variant,
      // Who tells no two rows apart ranks them as a coin would.
      scores: { ...(auc == null ? {} : { auc: 0.5 }), ...guessing, tasksLeftOut: 0 },
      rowsLeftOut: 0,
      chosen: {},
      tuning: "none",
      guarantee: null,
    },
  ];
}
