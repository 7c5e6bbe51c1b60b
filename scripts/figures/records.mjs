/** What noise for single records keeps of the gain, by number of owners: from the summary of docs/RESULTS-RECORDS.md. */
import { chartOf } from "./drawing.mjs";

/** Columns of the summary that are drawn. */
const DRAWN = [
  "mp-mixed, record, eps 3",
  "mp-mixed, record, eps 1",
  "mp-mixed, record, eps 0.3",
  "mp-mixed, both, eps 1",
];

const cellsOf = (line) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Of the summary: by column, shares in percent at numbers of owners. */
export function sharesByOwners(results) {
  const section = results.slice(results.indexOf("\n## Summary\n"));
  const [head, , ...lines] = section.split("\n").filter((line) => line.startsWith("|"));
  const names = cellsOf(head);
  // Other tables may follow.
  const end = lines.findIndex((line) => !/^\| \d+ +\|/.test(line));
  const rows = lines.slice(0, end < 0 ? lines.length : end).map(cellsOf);
  return DRAWN.map((name) => {
    const column = names.indexOf(name);
    if (column < 0) throw new Error(`expected a column "${name}" in the summary, found none`);
    return {
      name,
      points: rows.map((row) => ({ x: Number(row[0]), y: parseInt(row[column], 10) })),
    };
  });
}

const about = {
  name: "records",
  title: "What noise for single records keeps, by number of owners",
  description:
    "Four lines over 3, 5, 10, 20 and 40 owners, all far below zero with 3 or 5. With noise for records they rise to 33, 76 and 67 percent " +
    "with 10, 20 and 40 owners at epsilon 3, to 39 from 20 on at 1, and stay below zero at 0.3. Noise for tasks and records at epsilon 1 stays below zero.",
};

/**
 * @param results the text of docs/RESULTS-RECORDS.md.
 * @param charts the modules src/report and src/charts of a build, or of the sources.
 */
export function records(results, report, charts) {
  const { lookOf } = charts;
  const series = sharesByOwners(results).map((one, k) => ({ ...lookOf(k), ...one }));
  const chart = {
    x: { title: "owners (logarithmic)", scale: "log", range: [2.6, 46], ticks: [3, 5, 10, 20, 40] },
    y: { title: "share in percent: 0 is learning alone, 100 no privacy", range: [-110, 106] },
    series,
    height: 300,
  };
  return chartOf(chart, about, report, charts);
}
