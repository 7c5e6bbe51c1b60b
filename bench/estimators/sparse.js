/**
 * Time, processor time of all threads, and peak memory of fits on sparse rows of the size of a public table of ratings:
 * 943 people (tasks) of 20 to 737 rows, 1,682 items (features, one of them 1 in a row) and about 100,000 ratings, simulated
 * from a seed. Methods have their defaults but for the seed; mp-low-rank, which decomposes 1,682 x 1,682 numbers a round, has one
 * round and no fallback. Each fit in a process of its own.
 *
 *   node bench/estimators/sparse.js [--methods pmtl,private-fedavg,mp-low-rank]
 */
import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeEstimator, TaskSet } from "../../build/modules/index.js";

const random = { mode: "seeded", seed: 1 };
const METHODS = {
  pmtl: { random },
  "private-fedavg": { random },
  "private-fedprox": { random },
  "mp-group-sparse": { random },
  "single-task": {},
  "group-sparse": {},
  "mp-low-rank": { random },
};
const { values: options } = parseArgs({
  options: {
    methods: { type: "string", default: Object.keys(METHODS).join(",") },
    one: { type: "boolean", default: false },
  },
});

/** Ratings: an item's own quality and a person's own level, and noise; popular items more often. */
function ratings(people, items, total) {
  let state = 1;
  const uniform = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const quality = Array.from({ length: items }, () => uniform() - 0.5);
  // 20 rows or more, most people with few and some with many; an exponential law cut at 737.
  const sizes = Array.from({ length: people }, () =>
    Math.min(737, Math.round(20 - (total / people - 20) * Math.log(1 - uniform()))),
  );
  const tasks = Array.from({ length: people }, (_, i) => {
    const n = sizes[i];
    const rated = new Set();
    while (rated.size < n) rated.add(Math.floor(items * uniform() * uniform()));
    const indices = [...rated];
    const level = uniform() - 0.5;
    return {
      name: `person-${i}`,
      x: {
        indptr: Array.from({ length: n + 1 }, (_, row) => row),
        indices,
        values: new Array(n).fill(1),
        shape: [n, items],
      },
      y: indices.map((item) => quality[item] + level + 0.5 * (uniform() - 0.5)),
    };
  });
  return TaskSet.from(tasks);
}

if (options.one) {
  const tasks = ratings(943, 1682, 100_000);
  const start = performance.now();
  await makeEstimator(options.methods, METHODS[options.methods]).fit(tasks);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage();
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(
    `${options.methods}: ${seconds.toFixed(1)} s, processor ${((user + system) / 1e6).toFixed(1)} s, peak of the process ${peak.toFixed(0)} MB`,
  );
} else {
  for (const name of options.methods.split(",")) {
    const self = fileURLToPath(import.meta.url);
    const { status } = spawnSync(process.execPath, [self, "--one", "--methods", name], {
      stdio: "inherit",
    });
    if (status !== 0) process.exit(status ?? 1);
  }
}
