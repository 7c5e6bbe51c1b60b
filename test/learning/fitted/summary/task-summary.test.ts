/** What a model says of one task, against its predictions and against the tasks that rows were drawn from. */
import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { parseSchema, seededUniforms, Table, tasksFromTable } from "../../../../src/data/index.js";
import { summarizeTask } from "../../../../src/learning/fitted/summary/task-summary.js";
import type { FittedModelState } from "../../../../src/learning/fitted/model-state.js";
import { FittedModel, makeEstimator } from "../../../../src/learning/index.js";
import { predictTable } from "../../../../src/model/index.js";
import { taskSummaryLines } from "../../../../src/cli/fitted/summary-text.js";

const uniform = seededUniforms("task summary", "rows");
const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
const [m, n] = [150, 8];
/** Slopes of age and dose and the intercept of every task, as the model supposes them: normal around those of all. */
const truth = Array.from({ length: m }, () => [
  0.2 + 0.1 * normal(),
  -1 + 0.6 * normal(),
  3 + 2 * normal(),
]);
const rows = Array.from({ length: m * n }, (_, at) => {
  const [age, dose] = [20 + 60 * uniform(), 5 * uniform()];
  const [slope, effect, start] = truth[at % m]! as [number, number, number];
  const y = start + slope * age + effect * dose + normal();
  return { school: `s${at % m}`, age, dose, y };
});
const numbers = (name: "age" | "dose" | "y") => ({
  name,
  values: Float64Array.from(rows, (row) => row[name]),
});
const schools = { name: "school", values: rows.map(({ school }) => school) };
const table = new Table([schools, ...(["age", "dose", "y"] as const).map(numbers)]);
const schema = parseSchema(
  {
    format: "mp-mtl-schema",
    version: 1,
    task: "school",
    target: { column: "y", kind: "number", range: [-40, 60] },
    columns: {
      age: { kind: "number", range: [0, 100] },
      dose: { kind: "number", range: [0, 5] },
    },
  },
  "schema",
);
const { tasks, encoding } = tasksFromTable(table, { schema });
const fit = async (method: string, options: Record<string, unknown> = {}): Promise<FittedModel> => {
  const model = await makeEstimator(method, options).fit(tasks);
  return model.withPreprocessing({ encoding: encoding.toJSON(), pipeline: null });
};
const mixed = await fit("mixed-model");

describe.each(["mixed-model", "single-task", "mp-mixed"])("a task of %s", async (method) => {
  const random = { mode: "seeded", seed: "1" };
  const model = await fit(method, method === "mp-mixed" ? { epsilon: 5, random } : {});

  test("has the coefficients, in the units of the table, that give its predictions", () => {
    for (const i of [0, 7, m - 1]) {
      const { coefficients, task, units } = summarizeTask(model, i);
      expect([task, units]).toEqual([model.taskNames[i], "data"]);
      expect(coefficients.map(({ name }) => name)).toEqual(["age", "dose", "(intercept)"]);
      const [age, dose, start] = coefficients.map(({ estimate }) => estimate) as [number, number, number]; // prettier-ignore
      const { predictions } = predictTable(model, table);
      for (const { row, prediction, task: of } of predictions) {
        if (of !== task) continue;
        expect(prediction).toBeCloseTo(start + age * rows[row]!.age + dose * rows[row]!.dose, 8);
      }
    }
  });
});

describe("what coefficients lie between", () => {
  const summaries = mixed.taskNames.map((_, i) => summarizeTask(mixed, i));

  // Of 150 fair draws at .95 fewer than 132, or all, occur with probability 1e-3 each; the seed is fixed.
  test.each([0, 1, 2])("holds the tasks' own in about 95 of 100 tasks (coefficient %i)", (j) => {
    const held = mixed.taskNames.filter((name, i) => {
      const [low, high] = summaries[i]!.coefficients[j]!.interval!;
      const own = truth[Number(name.slice(1))]![j]!;
      return low <= own && own <= high;
    });
    expect(held.length).toBeGreaterThan(132);
    expect(held.length).toBeLessThan(m);
  });

  test("is not wider than what tasks differ by, and its middle is the estimate", () => {
    const { coefficients } = mixed.summary();
    summaries.forEach((summary) =>
      summary.coefficients.forEach(({ estimate, interval }, j) => {
        const [low, high] = interval!;
        expect((low + high) / 2).toBeCloseTo(estimate, 8);
        expect(high - low).toBeLessThan(2 * 1.96 * 1.75 * coefficients[j]!.betweenTasks);
      }),
    );
  });

  test("is for a row far out what the prediction's interval is", () => {
    // So far that neither the noise of a row nor the intercept matters.
    const far = 1e7;
    const { featureLimits: _, taskFeatureLimits: __, ...components } = mixed.components;
    const { encoding, pipeline, targetScale } = mixed.preprocessing!;
    const { center, halfWidth } = targetScale!;
    const unlimited = new FittedModel({
      ...(mixed.withComponents(components) as FittedModelState),
      preprocessing: { encoding, pipeline, targetScale: { center, halfWidth } },
    });
    fc.assert(
      fc.property(fc.nat(m - 1), fc.constantFrom(0, 1), (i, j) => {
        const x = new Float64Array(2);
        x[j] = far;
        const { lower, upper } = unlimited.predictInterval!(mixed.taskNames[i]!, x, 0.95);
        const [low, high] = summaries[i]!.coefficients[j]!.interval!;
        // Half the width of the feature's range takes its scaled unit to the table's.
        const perUnit = (upper[0]! - lower[0]!) / far / (j === 0 ? 50 : 2.5);
        expect(Math.abs((high - low) / perUnit - 1)).toBeLessThan(1e-5);
      }),
      { numRuns: 20 },
    );
  });
});

test("in words, and without an interval where the method knows none", async () => {
  const known = taskSummaryLines(summarizeTask(mixed, 3));
  expect(known[0]).toMatch(/^ +estimate +from +to$/);
  expect(known[1]).toMatch(/^age( +-?[\d.]+){3}$/);
  expect(known.join("\n")).toMatch(/a row lies around its task's model .* of [01]\.\d+/);
  const unknown = taskSummaryLines(summarizeTask(await fit("single-task"), 3));
  expect(unknown[0]).toMatch(/^ +estimate$/);
  expect(unknown.at(-1)).toContain("does not know how sure it is");
});
