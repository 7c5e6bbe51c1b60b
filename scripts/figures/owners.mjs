/** How the share of the gain goes with the number of owners: from the same tables of docs/RESULTS-MIXED.md as shares.mjs. */
import { chartOf } from "./drawing.mjs";
import { GROUPS, held, sharesIn, SHOWN } from "./shares.mjs";

/** From how many owners to how many, and where the median of these stands. */
export const OWNERS = [
  { name: "60 or fewer", from: 0, to: 60, at: 50 },
  { name: "61 to 150", from: 61, to: 150, at: 100 },
  { name: "more than 150", from: 151, to: Infinity, at: 300 },
];
const DRAWN = [
  { epsilon: 0.3, at: 0 },
  { epsilon: 1, at: 1 },
];

/** All tables of which the results say how many owners they have. */
export const tablesWithOwners = (results) =>
  GROUPS.flatMap(([heading]) => sharesIn(results, heading).tables).filter(
    ({ owners }) => owners > 0,
  );

function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** By number of owners: how many tables, and the medians of their shares at the four budgets. */
export function mediansByOwners(results) {
  const tables = tablesWithOwners(results);
  return OWNERS.map(({ name, from, to }) => {
    const some = tables.filter(({ owners }) => owners >= from && owners <= to);
    const medians = [0, 1, 2, 3].map((at) => median(some.map(({ shares }) => shares[at])));
    return { name, count: some.length, medians };
  });
}

const about = {
  name: "owners",
  title: "The share of the gain, by number of owners",
  description:
    "Dots are 52 tables of 28 to 600 owners, at epsilon 0.3 and 1. Lines are medians of tables of 60 owners or fewer, of 61 to " +
    "150 and of more. At 0.3 they rise from a tenth to two thirds, at 1 from a third to four fifths. Single tables of " +
    "few and of many owners lie below learning alone.",
};

/**
 * @param results the text of docs/RESULTS-MIXED.md.
 * @param charts the modules src/report and src/charts of a build, or of the sources.
 */
export function owners(results, report, charts) {
  const { lookOf } = charts;
  const tables = tablesWithOwners(results);
  const groups = mediansByOwners(results);
  const chart = {
    x: {
      title: "owners (logarithmic)",
      scale: "log",
      range: [25, 700],
      ticks: [30, 60, 100, 150, 300, 600],
    },
    y: {
      title: "share in percent: 0 is learning alone, 100 the best without privacy",
      range: [SHOWN[0] - 6, SHOWN[1] + 6],
    },
    series: DRAWN.flatMap(({ epsilon, at }, k) => [
      {
        ...lookOf(k),
        name: `one table, epsilon ${epsilon}`,
        points: tables.map((table) => ({ x: table.owners, y: held(table.shares[at]) })),
        scattered: true,
      },
      {
        ...lookOf(k),
        name: `medians, epsilon ${epsilon}`,
        points: OWNERS.map((group, g) => ({ x: group.at, y: groups[g].medians[at] })),
      },
    ]),
    height: 340,
  };
  return chartOf(chart, about, report, charts);
}
