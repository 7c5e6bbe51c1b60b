/**
 * The methods that look back, with their safeguard, against each task alone by the same rule: is anyone
 * worse off for having taken part?
 *
 *   npm run bench:safeguard -- [--replicates N] [--seeds PREFIX] [--data-folder DIR]
 *                              [--sets low-rank,group-sparse,school,landmine] [--epsilon 0.1,0.3,1,3,10]
 *                              [--methods mp-low-rank,pmtl,...] [--choice last|local|pooled]
 *
 * Prints Markdown: mean +- standard error over replicates of the test nMSE (landmine: mean AUC), and
 * the mean paired difference to learning alone in units of its own standard error (positive: taking part
 * is better). Alone: ridge with the weight that each task chooses by leave-one-out, which is what the safeguard
 * falls back on. Settings are one set for every eps, from the methods' descriptions; replicate k has
 * the seed "PREFIX-k" for data, split and noise; delta = 1/(m log m), replace adjacency.
 */
import { parseArgs } from "../parse-args.js";
import { makeEstimator } from "../../build/modules/index.js";
import { cell, inErrors, readSets, setOptions } from "./sets.js";

const { values: options } = parseArgs({
  options: {
    ...setOptions,
    replicates: { type: "string", default: "4" },
    choice: { type: "string", default: "last" },
  },
});
const EPSILONS = options.epsilon.split(",").map(Number);

const steps = { stepSize: "own", rounds: 50, clipIterate: false };
const solved = { rounds: 10, localSteps: "solve" };
const averaged = { rounds: 10, localSteps: 10 };
const tuned = { kind: "mean-regularized", steps: 30 };

/** Methods, and their settings on every set. */
const METHODS = {
  "mp-low-rank": {
    synthetic: { ...steps, clip: 20, lambda: 1.5 },
    school: { ...steps, rounds: 20, clip: 20, lambda: 0.3 },
    landmine: { ...steps, rounds: 20, clip: 1, lambda: 0.05 },
  },
  "mp-group-sparse": {
    synthetic: { ...steps, clip: 20, lambda: 1 },
    school: { ...steps, rounds: 20, clip: 20, lambda: 0.3 },
    landmine: { ...steps, rounds: 20, clip: 1, lambda: 0.05 },
  },
  "mp-low-rank-sparse": {
    synthetic: { ...steps, clip: 20, lambda: 1.5, lambda2: 0.1 },
    school: { ...steps, rounds: 20, clip: 20, lambda: 0.3, lambda2: 0.1 },
    landmine: { ...steps, rounds: 20, clip: 1, lambda: 0.05, lambda2: 0.01 },
  },
  pmtl: {
    synthetic: { ...solved, clip: 60, lambda: 1e-3 },
    school: { ...solved, clip: 80, lambda: 3e-4 },
    landmine: { ...solved, clip: 1, lambda: 0.1 },
  },
  "private-fedavg": {
    synthetic: { ...averaged, clip: 20, finetune: { ...tuned, strength: 1e-3 } },
    school: { ...averaged, clip: 20, finetune: { ...tuned, strength: 1e-3 } },
    landmine: { ...averaged, clip: 1, finetune: { ...tuned, strength: 0.1 } },
  },
  "private-fedprox": {
    synthetic: { ...averaged, clip: 20, lambda: 0.1, finetune: { ...tuned, strength: 1e-3 } },
    school: { ...averaged, clip: 20, lambda: 0.1, finetune: { ...tuned, strength: 1e-3 } },
    landmine: { ...averaged, clip: 1, lambda: 0.1, finetune: { ...tuned, strength: 0.1 } },
  },
  "dp-aggregation": {
    synthetic: { lambda: 0.01, slopeBound: 30 },
    school: { lambda: 0.01, slopeBound: 30 },
    landmine: { lambda: 0.1, intercept: false },
  },
  "dp-task-relationship": {
    synthetic: { lambda: 0.01, lambda2: 0.01, slopeBound: 30 },
    school: { lambda: 0.01, lambda2: 0.01, slopeBound: 30 },
    landmine: { lambda: 0.1, intercept: false },
  },
};
const chosen = options.methods?.split(",") ?? Object.keys(METHODS);

for await (const { name, metric, common, drawn } of readSets(options)) {
  const scores = async (method, given) => {
    const out = [];
    for (const { seed, train, test } of drawn) {
      const random = { mode: "seeded", seed };
      const model = await makeEstimator(method, {
        ...common,
        random,
        delta: "papers",
        ...given,
      }).fit(train);
      out.push(metric.of(model.score(test)));
    }
    return out;
  };
  /** One round that shrinks nothing leaves every task its start: ridge by its own leave-one-out choice. */
  const aloneBy = (given) =>
    scores("mp-low-rank", { rounds: 1, lambda: 0, clip: 1e12, safeguard: false, ...given });
  const alone = await aloneBy({});
  console.log(`\n${name}, ${metric.name} over ${drawn.length} replicates; alone ${cell(alone)}\n`);
  console.log(`| eps | ${EPSILONS.join(" | ")} |`);
  console.log(`| --- |${" --- |".repeat(EPSILONS.length)}`);
  for (const method of chosen) {
    const given = METHODS[method][name] ?? METHODS[method].synthetic;
    const records = method.startsWith("dp-");
    const choice = records ? {} : { choice: options.choice };
    const own = given.intercept === false ? await aloneBy({ intercept: false }) : alone;
    const [cells, differences] = [[], []];
    for (const epsilon of EPSILONS) {
      const list = await scores(method, { epsilon, safeguard: true, ...choice, ...given });
      cells.push(cell(list));
      differences.push(inErrors(list.map((score, k) => metric.better * (score - own[k]))));
    }
    console.log(`| \`${method}\` | ${cells.join(" | ")} |`);
    console.log(`| gain over alone, in standard errors | ${differences.join(" | ")} |`);
  }
}
