/**
 * What privacy costs in time: `MpLowRank` against the same rounds without noise, ledger and clipping
 * (and with its safeguard, which runs more rounds than those); and the memory that fits take, against the data's own size.
 *
 *   node bench/estimators/private.js [--quick] [--out FILE]
 *
 * Both sides start from zeros and place their data themselves. Best of several alternating runs.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openCore } from "../../dist/core/index.js";
import { GroupSparse, MpFeatureLearning, MpLowRank, TraceNorm } from "../../dist/index.js";
import { fixedMomentum } from "../../dist/learning/local/momentum.js";
import { matrixProjection } from "../../dist/learning/local/projection.js";
import { ProximalGradient } from "../../dist/learning/local/proximal-gradient.js";
import { gradientSource } from "../../dist/learning/quadratic-tasks.js";
import { ResidentTasks } from "../../dist/learning/resident-tasks.js";
import { Curator } from "../../dist/learning/round/curator.js";
import { runRounds } from "../../dist/learning/round/run.js";
import { lowRankRule } from "../../dist/learning/sharing/low-rank.js";
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

function withNoise(data, noise, safeguard) {
  const random = { mode: "seeded", seed: 1 };
  const initial = "zeros";
  return new MpLowRank({ rounds, lambda, clip, noise, safeguard, initial, random }).fit(data);
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
  { m: 320, d: 30, n: 30, runs: 20 },
  { m: 1000, d: 100, n: 50, runs: 3 },
  { m: 1000, d: 300, n: 50, runs: 2 },
].filter(({ d }) => !options.quick || d < 100)) {
  const { tasks } = simulate(size);
  const works = [
    () => withNoise(tasks, "float", false),
    () => withNoise(tasks, "exact", false),
    () => withoutNoise(tasks),
    () => withNoise(tasks, "float", true),
  ];
  const [floating, exact, plain, guarded] = await times(works, size.runs);
  results.time.push({ ...size, rounds, floating, exact, plain, guarded });
  console.log(
    `m ${size.m}, d ${size.d}, n ${size.n}, ${rounds} rounds: ${floating.toFixed(1)} ms private, ` +
      `${plain.toFixed(1)} ms without noise, ratio ${(floating / plain).toFixed(2)}; ` +
      `with exact noise ${exact.toFixed(1)} ms, ratio ${(exact / plain).toFixed(2)}; with the ` +
      `safeguard, which replays them on five folds, ${guarded.toFixed(1)} ms`,
  );
}

console.log("\nLargest WebAssembly memory of a fit, MiB (and the task set's own arrays):");
const seed = { mode: "seeded", seed: 1 };
for (const size of [
  { m: 320, d: 30, n: 30 },
  { m: 1000, d: 300, n: 50 },
  { m: 200, d: 1000, n: 20 },
].filter(({ d }) => !options.quick || d < 100)) {
  const { tasks } = simulate(size);
  const { m, d, size: rows } = tasks;
  const data = 8 * rows * (d + 1);
  for (const [method, estimator] of [
    ["mp-low-rank", new MpLowRank({ rounds: 2, clip, initial: "zeros", random: seed })],
    ["mp-feature-learning", new MpFeatureLearning({ clip, random: seed })],
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
