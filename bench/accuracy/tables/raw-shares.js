/** What `against-alone` prints beside its table: shares of the way to the best without privacy, and single-task against tuned ridge. */
import { bootstrapError, mean, meanAndError, median, standardError } from "../means.js";
import { best, closedShares, percent } from "./closed.js";
import { head, row } from "./markdown.js";

const cell = (list) => meanAndError(list, percent);

/** Which of the lists, by name, has the least mean. */
const bestOf = (named) => {
  const whole = Object.entries(named).filter(([, list]) => list.every(Number.isFinite));
  const list = best(whole.map(([, own]) => own));
  return { list, name: whole.find(([, own]) => own === list)[0] };
};

const more = (list, of) => list.map((value, k) => (100 * (value - of[k])) / mean(of));
const behind = (list) => mean(list) > standardError(list);
const listed = (cells) => (cells.length > 0 ? `: ${cells.join(", ")}` : "");

/**
 * Shares by table and budget, their median and worst, and which are below 0.
 * @param tables [{ name, single, ridge, references, together }]: errors by split, of references by name, together by budget.
 */
export function printShares(tables, epsilons) {
  const columns = ["table", "best alone", "", "best without privacy", ""];
  head([...columns, ...epsilons.map((epsilon) => `eps ${epsilon}`)]);
  const found = tables.map(({ name, single, ridge, references, together }) => {
    const alone = bestOf({ "single-task": single, ridge });
    const least = bestOf(references);
    const closed = closedShares({ alone: alone.list, references: [least.list], found: together });
    const shares = closed?.map(cell) ?? epsilons.map(() => "nothing to gain");
    const figures = [alone, least].flatMap((one) => [mean(one.list).toFixed(4), one.name]);
    row([name, ...figures, ...shares]);
    return { name, closed, lost: together.map((list) => more(list, alone.list)) };
  });
  const [some, none] = [found.filter(({ closed }) => closed), found.filter((one) => !one.closed)];
  if (some.length > 0) printMedians(some, epsilons);
  console.log("");
  epsilons.forEach((epsilon, k) => {
    const below = some
      .filter(({ closed }) => behind(closed[k].map((share) => -share)))
      .sort((a, b) => mean(a.closed[k]) - mean(b.closed[k]))
      .map(({ name, closed, lost }) => {
        return `${name} ${percent(mean(closed[k]))} (error ${mean(lost[k]).toFixed(1)} % higher)`;
      });
    const worse = none
      .filter(({ lost }) => behind(lost[k]))
      .map(({ name, lost }) => `${name} ${mean(lost[k]).toFixed(1)} %`);
    console.log(
      `eps ${epsilon}: below 0 by more than a standard error ${below.length} of ${some.length} tables${listed(below)}; ` +
        `where nothing is to be gained, behind the best alone ${worse.length} of ${none.length}${listed(worse)}`,
    );
  });
}

/** Median over tables with its standard error by the bootstrap over tables, and the worst table, by budget. */
function printMedians(some, epsilons) {
  const byBudget = epsilons.map((_, k) =>
    some.map(({ name, closed }) => ({ name, share: mean(closed[k]) })),
  );
  const middles = byBudget.map((list) => {
    const shares = list.map(({ share }) => share);
    return `${percent(median(shares))} ± ${percent(bootstrapError(shares, median))}`;
  });
  const worst = byBudget.map((list) => {
    const { name, share } = list.reduce((least, one) => (one.share < least.share ? one : least));
    return `${name} ${percent(share)}`;
  });
  row(["median", "", "", "", "", ...middles]);
  row(["worst", "", "", "", "", ...worst]);
}

/**
 * single-task, which knows of no other task, beside ridge whose one weight was chosen over all tasks.
 * @param tables [{ name, single, ridge }]: errors by split.
 */
export function printRidge(tables) {
  head(["table", "single-task", "ridge", "single-task's error is higher by"]);
  const found = tables.map(({ name, single, ridge }) => {
    const higher = more(single, ridge);
    const shown = meanAndError(higher, (value) => `${value.toFixed(1)} %`);
    row([name, meanAndError(single), meanAndError(ridge), shown]);
    return { name, higher, log: 100 * Math.log(mean(single) / mean(ridge)) };
  });
  const byLoss = found.toSorted((a, b) => mean(b.higher) - mean(a.higher));
  const shown = ({ name, higher }) => `${name} ${mean(higher).toFixed(1)} %`;
  const [after, ahead] = [
    byLoss.filter(({ higher }) => behind(higher)),
    byLoss.filter(({ higher }) => behind(higher.map((value) => -value))),
  ];
  console.log(
    `\nsingle-task against ridge by one cross-validated weight: mean logarithm ${mean(found.map(({ log }) => log)).toFixed(1)} %; ` +
      `ahead by more than a standard error on ${ahead.length} of ${found.length} tables, ` +
      `behind on ${after.length}${listed(after.map(shown))}`,
  );
}
