/**
 * Log-loss of the private mixed model on raw tables with a target of classes: of two beside R's mixed model, of several beside one
 * softmax regression for all.
 *
 * Columns of numbers have declared ranges, publicly known; others are categories, a missing cell one of them. Alone: the better of single-task
 * ridge (of several classes also as it is by default), its weight the best on the test rows of all tasks, and of every task's average over public priors
 * (mp-mixed at eps = .001). No noise: eps = 1e5. glmer: a random intercept. Pooled: not private.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeEstimator, Table, tasksFromTable } from "../../../build/modules/index.js";
import { mean, meanAndError, standardError } from "../means.js";
import { best } from "./closed.js";
import { readRows, saidOfTables } from "./data.js";

/** Target, and ranges that are publicly known. */
const TABLES = {
  union: ["union", { year: [1980, 1987], exper: [0, 20], school: [0, 20], wage: [0, 4] }],
  immunisation: ["immun", { pcInd81: [0, 1] }],
};
const RIDGE = [1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1];

/** Tables of labels: those that a folder says it has, else those above. */
export function classesIn(folder) {
  const said = saidOfTables(folder, { numbers: false });
  return said
    ? Object.fromEntries(said.map(([name, { target, ranges }]) => [name, [target, ranges]]))
    : TABLES;
}

/** Training and test tasks of every split; undefined where the table is not there. */
export function partsOf(folder, name, splits) {
  const file = join(folder, `${name}.csv.gz`);
  if (!existsSync(file)) return undefined;
  const [target, ranges] = classesIn(folder)[name];
  const lines = readRows(file);
  const given = readRows(join(folder, "splits", `${name}.csv.gz`));
  const [task, ...columns] = Object.keys(lines[0]);
  const table = new Table(
    [task, ...columns].map((column) => {
      const cells = lines.map((line) => line[column]);
      return { name: column, values: column in ranges ? Float64Array.from(cells, Number) : cells };
    }),
  );
  const features = columns.filter((column) => column !== target);
  const kinds = Object.fromEntries(
    features.map((column) => {
      if (column in ranges) return [column, { kind: "number", range: ranges[column] }];
      const binary = new Set(lines.map((line) => line[column])).size === 2;
      return [column, binary ? { kind: "binary" } : { kind: "category", missing: "level" }];
    }),
  );
  const levels = [...new Set(lines.map((line) => line[target]))].sort();
  const { tasks, rows } = tasksFromTable(table, {
    task,
    target,
    schema: { target: { name: target, column: target, kind: "category", levels }, columns: {} },
    features,
    kinds,
  });
  return splits.map((split) =>
    tasks.splitBy((row, i) => given[rows[tasks.offsets[i] + row]][split] === "1"),
  );
}

const GLMER = `
suppressMessages(library(lme4))
table <- read.csv(commandArgs(TRUE)[1])
features <- grep("^x", names(table), value = TRUE)
form <- as.formula(paste("y ~", paste(features, collapse = " + "), "+ (1 | task)"))
train <- table[table$train == 1, ]
test <- table[table$train == 0, ]
control <- glmerControl(check.rankX = "silent.drop.cols", optimizer = "bobyqa")
model <- suppressMessages(suppressWarnings(glmer(form, train, family = binomial, control = control)))
p <- predict(model, test, type = "response", allow.new.levels = TRUE)
cat(-mean(ifelse(test$y == 1, log(p), log1p(-p))))
`;

/** Log-loss of R's model in every split. */
function glmerScores(parts) {
  const folder = mkdtempSync(join(tmpdir(), "mp-mtl-classes-"));
  try {
    return parts.map(({ train, test }) => {
      const lines = [train, test].flatMap((set, side) =>
        [...set].flatMap(({ name, x, y, n }) =>
          Array.from({ length: n }, (_, row) =>
            [name, y[row], 1 - side, ...x.subarray(row * set.d, (row + 1) * set.d)].join(","),
          ),
        ),
      );
      const header = ["task", "y", "train", ...train.featureNames.map((_, c) => `x${c + 1}`)];
      const file = join(folder, "table.csv");
      writeFileSync(file, [header.join(","), ...lines, ""].join("\n"));
      const run = spawnSync("Rscript", ["-e", GLMER, file], { encoding: "utf8" });
      if (run.status !== 0) throw new Error(`Rscript: ${run.stderr}`);
      return Number(run.stdout);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const hasSeveral = ([{ train }]) => train.targetLevels.length > 2;
const cell = (list) => meanAndError(list);

/** Log-loss on the held-out rows in every split; rows of tasks without training rows do not count. */
async function scores(parts, method, given) {
  const list = [];
  const loss = hasSeveral(parts) ? "softmax" : "logistic";
  for (const [k, { train, test }] of parts.entries()) {
    const known = test.select(test.names.filter((name) => train.has(name)));
    const model = await makeEstimator(method, { loss, ...given(k) }).fit(train);
    list.push(model.score(known).logLoss);
  }
  return list;
}

/** Prints the table of log-losses. */
export async function printClassTables({ folder, names, epsilons, splits, withLme4 }) {
  if (names.length === 0) return;
  const headings = [
    "alone",
    ...epsilons.map((eps) => `eps ${eps}`),
    "no noise",
    "glmer, intercept; of several classes pooled",
  ];
  console.log("\nLog-loss:\n");
  console.log(`| table | ${headings.join(" | ")} |`);
  console.log(`| --- |${headings.map(() => " --- |").join("")}`);
  const worse = [];
  for (const name of names) {
    const parts = partsOf(folder, name, splits);
    if (!parts) {
      console.log(`${name}: not in ${folder}, skipped`);
      continue;
    }
    const privately = (epsilon) =>
      scores(parts, "mp-mixed", (k) => ({
        epsilon,
        delta: "papers",
        scale: "declared",
        random: { mode: "seeded", seed: `${name}-${k}` },
      }));
    const ridge = [];
    for (const lambda of RIDGE) {
      ridge.push(await scores(parts, "single-task", () => ({ intercept: true, lambda })));
    }
    const several = hasSeveral(parts);
    ridge.push(await scores(parts, "single-task", () => ({})));
    const alone = best([...ridge, await privately(1e-3)]);
    const found = [];
    for (const epsilon of [...epsilons, 1e5]) found.push(await privately(epsilon));
    const beside = several
      ? cell(await scores(parts, "pooled", () => ({})))
      : withLme4
        ? cell(glmerScores(parts))
        : "–";
    console.log(`| ${[name, cell(alone), ...found.map(cell), beside].join(" | ")} |`);
    epsilons.forEach((epsilon, at) => {
      const paired = found[at].map((value, k) => value - alone[k]);
      if (mean(paired) > standardError(paired)) worse.push(`${name} at eps ${epsilon}`);
    });
  }
  console.log(
    `\nWorse than alone by more than a standard error of the paired difference: ${worse.join(", ") || "none"}.`,
  );
}
