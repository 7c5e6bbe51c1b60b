/** What more threads gain, fit by fit, against the time on one: from the table of docs/PERFORMANCE.md. */
import { chartOf } from "./drawing.mjs";

/** Fits of the table: milliseconds on one thread, and the gain of two and of sixteen by processor time. */
export function gainsIn(performance) {
  const rows = performance
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const at = rows.findIndex((cells) => cells.includes("clock, 2") && cells.includes("cold"));
  if (at < 0) throw new Error('expected a table with columns "clock, 2" and "cold", found none');
  const [ms, two, sixteen] = ["ms of one thread", "2", "16"].map((name) => rows[at].indexOf(name));
  const fits = [];
  for (const cells of rows.slice(at + 2)) {
    if (cells.length !== rows[at].length) break;
    // A row with words alone opens a group.
    if (cells[ms] === "") continue;
    fits.push({ ms: Number(cells[ms]), two: Number(cells[two]), sixteen: Number(cells[sixteen]) });
  }
  return fits;
}

const about = {
  name: "threads",
  title: "What more threads gain, fit by fit",
  description:
    "Dots are methods and sizes: across, the time on one thread from 8 milliseconds to 5 seconds, up, how many times as fast the busiest " +
    "thread is done. On two threads most gain 1.6 to 2 times, and short fits less. On sixteen the gain grows with the time, from below " +
    "1 to 14 times, and is small where one thread does much alone.",
};

/**
 * @param performance the text of docs/PERFORMANCE.md.
 * @param charts the modules src/report and src/charts of a build, or of the sources.
 */
export function threads(performance, report, charts) {
  const { lookOf } = charts;
  const fits = gainsIn(performance);
  const series = [
    ["two threads", "two"],
    ["sixteen threads", "sixteen"],
  ].map(([name, of], k) => ({
    ...lookOf(k),
    name,
    points: fits.map((fit) => ({ x: fit.ms, y: fit[of] })),
    scattered: true,
  }));
  const chart = {
    x: {
      title: "ms of one thread (logarithmic)",
      scale: "log",
      range: [6, 7000],
      ticks: [10, 30, 100, 300, 1000, 3000],
    },
    y: {
      title: "gain by processor time (logarithmic)",
      scale: "log",
      range: [0.5, 18],
      ticks: [0.5, 1, 2, 4, 8, 16],
    },
    series,
    height: 300,
  };
  return chartOf(chart, about, report, charts);
}
