/**
 * The bound K on uploads learned by votes (`clip: "auto"`), beside the K that the guide names, one ten times too small and one ten times
 * too large; and K = 1, the default.
 *
 *   npm run bench:clip -- [--replicates N] [--seeds PREFIX] [--data-folder DIR] [--epsilon 1,3]
 *                         [--sets scotland,gcse,wages,low-rank,school,landmine] [--methods mp-low-rank,...]
 *
 * Prints Markdown: mean over replicates of the test nMSE (landmine: mean AUC). The guide's K is 1.5 times (methods that average: once) the
 * median norm of the tasks' own models, which is looked up here without a charge. Rows are scaled to length 1; everything else is the methods'
 * default. Replicate k has the seed "PREFIX-k" for split and noise, tables their own splits; replace adjacency, delta the default.
 */
import { join } from "node:path";
import { parseArgs } from "../parse-args.js";
import { makeEstimator, Pipeline } from "../../build/modules/index.js";
import { mean } from "./means.js";
import { readSets, setOptions } from "./sets.js";
import { encodedTable, splitRows, TABLE_NAMES } from "./tables/data.js";

const { values: options } = parseArgs({
  options: {
    ...setOptions,
    epsilon: { type: "string", default: "1,3" },
    sets: { type: "string", default: "scotland,gcse,wages,low-rank,school,landmine" },
    methods: { type: "string", default: "mp-low-rank,pmtl,private-fedavg" },
    replicates: { type: "string", default: "4" },
  },
});
const EPSILONS = options.epsilon.split(",").map(Number);
const METHODS = options.methods.split(",");
/** Of the guide's K. */
const FACTORS = [1, 0.1, 10];

/** Splits of raw tables as the other sets are given. */
function tableSet(name) {
  const { rows } = encodedTable(join(options["data-folder"], "tables"), name);
  const unit = [{ kind: "unit-rows" }];
  const drawn = Array.from({ length: Number(options.replicates) }, (_, k) => {
    const { train, test } = splitRows(rows, `s${k + 1}`);
    const scaling = Pipeline.fit(train, unit);
    const seed = `${options.seeds}-${k}`;
    return { seed, train: scaling.apply(train), test: scaling.apply(test) };
  });
  return { name, metric: { name: "nMSE", of: ({ nmse }) => nmse }, common: {}, drawn };
}

async function* allSets() {
  const names = options.sets.split(",");
  for (const name of names.filter((name) => TABLE_NAMES.includes(name))) yield tableSet(name);
  const others = names.filter((name) => !TABLE_NAMES.includes(name));
  if (others.length > 0) yield* readSets({ ...options, sets: others.join(",") });
}

function medianNorm({ weights, m }) {
  const d = weights.length / m;
  const norms = Array.from({ length: m }, (_, i) =>
    Math.hypot(...weights.subarray(i * d, (i + 1) * d)),
  );
  return norms.sort((a, b) => a - b)[Math.floor(m / 2)];
}

const digits = (value) => value.toFixed(3).replace(/^0/, "");
console.log(
  "| data | method | eps | alone | auto | K | K / 10 | 10 K | 1, default | K of auto, of the guide |",
);
console.log(`|${" --- |".repeat(10)}`);
for await (const { name, metric, common, drawn } of allSets()) {
  const alone = [];
  const sizes = [];
  for (const { train, test } of drawn) {
    const model = await makeEstimator("single-task", common).fit(train);
    alone.push(metric.of(model.score(test)));
    sizes.push(medianNorm(model));
  }
  for (const method of METHODS) {
    const guide = sizes.map((size) => (method.startsWith("mp-") ? 1.5 : 1) * size);
    for (const epsilon of EPSILONS) {
      const learned = [];
      const scores = async (clipOf) => {
        const list = [];
        for (const [k, { seed, train, test }] of drawn.entries()) {
          const given = { ...common, epsilon, random: { mode: "seeded", seed }, clip: clipOf(k) };
          const model = await makeEstimator(method, given).fit(train);
          if (given.clip === "auto") learned.push(model.history[0].clip);
          list.push(metric.of(model.score(test)));
        }
        return digits(mean(list));
      };
      const cells = [digits(mean(alone)), await scores(() => "auto")];
      for (const factor of FACTORS) cells.push(await scores((k) => factor * guide[k]));
      cells.push(await scores(() => 1));
      const bounds = `${mean(learned).toPrecision(2)}, ${mean(guide).toPrecision(2)}`;
      console.log(`| ${name} | \`${method}\` | ${epsilon} | ${cells.join(" | ")} | ${bounds} |`);
    }
  }
}
