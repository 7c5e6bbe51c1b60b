/** What a budget buys, table by table: from the figures of docs/RESULTS-MIXED.md, which its tables hold. */
import { chartOf } from "./drawing.mjs";

/** Sections of the results, and what the picture calls their tables. */
export const GROUPS = [
  ["On five real tables", "four it was developed with"],
  ["Tables that constants were not settled on", "eighteen others"],
  ["Tables that were looked at last", "sixteen looked at last"],
  ["Tables that were taken after that", "eighteen taken after these"],
];
const EPSILONS = [0.3, 1, 3, 10];

/** A section's tables, by name, with their owners where it says how many, and shares in percent at the four budgets; and the medians of these. */
export function sharesIn(results, heading) {
  const from = results.indexOf(`\n## ${heading}\n`);
  if (from < 0) throw new Error(`expected a section "${heading}" in the results, found none`);
  const section = results.slice(from, results.indexOf("\n## ", from + 5));
  const rows = section
    .split("\n")
    .filter((line) => /^\| .*%/.test(line))
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => ({
      name: cells[0].trim().replaceAll("`", ""),
      owners: Number(cells.at(-6)),
      shares: cells.slice(-EPSILONS.length).map((cell) => parseInt(cell, 10)),
    }));
  const { shares: medians } = rows.find(({ name }) => name === "median");
  return { tables: rows.filter(({ name }) => name !== "median"), medians };
}

const about = {
  name: "shares",
  title: "What a budget buys, table by table",
  description:
    "Dots are tables, at epsilon 0.3, 1, 3 and 10; lines are medians of four groups of tables. At 0.3 dots lie from below " +
    "learning alone to near the best without privacy, and medians between a fifth and a half. At 1 medians are between " +
    "48 and 87 percent, at 3 between 78 and 91, at 10 between 86 and 99. A few tables stay below learning alone at every budget.",
};

/** The axis shows no more than this; tables beyond it stand at its end. */
export const SHOWN = [-60, 130];
export const held = (share) => Math.max(SHOWN[0], Math.min(SHOWN[1], share));

/** Tables of one budget stand beside each other, in their order, within a factor of this either way. */
const BESIDE = 1.35;

/**
 * @param results the text of docs/RESULTS-MIXED.md.
 * @param charts the modules src/report and src/charts of a build, or of the sources.
 */
export function shares(results, report, charts) {
  const { lookOf } = charts;
  const groups = GROUPS.map(([heading, name]) => ({ name, ...sharesIn(results, heading) }));
  const all = groups.flatMap(({ tables }) => tables);
  const dots = all.flatMap((table, k) =>
    EPSILONS.map((epsilon, at) => ({
      x: epsilon * BESIDE ** ((2 * k) / (all.length - 1) - 1),
      y: held(table.shares[at]),
    })),
  );
  const chart = {
    x: { title: "epsilon (logarithmic)", scale: "log", range: [0.2, 15], ticks: EPSILONS },
    y: {
      title: "share in percent: 0 is learning alone, 100 the best without privacy",
      range: [SHOWN[0] - 6, SHOWN[1] + 6],
    },
    series: [
      { ...lookOf(6), mark: "circle", name: "one table", points: dots, scattered: true },
      ...groups.map(({ name, medians }, k) => ({
        ...lookOf(k),
        name: `median: ${name}`,
        points: EPSILONS.map((x, at) => ({ x, y: medians[at] })),
      })),
    ],
    height: 340,
  };
  return chartOf(chart, about, report, charts);
}
