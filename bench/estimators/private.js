/**
 * What privacy costs in time: `MpLowRank` against the same rounds without noise, ledger and clipping; beside them
 * what does more than those rounds: safeguards, logistic losses, PMTL, FedAvg, feature learning. And the memory that
 * fits take, against the data's own size.
 *
 *   node bench/estimators/private.js [--quick] [--out FILE]
 *
 * Both sides start from zeros and place their data themselves. Best of several alternating runs.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "../parse-args.js";
import { openCore } from "../../build/modules/core/index.js";
import {
  GroupSparse,
  makeEstimator,
  MpFeatureLearning,
  MpLowRank,
  TaskSet,
  TraceNorm,
} from "../../build/modules/index.js";
import { fixedMomentum } from "../../build/modules/learning/steps/momentum.js";
import { matrixProjection } from "../../build/modules/learning/steps/projection.js";
import { ProximalGradient } from "../../build/modules/learning/steps/proximal-gradient.js";
import { gradientSource } from "../../build/modules/learning/tasks/quadratic-tasks.js";
import { ResidentTasks } from "../../build/modules/learning/tasks/resident-tasks.js";
import { Curator } from "../../build/modules/learning/round/curator.js";
import { runRounds } from "../../build/modules/learning/round/run.js";
import { lowRankRule } from "../../build/modules/learning/sharing/low-rank.js";
import { simulate } from "./simulate.js";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    out: {
      type: "string",
      default: fileURLToPath(new URL("../../build/bench-private.json", import.meta.url)),
    },
  },
});

/** Memory of all instances opened, largest first. */
const memories = [];
const { WebAssembly: host } = globalThis;
const { Instance } = host;
host.Instance = class extends Instance {
  constructor(...parameters) {
    super(...parameters);
    memories.push(this.exports.memory);
  }
};

const [rounds, lambda, clip] = [50, 0.1, 10];

async function withoutNoise(data) {
  const core = openCore();
  const { m, d } = data;
  const tasks = new ResidentTasks(core, data, data.y, { loss: "squared", lossScale: "mean" });
  const source = gradientSource(tasks, { m, rows: data.size }, rounds);
  const participants = new ProximalGradient(source, {
    clip: Infinity,
    clipIterate: false,
    steps: new Float64Array(m).fill(1),
    strongConvexity: 0,
    momentum: fixedMomentum("convex", 0, 1),
    projection: matrixProjection(core, m, d),
    initial: new Float64Array(m * d),
    initialIntercepts: new Float64Array(m),
  });
  const curator = new Curator({ core, m, d, rule: lowRankRule(lambda) });
  await runRounds({ participants, curator, rounds });
}

const random = { mode: "seeded", seed: 1 };

function withNoise(data, options) {
  return new MpLowRank({ rounds, lambda, clip, random, ...options }).fit(data);
}

/** The same task set with labels. */
function labelled(tasks) {
  const { x, offsets, names, featureNames, targetName } = tasks;
  const y = tasks.y.map((value) => (value > 0 ? 1 : 0));
  return TaskSet.adopt({ x, y, offsets, names, featureNames, targetName });
}

/** Best times of several works, which take turns. */
async function times(works, runs) {
  const best = works.map(() => Infinity);
  for (let run = 0; run < runs; run++) {
    for (const [k, work] of works.entries()) {
      const start = performance.now();
      await work();
      best[k] = Math.min(best[k], performance.now() - start);
    }
  }
  return best;
}

const results = { time: [], memory: [] };
for (const size of [
  { m: 320, d: 30, n: 30, runs: 15 },
  { m: 1000, d: 100, n: 50, runs: 3 },
  { m: 1000, d: 300, n: 50, runs: 2 },
].filter(({ d }) => !options.quick || d < 100)) {
  const { tasks } = simulate(size);
  const labels = labelled(tasks);
  const zeros = { initial: "zeros", noise: "float" };
  const federated = (method, options) =>
    makeEstimator(method, { rounds, clip, random, ...options }).fit(tasks);
  const bare = { safeguard: false };
  // What noise costs are differences of a millisecond or two: these take turns among themselves, more often.
  const rounded = {
    "without noise": () => withoutNoise(tasks),
    "noise in floating point": () => withNoise(tasks, { ...zeros, ...bare }),
    "exact noise": () => withNoise(tasks, { ...zeros, ...bare, noise: "exact" }),
  };
  const others = {
    "floating point, safeguarded": () => withNoise(tasks, zeros),
    "all defaults but the safeguard": () => withNoise(tasks, bare),
    "all defaults": () => withNoise(tasks, {}),
    "logistic loss, no safeguard": () => withNoise(labels, { loss: "logistic", ...bare }),
    "logistic loss": () => withNoise(labels, { loss: "logistic" }),
    "pmtl, no safeguard": () => federated("pmtl", bare),
    pmtl: () => federated("pmtl", {}),
    "private-fedavg, no safeguard": () => federated("private-fedavg", bare),
    "private-fedavg": () => federated("private-fedavg", {}),
    "mp-feature-learning": () => new MpFeatureLearning({ random }).fit(tasks),
  };
  const best = [
    ...(await times(Object.values(rounded), 4 * size.runs)),
    ...(await times(Object.values(others), size.runs)),
  ];
  const names = [...Object.keys(rounded), ...Object.keys(others)];
  results.time.push({
    ...size,
    rounds,
    ...Object.fromEntries(names.map((name, k) => [name, best[k]])),
  });
  console.log(
    `\n| m ${size.m}, d ${size.d}, n ${size.n} | ms | ratio to no noise |\n| --- | --- | --- |`,
  );
  names.forEach((name, k) => {
    console.log(`| ${name} | ${best[k].toFixed(1)} | ${(best[k] / best[0]).toFixed(2)} |`);
  });
}

console.log("\nLargest WebAssembly memory of a fit, MiB (and the task set's own arrays):");
for (const size of [
  { m: 320, d: 30, n: 30 },
  { m: 1000, d: 300, n: 50 },
  { m: 200, d: 1000, n: 20 },
].filter(({ d }) => !options.quick || d < 100)) {
  const { tasks } = simulate(size);
  const { m, d, size: rows } = tasks;
  const data = 8 * rows * (d + 1);
  for (const [method, estimator] of [
    ["mp-low-rank", new MpLowRank({ rounds: 2, clip, initial: "zeros", random })],
    ["mp-feature-learning", new MpFeatureLearning({ clip, random })],
    ["trace-norm", new TraceNorm({ lambda: 0.05, maxRounds: 40 })],
    ["group-sparse", new GroupSparse({ maxRounds: 2 })],
  ]) {
    memories.length = 0;
    await estimator.fit(tasks);
    const bytes = Math.max(...memories.map(({ buffer }) => buffer.byteLength));
    const blocks = { md: (bytes - data) / (8 * m * d), dd: (bytes - data) / (8 * d * d) };
    results.memory.push({ m, d, rows, method, bytes, data });
    const mib = (x) => (x / 2 ** 20).toFixed(1).padStart(8);
    console.log(
      `m ${m}, d ${d}, N ${rows}`.padEnd(26) +
        method.padEnd(22) +
        `${mib(bytes)} (${mib(data)}): beyond the data ${blocks.md.toFixed(1)} m d, or ` +
        `${blocks.dd.toFixed(1)} d^2`,
    );
  }
}

mkdirSync(dirname(options.out), { recursive: true });
writeFileSync(options.out, JSON.stringify(results, null, 1) + "\n");
console.log(`wrote ${options.out}`);
