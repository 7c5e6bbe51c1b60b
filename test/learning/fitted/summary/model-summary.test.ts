/** Coefficients in the units of a table, against the predictions that they have to give. */
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  parseSchema,
  Pipeline,
  Table,
  tasksFromTable,
  TaskSet,
  seededUniforms,
} from "../../../../src/data/index.js";
import { guaranteeLines } from "../../../../src/cli/fitted/guarantee-text.js";
import { coefficientTable } from "../../../../src/cli/fitted/model-figures.js";
import { summaryLines } from "../../../../src/cli/fitted/summary-text.js";
import { makeEstimator, MpMixed, SingleTask } from "../../../../src/learning/index.js";
import { JOURNAL_DIGEST } from "../../../../src/learning/fitted/uncharged-figures.js";
import type { Guarantee } from "../../../../src/privacy/index.js";
import { predictTable } from "../../../../src/model/index.js";

const uniform = seededUniforms("summary", "rows");
const [m, n] = [40, 12];
const rows = Array.from({ length: m * n }, (_, at) => {
  const [age, dose] = [20 + 60 * uniform(), 5 * uniform()];
  const school = at % m;
  const ward = uniform() > 0.5 ? "surg" : "med";
  const y = 3 + 0.2 * age - dose + (ward === "surg" ? 2 : 0) + (school % 5) + uniform();
  return { school: `s${school}`, age, dose, ward, y };
});
const table = new Table([
  { name: "school", values: rows.map(({ school }) => school) },
  { name: "age", values: Float64Array.from(rows, ({ age }) => age) },
  { name: "dose", values: Float64Array.from(rows, ({ dose }) => dose) },
  { name: "ward", values: rows.map(({ ward }) => ward) },
  { name: "y", values: Float64Array.from(rows, ({ y }) => y) },
]);
const schema = parseSchema(
  {
    format: "mp-mtl-schema",
    version: 1,
    task: "school",
    target: { column: "y", kind: "number", range: [-10, 40] },
    columns: {
      age: { kind: "number", range: [0, 100] },
      dose: { kind: "number", range: [0, 5] },
      ward: { kind: "binary", levels: ["med", "surg"] },
    },
  },
  "schema",
);
const { tasks, encoding } = tasksFromTable(table, { schema });
const preprocessing = { encoding: encoding.toJSON(), pipeline: Pipeline.fit(tasks, []).toJSON() };

/** The linear predictor that the coefficients say, in raw units. */
const byHand = (estimates: readonly number[]) =>
  rows.map(({ age, dose, ward }) => {
    const [a, d, w, b] = estimates as [number, number, number, number];
    return a * age + d * dose + w * Number(ward === "surg") + b;
  });

describe("the summary of a mixed model", async () => {
  const random = { mode: "seeded", seed: "1" } as const;
  const fitted = await new MpMixed({ epsilon: 5, delta: 1e-4, random }).fit(tasks);
  const model = fitted.withPreprocessing(preprocessing);
  const { coefficients, residual, charged, units, atMiddle } = model.summary();

  test("names coefficients that give the predictions of a new task", () => {
    expect(coefficients.map(({ name }) => name)).toEqual([
      "age",
      "dose",
      "ward=surg",
      "(intercept)",
    ]);
    const renamed = new Table([
      { name: "school", values: rows.map(() => "new") },
      ...table.columns.filter(({ name }) => name !== "school" && name !== "y"),
    ]);
    const { predictions } = predictTable(model, renamed);
    const expected = byHand(coefficients.map(({ estimate }) => estimate));
    predictions.forEach(({ row, prediction }) => {
      expect(prediction).toBeCloseTo(expected[row]!, 8);
    });
  });

  test("has standard errors of a feature: those of the scaled one, by its factor", () => {
    const error = fitted.components["fixedEffectsCovariance"]!.data;
    // y has half width 25, age 50: beta = w 25 / 50.
    expect(coefficients[0]!.standardError).toBeCloseTo(Math.sqrt(error[0]!) / 2, 12);
    const release = fitted.components["releaseCovariance"]!.data;
    expect(error[0]!).toBeGreaterThan(release[0]! * 0.5);
    // Seeded noise can be subtracted.
    expect([charged, units]).toEqual([false, "data"]);
    expect(residual).toBeCloseTo(25 * Math.sqrt(fitted.components["noise"]!.data[0]!), 12);
  });

  test("tells the intercept in the middle of the declared ranges, too, where it is surer than at 0", () => {
    const [age, dose, , level] = coefficients.map(({ estimate }) => estimate);
    expect(atMiddle).toHaveLength(1);
    expect(atMiddle[0]!.estimate).toBeCloseTo(level! + 50 * age! + 2.5 * dose!, 9);
    const error = fitted.components["fixedEffectsCovariance"]!.data.at(-1)!;
    expect(atMiddle[0]!.standardError).toBeCloseTo(25 * Math.sqrt(error), 12);
    const said = summaryLines(model.summary()).join("\n");
    expect(said).toMatch(
      /in the middle of the declared ranges, other columns at 0: \(intercept\) /,
    );
  });

  test("an intercept far from all rows, as one of years is, comes with a word where no range is declared", () => {
    const said = (standardError: number) => {
      const coefficient = { name: "(intercept)", estimate: 110.8, standardError, betweenTasks: 1 };
      const other = { coefficients: [coefficient], atMiddle: [], residual: 4 };
      return summaryLines({ ...model.summary(), ...other }).join("\n");
    };
    expect(said(592)).toMatch(/the intercept is where every column is 0, .*with declared ranges/);
    expect(said(3)).not.toContain("every column is 0");
  });
});

test("of a mixed model without noise has the deviations that tasks were drawn with, where they have many rows", async () => {
  const next = seededUniforms("summary", "deviations");
  const normal = () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  const [slope, level, error] = [0.3, 0.5, 0.7];
  const drawn = Array.from({ length: 60 }, (_, i) => {
    const [w, b] = [0.5 + slope * normal(), level * normal()];
    const x = Array.from({ length: 60 }, () => [2 * next() - 1]);
    return { name: `t${i}`, x, y: x.map(([value]) => w * value! + b + error * normal()) };
  });
  const model = await makeEstimator("mixed-model", { scale: "unit" }).fit(TaskSet.from(drawn));
  const { coefficients, residual } = model.summary();
  // Of 60 tasks the deviation itself has an error of a tenth.
  const near = (found: number, truth: number) =>
    expect(Math.abs(found / truth - 1)).toBeLessThan(0.3);
  near(coefficients[0]!.betweenTasks, slope);
  near(coefficients[1]!.betweenTasks, level);
  near(residual!, error);
});

test("is said to be paid for only where noise protects somebody", async () => {
  const seeded = { mode: "seeded", seed: "1" } as const;
  const methods: [string, Record<string, unknown>, boolean][] = [
    ["mp-mixed", { epsilon: 5 }, true],
    ["mp-mixed", { epsilon: 5, random: seeded }, false],
    ["mixed-model", {}, false],
  ];
  for (const [method, options, paid] of methods) {
    const model = await makeEstimator(method, options).fit(tasks);
    const summary = model.summary();
    expect(summary).toMatchObject({ fixedEffects: true, charged: paid });
    expect(summary.coefficients[0]!.standardError).toBeGreaterThan(0);
    const texts = [summaryLines(summary).join("\n"), coefficientTable(model)[0]!.caption];
    for (const text of texts) {
      expect(/for the curator only/.test(text)).toBe(!paid);
      expect(text).not.toMatch(paid ? /no noise/i : /what the budget paid for/);
    }
  }
});

test("names what columns and units tell that no budget paid for", async () => {
  const seen = tasksFromTable(table, { task: "school", target: "y", undeclared: "auto" }).tasks;
  const model = await makeEstimator("mp-mixed", { epsilon: 5, scale: "unit" }).fit(seen);
  const levels = 'levels of the column "ward" observed over all tasks';
  const summary = model.summary();
  expect(summary.charged).toBe(true);
  expect(summary.notCharged).toContain(levels);
  const { guarantee } = model;
  const figures = "objective, rank, nonzeroRows, weightsNorm, train, test";
  const lines = guaranteeLines(guarantee);
  expect(lines).toContain(`not charged, for the curator only: ${figures}`);
  for (const text of [
    summaryLines(summary).join("\n"),
    coefficientTable(model)[0]!.caption,
    lines.find((line) => line.startsWith("not charged, and told with the models: "))!,
  ]) {
    expect(text).toContain(levels);
    expect(text).not.toContain("All of it follows");
  }
  const digest = guaranteeLines({
    ...guarantee,
    notCharged: ["rank", JOURNAL_DIGEST],
  } as Guarantee);
  expect(digest.at(-1)).toBe(`not charged, for the curator only: rank, ${JOURNAL_DIGEST}`);
  const declared = (await makeEstimator("mp-mixed", { epsilon: 5 }).fit(tasks)).summary();
  expect(declared.notCharged).toEqual([]);
});

test("of a private fit says of which columns effects may lie farther from zero, and how sure deviations are", async () => {
  const of = async (method: string, options: Record<string, unknown>) =>
    summaryLines((await makeEstimator(method, options).fit(tasks)).summary()).join("\n");
  for (const said of [
    "a column that hardly varies within tasks",
    "no intraclass correlation",
    "of a typical task",
  ]) {
    expect(await of("mp-mixed", { epsilon: 5 })).toContain(said);
    expect(await of("mixed-model", {})).not.toContain(said);
  }
});

test("of a task's own models: their mean and deviation, by plain loops in raw units", async () => {
  const model = (await new SingleTask({ lambda: 1e-6 }).fit(tasks)).withPreprocessing(
    preprocessing,
  );
  const { coefficients, charged } = model.summary();
  // A line through two predictions that differ in age alone has the coefficient as slope.
  const probe = (school: string, age: number) =>
    new Table([
      { name: "school", values: [school] },
      { name: "age", values: Float64Array.of(age) },
      { name: "dose", values: Float64Array.of(1) },
      { name: "ward", values: ["med"] },
    ]);
  const slopes = model.taskNames.map((name) => {
    const [at, above] = [30, 31].map((age) => predictTable(model, probe(name, age)));
    return above!.predictions[0]!.prediction - at!.predictions[0]!.prediction;
  });
  const mean = slopes.reduce((a, b) => a + b) / m;
  const deviation = Math.sqrt(slopes.reduce((sum, s) => sum + (s - mean) ** 2, 0) / (m - 1));
  expect(coefficients[0]).toMatchObject({ name: "age", standardError: null });
  expect(coefficients[0]!.estimate).toBeCloseTo(mean, 10);
  expect(coefficients[0]!.betweenTasks).toBeCloseTo(deviation, 10);
  expect(charged).toBe(false);
});

// As in radon of R's HLMdiag: the rounding of a task's mean was taken for how its rows differ, and its weight for what tasks differ by.
test("a column that is each task's own has no deviation of the size of one over its rounding", async () => {
  const values = Array.from({ length: 12 }, () => uniform() - 0.5);
  const data = TaskSet.from(
    values.map((own, i) => ({
      name: `t${i}`,
      ...((count) => ({
        x: Array.from({ length: count }, (_, k) => [own, (k % 7) / 7]),
        y: Array.from({ length: count }, (_, k) => own + (k % 7) / 7 + uniform()),
      }))(60 + 17 * i),
    })),
  );
  const { coefficients } = (await makeEstimator("mixed-model", { scale: "unit" }).fit(data)).summary(); // prettier-ignore
  for (const { betweenTasks } of coefficients) expect(betweenTasks).toBeLessThan(1);
});

test("features in tiny units have coefficients whose deviation is a number", async () => {
  const data = TaskSet.from(
    [1, 2, 3].map((slope) => ({
      name: `t${slope}`,
      x: Array.from({ length: 9 }, (_, k) => [(k - 4) * 1e-155]),
      y: Array.from({ length: 9 }, (_, k) => slope * (k - 4) + (k % 2)),
    })),
  );
  const { coefficients } = (await new SingleTask().fit(data)).summary();
  expect(coefficients[0]!.betweenTasks / 1e155).toBeGreaterThan(0.5);
  expect(coefficients[0]!.betweenTasks / 1e155).toBeLessThan(1.5);
});

test("a model prints as sizes and guarantee, without weights or names", async () => {
  const set = TaskSet.from(
    ["secret-1", "secret-2", "secret-3", "secret-4"].map((name, i) => ({
      name,
      x: [
        [1, i],
        [0.5, 2],
      ],
      y: [1.25, i + 0.5],
    })),
    { featureNames: ["height", "width"] },
  );
  const random = { mode: "seeded", seed: "1" } as const;
  const model = await new MpMixed({ epsilon: 2, delta: 1e-3, scale: "unit", random }).fit(set);
  const line =
    "FittedModel(mp-mixed, 4 tasks, 2 features, squared loss; not private: seeded, joint (2, 0.001)-DP with secure noise)";
  expect([String(model), inspect(model), inspect({ model }, { breakLength: Infinity })]).toEqual([
    line,
    line,
    `{ model: ${line} }`,
  ]);
  const own = model.forTask("secret-1");
  for (const text of [String(own), inspect(own)]) {
    expect(text).toMatch(/^TaskModel\(mp-mixed, one task, 2 features, squared loss;/);
    expect(text).not.toMatch(/secret|height/);
  }
  // A promise to single records is none to a task.
  const options = { epsilon: 2, delta: 1e-3, scale: "unit", unit: "record", random } as const;
  for (const [rowsPerPerson, whose] of [
    [1, "records"],
    [2, "persons"],
  ] as const) {
    const records = await new MpMixed({ ...options, rowsPerPerson }).fit(set);
    for (const text of [String(records), String(records.forTask("secret-1"))])
      expect(text).toContain(`joint (2, 0.001)-DP of single ${whose}`);
  }
  // What it leaves out is said of it.
  const notCharged = ['levels of the column "ward" observed over all tasks'];
  const looked = await new MpMixed({ epsilon: 2, delta: 1e-3, scale: "unit" }).fit(set, { notCharged }); // prettier-ignore
  for (const text of [String(looked), String(looked.forTask("secret-1"))])
    expect(text).toContain("joint (2, 0.001)-DP, but for what was learned uncharged)");
  // So is that its noise has bits of which nothing is proven, and that an owner is compared with one that adds nothing.
  const weaker = { epsilon: 2, delta: 1e-3, adjacency: "zero-out", noise: "float" } as const;
  const floats = await new MpMixed({ ...weaker, scale: "unit" }).fit(set);
  for (const text of [String(floats), String(floats.forTask("secret-1"))])
    expect(text).toContain("joint (2, 0.001)-DP (zero-out), proven for real numbers only)");
  const alone = await new SingleTask().fit(set);
  expect(String(alone)).toBe(
    "FittedModel(single-task, 4 tasks, 2 features, squared loss; no privacy guarantee)",
  );
});
