/**
 * What exact noise costs beside noise in floating point: nanoseconds a number, and their ratio.
 *
 *   node bench/kernels/noise.js [--quick]
 *
 * The two forms take turns, so that a change of the machine's load meets both; of each the best of all turns. Writes
 * build/bench-noise.json.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { parseArgs } from "../parse-args.js";
import { openCore } from "../../build/modules/core/index.js";
import { createMechanism } from "../../build/modules/privacy/index.js";
import { openStream } from "../../build/modules/random/index.js";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const turns = values.quick ? 5 : 30;
const core = openCore();
const { arena } = core;
const random = openStream(core, { mode: "seeded", seed: 1 });

const triangle = (d) => (d * (d + 1)) / 2;
const poisson = { sampling: { kind: "poisson", rate: 0.1 }, adjacency: "zero-out" };
const CASES = [
  ["gaussian", "covariance", 1e-5, [30, 141, 300, 1000], triangle],
  ["gaussian-mean", "vector", 1e-5, [1000, 100_000], (d) => d],
  ["gaussian-mean", "vector", 1e-5, [1000, 100_000], (d) => d, poisson],
  ["two-sided-wishart", "covariance", 0, [10, 30, 100, 300], triangle],
  ["laplace-diagonal", "diagonal", 0, [30, 1000], (d) => d],
  ["spherical-laplace", "vector", 0, [30, 1000], (d) => d],
];

/** Milliseconds of the best turn of each form, a budget of 0.1 a round. */
function compare(name, statistic, delta, d, options) {
  const forms = [true, false].map((discrete) =>
    createMechanism({
      name,
      statistic,
      tasks: 300,
      dimension: d,
      clip: 1,
      delta,
      discrete,
      ...options,
    }),
  );
  const mark = arena.mark();
  const length = statistic === "covariance" ? d * d : d;
  const at = arena.zeros(length);
  const work = arena.bytes(Math.max(...forms.map((form) => form.workspace(core))) + 16);
  const repeats = Math.max(1, Math.ceil(20_000 / length));
  const best = [Infinity, Infinity];
  for (let turn = 0; turn < turns; turn++) {
    forms.forEach((form, k) => {
      arena.view(at, length).fill(0);
      const start = performance.now();
      for (let r = 0; r < repeats; r++) form.perturb(core, random, at, 0.1, work);
      best[k] = Math.min(best[k], (performance.now() - start) / repeats);
    });
  }
  arena.release(mark);
  return best;
}

const rows = CASES.flatMap(([name, statistic, delta, sizes, numbers, options]) =>
  sizes.map((d) => {
    const [exact, float] = compare(name, statistic, delta, d, options);
    const per = 1e6 / numbers(d);
    return {
      mechanism: options ? `${name}, Poisson` : name,
      d,
      "exact, ms": +exact.toPrecision(3),
      "exact, ns a number": +(exact * per).toPrecision(3),
      "float, ns a number": +(float * per).toPrecision(3),
      ratio: +(exact / float).toPrecision(2),
    };
  }),
);
console.table(rows);
const build = new URL("../../build/", import.meta.url);
mkdirSync(build, { recursive: true });
writeFileSync(new URL("bench-noise.json", build), `${JSON.stringify(rows, null, 1)}\n`);
