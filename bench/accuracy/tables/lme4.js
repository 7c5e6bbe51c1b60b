/** The same tables and splits by R's lme4, where R and lme4 are on the machine. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trainingRows } from "./data.js";

const SCRIPT = `
suppressMessages(library(lme4))
arguments <- commandArgs(TRUE)
table <- read.csv(arguments[1])
slope <- arguments[2]
splits <- grep("^train", names(table), value = TRUE)
features <- grep("^x", names(table), value = TRUE)
fixed <- paste("y ~", paste(features, collapse = " + "))
forms <- c("(1 | task)", paste0("(1 + ", slope, " | task)"))
for (split in splits) for (form in forms) {
  train <- table[table[[split]] == 1, ]
  test <- table[table[[split]] == 0, ]
  # A slope that a task's few rows cannot tell is refused; it has no figure then.
  error <- tryCatch({
    model <- suppressMessages(suppressWarnings(lmer(as.formula(paste(fixed, "+", form)), train,
      control = lmerControl(check.rankX = "silent.drop.cols"))))
    predicted <- predict(model, test, allow.new.levels = TRUE)
    mean((predicted - test$y)^2) / mean((test$y - mean(test$y))^2)
  }, error = function(e) NaN)
  cat(form == forms[1], error, "\\n")
}
`;

export const hasLme4 = () =>
  spawnSync("Rscript", ["-e", "stopifnot(requireNamespace('lme4', quietly = TRUE))"]).status === 0;

/** nMSE in every split of a random intercept, and of a random intercept and slope. */
export function lme4Scores({ rows, slope }, splits) {
  const folder = mkdtempSync(join(tmpdir(), "mp-mtl-tables-"));
  try {
    const trains = splits.map((split) => trainingRows(rows, split));
    const names = [
      "task",
      "y",
      ...rows[0].x.map((_, c) => `x${c + 1}`),
      ...splits.map((_, k) => `train${k + 1}`),
    ];
    const tasks = new Map();
    const lines = rows.map(({ task, x, y }, at) => {
      if (!tasks.has(task)) tasks.set(task, `t${tasks.size}`);
      return [tasks.get(task), y, ...x, ...trains.map((train) => Number(train[at]))].join(",");
    });
    const file = join(folder, "table.csv");
    writeFileSync(file, [names.join(","), ...lines, ""].join("\n"));
    const run = spawnSync("Rscript", ["-e", SCRIPT, file, `x${slope + 1}`], { encoding: "utf8" });
    if (run.status !== 0) throw new Error(`Rscript: ${run.stderr}`);
    const scores = { intercept: [], slope: [] };
    for (const line of run.stdout.trim().split("\n")) {
      const [first, error] = line.trim().split(" ");
      scores[first === "TRUE" ? "intercept" : "slope"].push(Number(error));
    }
    return scores;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
