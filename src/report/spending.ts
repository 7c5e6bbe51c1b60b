/**
 * How a ledger's eps grew from release to release.
 * @module
 */
import { Ledger } from "../privacy/index.js";
import { curveFigure } from "./curves.js";
import type { Figure, FigureText } from "./figure.js";

/** eps spent after each release, by charging the ledger's entries anew, one by one. */
export function spentByRelease(ledger: Ledger): number[] {
  const again = Ledger.fromJSON({ ...ledger.toJSON(), entries: [] });
  return ledger.entries.map(({ event, ...where }) => {
    again.charge(event, where);
    return again.spent().epsilon;
  });
}

/** eps over releases, a line for each ledger. */
export function spendingFigure(
  ledgers: readonly { readonly series: string; readonly ledger: Ledger }[],
  text: FigureText,
): Figure {
  return curveFigure({
    ...text,
    x: { title: "releases" },
    y: { title: "eps spent" },
    legend: "ledger",
    points: ledgers.flatMap(({ series, ledger }) =>
      spentByRelease(ledger).map((y, k) => ({ series, x: k + 1, y })),
    ),
  });
}
