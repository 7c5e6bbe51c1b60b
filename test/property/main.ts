/**
 * `npm run property -- [--minutes N] [--configurations N] [--seed S] [--path P]`: random configurations of every
 * method, checked until the time is over. Progress goes to stderr, what was seen to stdout; Ctrl-C ends a run early.
 * @module
 */
import { parseArgs } from "node:util";
import { runProperty, type Failure, type Seen } from "./run.js";
import { withVotes } from "./voted-columns.js";

const PROGRESS_EVERY = 5_000;

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  process.stderr.write(`--${name}: expected a number >= 0, got ${JSON.stringify(text)}.\n`);
  process.exit(2);
}

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    configurations: { type: "string" },
    seed: { type: "string" },
    path: { type: "string" },
  },
});
const seed = numberOf("seed", values.seed) ?? Math.floor(Math.random() * 2 ** 30);
const count = numberOf("configurations", values.configurations);
const minutes = numberOf("minutes", values.minutes) ?? (count === undefined ? 3 : Infinity);

const start = performance.now();
const seconds = () => Math.round((performance.now() - start) / 1000);
const brief = ({ checked, refused, tooLong, releases }: Seen) =>
  `${checked} configurations, ${releases} releases; ${refused} refused, ${tooLong} given up`;

let interrupted = false;
process.once("SIGINT", () => {
  interrupted = true;
  process.stderr.write("\nending; once more ends at once\n");
});

let shown = 0;
process.stderr.write(`seed ${seed}\n`);
const { seen, failure } = await runProperty({
  seed,
  path: values.path,
  count,
  duration: 60_000 * minutes,
  changed: withVotes,
  stopped: () => interrupted,
  onProgress: (soFar) => {
    if (performance.now() - shown < PROGRESS_EVERY) return;
    shown = performance.now();
    process.stderr.write(`${seconds()} s: ${brief(soFar)}\n`);
  },
});

process.stdout.write(`${brief(seen)}; ${seconds()} s from seed ${seed}\n`);
const table = (title: string, rows: [string, string][]) =>
  process.stdout.write(`\n${title}\n${rows.map((row) => `  ${row.join("  ")}\n`).join("")}`);
const sorted = Object.entries(seen.ratios).sort(([a], [b]) => (a < b ? -1 : 1));
table("Configurations checked, by method", Object.entries(seen.methods).map(([name, n]) => [String(n).padStart(6), name])); // prettier-ignore
table("Largest change over sensitivity, by release", sorted.map(([kind, ratio]) => [ratio.toFixed(6), kind])); // prettier-ignore
table("Configurations with a release of a label, largest change over its sensitivity", Object.entries(seen.labels).map(([label, { configurations, ratio }]) => [`${String(configurations).padStart(6)} ${ratio.toFixed(6)}`, label])); // prettier-ignore
table("Noise drawn, standard deviations from its law", seen.noise.deviations().map(({ kind, draws, deviation }) => [deviation.toFixed(2).padStart(6), `${kind} (${draws} releases)`])); // prettier-ignore
if (failure) report(failure);
process.exit(failure ? 1 : interrupted ? 130 : 0);

function report({ message, configuration, seed: from, path }: Failure): void {
  process.stdout.write(`\nFAILED: ${message}\n`);
  if (!path) return;
  process.stdout.write(`${JSON.stringify(configuration, null, 2)}\n`);
  process.stdout.write(`Again: npm run property -- --seed ${from} --path ${path}\n`);
}
