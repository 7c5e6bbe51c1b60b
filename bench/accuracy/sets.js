/**
 * The data sets of the accuracy tables, and how their figures are written. Sets from files are the
 * caller's folder's: nothing of them is in the package.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pipeline, simulate, tasksFromTable } from "../../build/modules/index.js";
import { readTable } from "../../build/modules/node/index.js";
import { mean, meanAndError, standardError } from "./means.js";
import { among } from "../parse-args.js";

/** Command line options that choose sets and seeds. */
export const setOptions = {
  seeds: { type: "string", default: "table" },
  sets: { type: "string", default: "low-rank,group-sparse,school,landmine" },
  epsilon: { type: "string", default: "0.1,0.3,1,3,10" },
  methods: { type: "string" },
  "data-folder": {
    type: "string",
    default: fileURLToPath(new URL("../../../shared/data", import.meta.url)),
  },
};

/** A CSV with columns task, y, x1, x2, ... split within every task, 30 % for training. */
function table(file, features) {
  let tasks;
  return async (seed, folder) => {
    if (!tasks) {
      const read = await readTable(join(folder, file));
      const columns = Array.from({ length: features }, (_, j) => `x${j + 1}`);
      const raw = tasksFromTable(read, { task: "task", target: "y", features: columns }).tasks;
      tasks = Pipeline.fit(raw, [{ kind: "unit-rows" }]).apply(raw);
    }
    return tasks.split({ trainFraction: 0.3, seed });
  };
}

const error = { name: "nMSE", of: (scores) => scores.nmse, better: -1 };
const area = { name: "mean AUC", of: (scores) => scores.auc, better: 1 };

/** As in the papers, whose models go through the origin. */
const origin = { intercept: false };

const SETS = {
  "low-rank": {
    metric: error,
    common: origin,
    data: (seed) => simulate({ pattern: "low-rank", seed }),
  },
  "group-sparse": {
    metric: error,
    common: origin,
    data: (seed) => simulate({ pattern: "group-sparse", seed }),
  },
  school: {
    metric: error,
    common: origin,
    file: "school.csv.gz",
    data: table("school.csv.gz", 27),
  },
  landmine: {
    metric: area,
    file: "landmine.csv.gz",
    data: table("landmine.csv.gz", 9),
    common: { loss: "logistic", intercept: true },
  },
};

/**
 * The sets that are asked for and there: name, metric, options that every method takes on it, and the
 * draws or splits of all seeds, `{ seed, train, test }`.
 */
export async function* readSets({ sets, seeds, replicates, "data-folder": folder }) {
  const names = Array.from({ length: Number(replicates) }, (_, k) => `${seeds}-${k}`);
  for (const name of among("sets", sets.split(","), Object.keys(SETS))) {
    const { metric, data, file, common = {} } = SETS[name];
    if (file && !existsSync(join(folder, file))) {
      console.log(`\n${name}: skipped, ${file} is not in the data folder`);
      continue;
    }
    const drawn = [];
    for (const seed of names) drawn.push({ seed, ...(await data(seed, folder)) });
    yield { name, metric, common, drawn };
  }
}

const digits = (value) => value.toFixed(4).replace(/^(-?)0/, "$1");

/** mean ± standard error */
export const cell = (list) => meanAndError(list, digits);

/** A mean in units of its own standard error; 0 where all are zero but for rounding. */
export function inErrors(gains) {
  if (gains.every((gain) => Math.abs(gain) < 1e-9)) return "0";
  const spread = standardError(gains);
  return spread > 0 ? (mean(gains) / spread).toFixed(1) : "-";
}
