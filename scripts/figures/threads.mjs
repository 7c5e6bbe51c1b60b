/** What more threads gain, fit by fit, against the time on one: from the table of docs/PERFORMANCE-THREADS.md. */
import { chartOf } from "./drawing.mjs";
import { tableWith } from "./tables.mjs";

/** Fits of the table: milliseconds on one thread, and the gain of two and of sixteen by processor time. */
export function gainsIn(performance) {
  const { column, rows } = tableWith(performance, [
    "ms of one thread",
    "2",
    "16",
    "clock, 2",
    "cold",
  ]);
  const fits = [];
  for (const cells of rows) {
    const [ms, two, sixteen] = ["ms of one thread", "2", "16"].map((name) => cells[column(name)]);
    // A row with words alone opens a group.
    if (ms === "") continue;
    fits.push({ ms: Number(ms), two: Number(two), sixteen: Number(sixteen) });
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
 * @param performance the text of docs/PERFORMANCE-THREADS.md.
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
