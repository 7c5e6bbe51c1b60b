/** A table from the first look to the score of new rows: what is held out, what is new, what is asked. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runCell } from "../../../../src/cli/evaluation/cells/run-cell.js";
import { readSource } from "../../../../src/cli/evaluation/plan/source.js";
import { normalizeFor } from "../../../../src/cli/tables/normalize.js";
import { scoreTable, type TableScores } from "../../../../src/cli/fitted/score-table.js";
import { scaleOf, scoreTexts } from "../../../../src/cli/fitted/score-text.js";
import { TaskSet } from "../../../../src/data/index.js";
import { seededUniforms } from "../../../../src/data/split/shuffle.js";
import type { FittedModel, Scores } from "../../../../src/learning/index.js";
import { temporaryFolder } from "../../../temporary.js";
import { run } from "../../run.js";
import { someOf } from "../../../thorough.js";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

interface FitDocument {
  readonly test: { nmse: number };
  readonly newTasks?: { tasks: number; rows: number; nmse: number };
  readonly intervals?: { level: number; coverage: number };
  readonly rowsNotScored?: number;
  readonly testRowsNotScored?: number;
  readonly droppedRows: number;
  readonly notes: readonly string[];
}

const roles = ["--task", "school", "--target", "score"];

/** Rows of schools, with gaps: every 9th age and every 7th score. */
function rows(schools: readonly string[], n: number, seed: string): string {
  const uniform = seededUniforms("score", seed);
  const lines = ["school,score,age,ward,grade"];
  for (let at = 0; at < schools.length * n; at++) {
    const school = schools[at % schools.length]!;
    const age = 2 * uniform() - 1;
    const ward = uniform() > 0.5 ? "surg" : "med";
    const score = age + (ward === "surg" ? 0.5 : 0) + 0.2 * (uniform() - 0.5);
    const grade = score < 0 ? "low" : score < 0.7 ? "mid" : "high";
    lines.push([school, at % 7 ? score : "", at % 9 ? age : "NA", ward, grade].join(","));
  }
  return `${lines.join("\n")}\n`;
}

const names = (prefix: string, m: number) => Array.from({ length: m }, (_, i) => `${prefix}${i}`);

test("the scale of a figure is that of its number of classes, and none where there is no figure", () => {
  const scale = (scores: Omit<Scores, "tasksLeftOut">) => scaleOf({ ...scores, tasksLeftOut: 0 });
  const guessing = { accuracy: 0.98, logLoss: 0.098 };
  const rare = scale({ auc: 0.6, accuracy: 0.97, logLoss: 0.1, guessing });
  expect(rare).toContain("accuracy: 0.98 is always saying the most frequent label");
  expect(rare).toContain("0.098 is telling each label's share in them; above it, as here,");
  expect(scale({ accuracy: 0.97, logLoss: 0.09, guessing })).not.toContain("above it");
  expect(scale({ nmse: 2e14, nmsePerTask: 1 })).toContain("values far from all others");
  expect(scale({ nmse: 2, nmsePerTask: 1 })).not.toContain("far from");
  expect(scale({ auc: null, accuracy: 1, logLoss: 1, guessing })).not.toContain("aAUC");
  expect(scale({ auc: 0.6, accuracy: 1, logLoss: 1 })).toContain("aAUC, a mean over tasks: 1 is");
  expect(scale({ nmse: 0.3 })).toContain("1 is no better than the mean");
  expect(scale({ nmse: 0.3 })).not.toContain("would have been better");
  expect(scale({ nmse: 1.3 })).toContain("that mean would have been better");
  expect(scale({ nmse: null })).toContain("nMSE is not defined");
});

beforeAll(() => {
  writeFileSync(path("train.csv"), rows(names("s", 40), 9, "a"));
  writeFileSync(path("later.csv"), rows([...names("s", 40), ...names("new", 8)], 10, "b"));
  writeFileSync(path("others.csv"), rows(names("new", 8), 10, "c"));
  // Every score of school s0 but one is missing, so that no row of it may be left to train on.
  writeFileSync(
    path("sparse.csv"),
    `school,score,age\n${Array.from({ length: 60 }, (_, at) => {
      const school = `s${at % 3}`;
      return `${school},${school === "s0" && at !== 27 ? "" : at / 60},${(at % 11) / 11}`;
    }).join("\n")}\n`,
  );
});

describe("rows that are held out", () => {
  test.each(["single-task", "mp-hierarchical", "mp-low-rank"])(
    "fit --test-fraction and evaluate give the same score of %s",
    async (method) => {
      const epsilon = method === "single-task" ? null : 2;
      const source = await readSource({
        data: path("train.csv"),
        task: "school",
        target: "score",
        missing: "impute",
        features: ["age", "ward"],
        simulate: undefined,
        tasks: undefined,
        loss: "auto",
        trainFraction: 0.6,
      } as Parameters<typeof readSource>[0]);
      const { scores } = await runCell({
        method,
        epsilon,
        replicate: 0,
        data: source.data,
        seed: "0",
        normalize: normalizeFor("auto", method, {}),
        options: { loss: source.loss, ...(epsilon === null ? {} : { delta: 1e-4 }) },
        tuning: { kind: "none" },
      });
      const noise = ["--epsilon", "2", "--delta", "1e-4", "--seed", `0/noise/${method}/2/0`];
      const split = ["--test-fraction", "0.4", "--split-seed", "0/data/0"];
      const fitted = await run(
        ...["fit", "--data", path("train.csv"), ...roles, "--features", "age,ward", ...split],
        ...["--method", method, ...(epsilon === null ? [] : noise), "--json"],
      );
      expect(fitted.code, fitted.err).toBe(0);
      const document = JSON.parse(fitted.out) as FitDocument;
      expect(document.test).toEqual(scores);
      expect(document.droppedRows).toBe(52);
      expect(source.notes.filter((note) => !document.notes.includes(note))).toEqual([]);
    },
  );

  test("a task whose training rows would all lack a target has its one row to train on", async () => {
    const data = ["--data", path("sparse.csv"), ...roles, "--method", "single-task"];
    for (const seed of ["0", "1", "2", "3"]) {
      const split = ["--test-fraction", "0.5", "--split-seed", seed, "--json"];
      const { code, out, err } = await run("fit", ...data, ...split);
      expect(code, err).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ tasks: 3, droppedRows: 19 });
    }
  });
});

describe("evaluate --model", () => {
  const model = path("model");

  test("scores what the fit scored, and tasks that are new", async () => {
    const fitted = await run(
      ...["fit", "--data", path("train.csv"), ...roles, "--features", "age,ward"],
      ...["--method", "mp-mixed", "--scale", "unit", "--epsilon", "5", "--test", path("later.csv")],
      ...["--out", model, "--json"],
    );
    expect(fitted.code, fitted.err).toBe(0);
    const { test: known, newTasks, intervals } = JSON.parse(fitted.out) as FitDocument;
    expect(newTasks).toMatchObject({ tasks: 8 });
    const { code, out, err } = await run(
      ...["evaluate", "--model", model, "--data", path("later.csv"), "--json"],
    );
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ test: known, newTasks, intervals, rowsNotScored: 0 });
    // The coverage is that of the predictions that predict writes of the rows that have a score.
    const [head, ...lines] = rows([...names("s", 40), ...names("new", 8)], 10, "b")
      .trim()
      .split("\n");
    const kept = lines.filter((line) => line.split(",")[1] !== "");
    writeFileSync(path("scored.csv"), [head, ...kept].join("\n"));
    const predicted = await run(
      ...["predict", "--model", model, "--data", path("scored.csv"), "--id", "score"],
      ...["--interval", "0.9", "--json"],
    );
    const { predictions } = JSON.parse(predicted.out) as {
      predictions: { id: { score: string }; lower: number; upper: number }[];
    };
    expect(predictions).toHaveLength(kept.length);
    const inside = predictions.filter(
      ({ id, lower, upper }) => Number(id.score) >= lower && Number(id.score) <= upper,
    );
    expect(intervals!.coverage).toBeCloseTo(inside.length / kept.length, 12);
  });

  test.each(
    someOf<[string, string, string[]]>(
      [
        ["ward", "logistic", ["aAUC", "log-loss"]],
        ["grade", "softmax", ["accuracy", "log-loss"]],
      ],
      2,
    ),
  )("scores new tasks by labels, too: %s", async (target, loss, shown) => {
    const labels = path(loss);
    const data = ["--task", "school", "--target", target, "--features", "age,score"];
    const fitted = await run(
      ...["fit", "--data", path("train.csv"), ...data, "--missing", "impute", "--loss", loss],
      ...["--method", "mp-mixed", "--scale", "unit", "--epsilon", "20", "--out", labels],
    );
    expect(fitted.code, fitted.err).toBe(0);
    // One row of a new task has a label that nobody had.
    const later = rows([...names("s", 40), ...names("new", 8)], 10, "b")
      .trim()
      .split("\n");
    const cells = later[41]!.split(",").slice(0, 3);
    later[41] = [...cells, "odd", "odd"].join(",");
    expect(cells[0]).toBe("new0");
    writeFileSync(path("labels.csv"), `${later.join("\n")}\n`);
    const asked = ["--model", labels, "--data", path("labels.csv")];
    const { code, out, err } = await run("evaluate", ...asked, "--json");
    expect(code, err).toBe(0);
    const scores = JSON.parse(out) as FitDocument & { newTasks: Scores };
    expect(scores).toMatchObject({ newTasks: { tasks: 8, rows: 79 }, rowsNotScored: 1 });
    const chance = loss === "logistic" ? Math.LN2 : Math.log(3);
    expect(scores.newTasks.logLoss!).toBeLessThan(0.9 * chance);
    const text = (await run("evaluate", ...asked)).out;
    expect(text).toContain("fitted on look better");
    const strangers = later.filter((line, at) => at === 0 || line.startsWith("new"));
    writeFileSync(path("strangers.csv"), `${strangers.join("\n")}\n`);
    const only = await run("evaluate", "--model", labels, "--data", path("strangers.csv"));
    expect(only.out).toContain("new tasks (8, ");
    // None of these rows can be one of the fit.
    expect(only.out).not.toContain("fitted on look better");
    for (const metric of shown) expect(text).toMatch(new RegExp(`new tasks \\(8, .*${metric}`));
    const predicted = await run("predict", ...asked, "--json");
    expect(predicted.out).toMatch(/8 tasks new to the model \(\\"new.*\), predicted from what/);
  });

  test("needs data, and takes no options of a comparison", async () => {
    const none = await run("evaluate", "--model", model);
    expect([none.code, none.err]).toEqual([2, expect.stringContaining("--data is needed")]);
    const both = await run(
      ...["evaluate", "--model", model, "--data", path("later.csv"), "--task", "school"],
    );
    expect([both.code, both.err]).toEqual([2, expect.stringContaining("--task does not go with")]);
    const neither = await run("evaluate", "--simulate", "low-rank");
    expect([neither.code, neither.err]).toEqual([2, expect.stringContaining("--out is needed")]);
  });

  test("says so where a method has nothing to say of the tasks", async () => {
    const alone = path("alone");
    const data = ["--data", path("train.csv"), ...roles, "--features", "age,ward"];
    const fitted = await run("fit", ...data, "--method", "single-task", "--out", alone);
    expect(fitted.code, fitted.err).toBe(0);
    const { code, err } = await run("evaluate", "--model", alone, "--data", path("others.csv"));
    expect([code, err]).toEqual([3, expect.stringContaining("has no training data")]);
    const some = await run("evaluate", "--model", alone, "--data", path("later.csv"), "--json");
    expect((JSON.parse(some.out) as FitDocument).rowsNotScored).toBeGreaterThan(0);
  });

  test("scores of private models are said to be charged to no budget", async () => {
    const scored = await run("evaluate", "--model", model, "--data", path("later.csv"));
    expect(scored.out).toContain("not charged: scores are statistics of all tasks' rows");
    const open = await run("evaluate", "--model", path("alone"), "--data", path("later.csv"));
    expect(open.code, open.err).toBe(0);
    expect(open.out).not.toContain("not charged");
  });

  test("summary prints named coefficients with standard errors", async () => {
    expect(existsSync(model)).toBe(true);
    const { code, out } = await run("summary", "--model", model);
    expect(code).toBe(0);
    expect(out).toMatch(/age +-?\d[\d.e-]* +\d[\d.e-]* +\d[\d.e-]*/);
    expect(out).toMatch(/joint \(5, /);
  });
});

describe("what is asked before a fit", () => {
  test("inspect asks what fit asks", async () => {
    const data = ["--data", path("train.csv"), "--task", "school", "--target", "grade"];
    const look = await run("inspect", ...data);
    expect(look.out).toContain("a fit takes loss softmax, from the target");
    expect(look.out).toMatch(/a fit would ask: the target "grade" has 3 labels/);
    const fitted = await run("fit", ...data, "--method", "single-task", "--json");
    expect((JSON.parse(fitted.out) as FitDocument).notes.join()).toMatch(/"grade" has 3 labels/);
  });
});

test("of a target of two numbers inspect says what fit does, and its draft keeps to it", async () => {
  const rows = Array.from(
    { length: 12 },
    (_, row) => `${row % 2},${(row >> 1) % 2},${row},2024-01-${10 + row}`,
  );
  writeFileSync(path("again.csv"), ["ward,again,age,day", ...rows].join("\n"));
  const data = ["--data", path("again.csv")];
  const asked = [...data, "--task", "ward", "--target", "again"];
  const look = await run("inspect", ...asked, "--out", path("again.json"));
  expect(look.out).toMatch(/again +numbers +2 +the target: numbers, taken as classes/);
  expect(look.out).toContain("2 tasks of 6 rows\n");
  for (const how of [asked, [...data, "--ranges", path("again.json")]]) {
    const fitted = await run("fit", ...how, "--method", "single-task");
    expect(fitted.out).toContain("data: loss logistic, from the target");
  }
  expect((await run("fit", ...asked)).out).toContain('of these "day" holds dates');
});

test("a member of a schema file that is not known is called by its name, not by a flag's", async () => {
  const target = { column: "score", kind: "number", units: "points" };
  const file = { format: "mp-mtl-schema", version: 1, target, columns: {} };
  writeFileSync(path("members.json"), JSON.stringify(file));
  const asked = ["--data", path("train.csv"), "--task", "school", "--ranges", path("members.json")];
  for (const command of ["inspect", "fit"]) {
    const { err } = await run(command, ...asked);
    expect(err).toContain('members.json: target: the member "units" is not known here; ');
  }
});

test("one row is a row, and labels that training did not have are told from those that it had", () => {
  const scores = { nmse: 0.5, nmsePerTask: 0.5, tasksLeftOut: 0 } as unknown as Scores;
  const newTasks = { tasks: 1, rows: 1, ...scores };
  const [fresh, left] = scoreTexts({ newTasks, rowsNotScored: 1 } as TableScores);
  expect(fresh).toContain("new tasks (1, 1 row): ");
  expect(left).toMatch(/^1 row not scored: /);
  const held = TaskSet.from([{ name: "a", x: [[1]], y: ["Yes"] }]);
  const model = { classes: ["no", "yes"], taskNames: ["a"] } as unknown as FittedModel;
  expect(() => scoreTable(model, held, "t.csv")).toThrow(
    't.csv: no row has a label that training had, which are "no", "yes".',
  );
});

test("what test rows hold that training did not is said with their score", async () => {
  const train = rows(names("s", 4), 12, "told");
  writeFileSync(path("told.csv"), train);
  const [header, unscored, first, ...others] = train.trim().split("\n");
  const strange = [unscored!, first!.replace(/med|surg/, "none"), ...others.slice(0, 19)];
  writeFileSync(path("told-test.csv"), `${[header, ...strange].join("\n")}\n`);
  const features = ["--features", "age,ward"];
  const method = ["--method", "single-task", ...features, "--out", path("told")];
  const fit = await run(
    ...["fit", "--data", path("told.csv"), "--test", path("told-test.csv"), ...roles, ...method],
  );
  const told = 'column "ward": 1 value missing or that training did not have, 0 in its columns';
  expect(fit.err + fit.out).toContain(`test rows: ${told}`);
  expect(fit.err + fit.out).toContain("test rows: 3 rows without a target left out");
  const scored = ["evaluate", "--model", path("told"), "--data", path("told-test.csv")];
  expect((await run(...scored)).out).toContain(`note: ${told}`);
  const { notes } = JSON.parse((await run(...scored, "--json")).out) as { notes: string[] };
  expect(notes).toEqual([told]);
});
