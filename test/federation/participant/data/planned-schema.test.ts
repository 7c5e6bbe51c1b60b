/** Rows that were prepared otherwise than the plan's schema says are refused before anything is sent; others have the local fit's bits. */
import { describe, expect, test } from "vitest";
import {
  parseSchema,
  Pipeline,
  readCsv,
  TaskSet,
  tasksFromTable,
  type DataSchema,
} from "../../../../src/data/index.js";
import {
  canonicalPlan,
  decodeMessage,
  featureColumns,
  joinRun,
  makePlan,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  parsePlan,
  planHash,
  runCurator,
  type Plan,
  type PlanInput,
} from "../../../../src/federation/index.js";
import { requirePlannedSchema } from "../../../../src/federation/participant/data/planned-schema.js";
import { makeEstimator } from "../../../../src/learning/index.js";
import { federate, settle, taskBits } from "../../runs.js";
import { AGGREGATION } from "../../secure-aggregation/secure-run.js";
import { identity } from "../../secure-aggregation/harness.js";

const SCHEMA: DataSchema = {
  task: "school",
  target: { column: "score", kind: "number", range: [0, 40] },
  columns: {
    age: { kind: "number", range: [0, 100] },
    bmi: { kind: "number", range: [10, 50], missing: "level" },
    dose: { kind: "number" },
    ward: { kind: "category", levels: ["med", "surg"] },
    sex: { kind: "binary", levels: ["f", "m"] },
  },
};
const rows = Array.from({ length: 30 }, (_, i) => {
  const bmi = i % 7 === 0 ? "" : 20 + (i % 9);
  return `s${i % 5},${(11 * i) % 40},${20 + ((7 * i) % 60)},${bmi},${i % 4},${i % 3 ? "med" : "surg"},${i % 2 ? "f" : "m"}`;
});
const table = () =>
  readCsv(["school,score,age,bmi,dose,ward,sex", ...rows].join("\n"), { name: "t.csv" });
const read = async (schema: DataSchema = SCHEMA) =>
  tasksFromTable(await table(), {
    schema: parseSchema({ format: "mp-mtl-schema", version: 1, ...schema }),
  }).tasks;

const planOf = (input: Partial<PlanInput> = {}): Plan =>
  makePlan({
    run: "test",
    method: "pmtl",
    schema: SCHEMA,
    tasks: ["s0", "s1", "s2", "s3", "s4"].map((name) => ({ name, participant: null })),
    ...input,
    options: {
      clip: 1,
      rounds: 3,
      delta: 1e-3,
      random: { mode: "seeded", seed: 1 },
      ...input.options,
    },
  });
const mixedPlan = ({ options, ...input }: Partial<PlanInput>): Plan =>
  makePlan({
    ...planOf(),
    options: { epsilon: 4, delta: 1e-3, random: { mode: "seeded", seed: 1 }, ...options },
    method: "mp-mixed",
    ...input,
  });
const withColumn = (name: string, declared: object): DataSchema =>
  ({ ...SCHEMA, columns: { ...SCHEMA.columns, [name]: declared } }) as DataSchema;

const withTarget = (more: object): DataSchema =>
  ({ ...SCHEMA, target: { ...SCHEMA.target, ...more } }) as DataSchema;

test.each<[string, Partial<PlanInput>]>([
  ["pmtl", {}],
  ["mp-mixed", { schema: withColumn("dose", { kind: "number", range: [0, 3] }) }],
])(
  "a run of %s whose owners read by the plan's schema has the bits of a local fit with it",
  async (method, input) => {
    const own = { ...input, method };
    const plan = method === "pmtl" ? planOf(own) : mixedPlan(own);
    const tasks = await read(plan.schema);
    const { models } = await federate(plan, tasks);
    const local = await makeEstimator(method, plan.options).fit(tasks);
    for (const model of Object.values(models)) {
      for (const name of model.taskNames) expect(taskBits(model, name)).toBe(taskBits(local, name));
    }
  },
);

describe("rows that were prepared with", () => {
  const cases: [string, () => Promise<TaskSet>, string, string][] = [
    [
      "another range",
      () => read(withColumn("age", { kind: "number", range: [0, 90] })),
      'column "age": the plan\'s schema has the range [0, 100]',
      "with the range [0, 90]",
    ],
    [
      "no range",
      () => read(withColumn("age", { kind: "number" })),
      'column "age"',
      "with no range",
    ],
    [
      "a range where there is none",
      () => read(withColumn("dose", { kind: "number", range: [0, 3] })),
      'column "dose": the plan\'s schema has no range',
      "the range [0, 3]",
    ],
    [
      "another range, and a feature for gaps",
      () => read(withColumn("bmi", { kind: "number", range: [0, 50], missing: "level" })),
      'column "bmi"',
      "the range [0, 50]",
    ],
    [
      "another second level",
      () => read(withColumn("sex", { kind: "binary", levels: ["x", "m"], unseen: "zeros" })),
      'column "sex": the plan\'s schema has 2 levels ("f", "m")',
      "others, or another order",
    ],
    [
      "another range of the target",
      () => read({ ...SCHEMA, target: { column: "score", kind: "number", range: [0, 50] } }),
      "the target: the plan's schema has the range [0, 40]",
      "the range [0, 50]",
    ],
    [
      "no range of the target",
      () => read({ ...SCHEMA, target: { column: "score", kind: "number" } }),
      "the target",
      "no range",
    ],
    [
      "values beyond a range held at its ends",
      () => read(withColumn("age", { kind: "number", range: [0, 100], outside: "clip" })),
      'column "age": the plan\'s schema has values held within [-100, 200]',
      "with values held within [0, 100]",
    ],
    [
      "values of the target held elsewhere",
      () => read(withTarget({ outside: "clip" })),
      "the target: the plan's schema has values held within [-40, 80]",
      "values held within [0, 40]",
    ],
    [
      "limits of the target",
      () => read(withTarget({ limits: [0, null] })),
      "the target: the plan's schema has values held within [-40, 80]",
      "values held within [0, 80]",
    ],
    [
      "a pipeline",
      async () => {
        const tasks = await read();
        return Pipeline.fit(tasks, [{ kind: "unit-rows" }]).apply(tasks);
      },
      "a pipeline (unit-rows)",
      "normalize",
    ],
  ];

  test.each(cases)(
    "%s are refused by the column's name",
    async (_what, prepare, expected, found) => {
      const refused = async () => requirePlannedSchema(await prepare(), planOf());
      await expect(refused()).rejects.toThrow(expected);
      await expect(refused()).rejects.toThrow(found);
      await expect(refused()).rejects.toThrow(expect.objectContaining({ code: "DATA" }) as Error);
    },
  );

  test("the plan's limits, or refused where the plan clips, which comes to the same, are taken", async () => {
    const limited = withTarget({ limits: [0, null] });
    const plan = planOf({ schema: limited });
    const tasks = await read(limited);
    expect(() => requirePlannedSchema(tasks, plan)).not.toThrow();
    const without = await read();
    expect(() => requirePlannedSchema(without, plan)).toThrow(
      "values held within [0, 80] (by range",
    );
    const clipped = planOf({ schema: withTarget({ outside: "clip" }) });
    const refusing = await read(withTarget({ outside: "refuse" }));
    expect(() => requirePlannedSchema(refusing, clipped)).not.toThrow();
  });

  test("what was taken from them shows none of it", async () => {
    const age = withColumn("age", { kind: "number", range: [20, 79], declared: false });
    const target = {
      ...SCHEMA,
      target: { column: "score", kind: "number", range: [0, 39], declared: false },
    } as const;
    for (const schema of [age, target]) {
      const tasks = await read(schema);
      expect(() => requirePlannedSchema(tasks, planOf())).toThrow(
        "a range that was taken from them",
      );
      expect(() => requirePlannedSchema(tasks, planOf())).not.toThrow(/79|39/);
    }
    const levels = await read(withColumn("sex", { kind: "binary" }));
    const other = planOf({ schema: withColumn("sex", { kind: "binary", levels: ["w", "m"] }) });
    expect(() => requirePlannedSchema(levels, other)).toThrow('column "sex"');
    expect(() => requirePlannedSchema(levels, other)).not.toThrow('"f"');
  });
});

describe("a column that is the same in all rows of a task", () => {
  const lines = [
    "school,score,beds",
    ...rows.map((row, i) => `${row.split(",", 2).join()},${i % 5}`),
  ];
  const planned = (perTask: boolean): DataSchema => ({
    task: "school",
    target: SCHEMA.target!,
    columns: { beds: { kind: "number", range: [0, 4], ...(perTask ? { perTask } : {}) } },
  });
  const readOwn = async (perTask: boolean) =>
    tasksFromTable(await readCsv(lines.join("\n")), { schema: planned(perTask) }).tasks;

  test.each([
    [true, "the plan's schema has perTask, and your rows were prepared with none"],
    [false, "the plan's schema has no perTask, and your rows were prepared with perTask"],
  ])("is declared so by all or by none: planned %s", async (perTask, message) => {
    const plan = planOf({ schema: planned(perTask) });
    const [same, other] = [await readOwn(perTask), await readOwn(!perTask)];
    expect(() => requirePlannedSchema(same, plan)).not.toThrow();
    expect(() => requirePlannedSchema(other, plan)).toThrow(`column "beds": ${message}`);
  });

  test("is not declared so where a plan has no schema", async () => {
    const { schema: _, ...plan } = planOf({ schema: planned(true) });
    const tasks = await readOwn(true);
    expect(() => requirePlannedSchema(tasks, plan)).toThrow('column "beds"');
  });

  test("has everyone conclude the same: the bits of a local fit", async () => {
    const plan = mixedPlan({ schema: planned(true), features: ["beds"] });
    const tasks = await readOwn(true);
    const { models } = await federate(plan, tasks);
    const local = await makeEstimator("mp-mixed", plan.options).fit(tasks);
    for (const model of Object.values(models)) {
      expect(model.summary().coefficients).toEqual(local.summary().coefficients);
      for (const name of model.taskNames) expect(taskBits(model, name)).toBe(taskBits(local, name));
    }
  });
});

describe("rows of arrays", () => {
  const plan = planOf({
    schema: {
      columns: { a: { kind: "number", range: [1, 4] }, b: { kind: "binary", levels: [0, 1] } },
      target: SCHEMA.target!,
    },
  });
  const arrays = (
    x: number[][],
    targetRange?: [number, number],
    targetLimits?: [number | null, number | null],
  ) =>
    TaskSet.from([{ name: "s0", x, y: [1, 2, 3] }], {
      featureNames: ["a", "b=1"],
      ...(targetRange ? { targetRange } : {}),
      ...(targetLimits ? { targetLimits } : {}),
    });
  const scaled = (center: number, halfWidth: number) => {
    const tasks = arrays(
      [
        [1, 0],
        [2, 1],
        [4, 1],
      ],
      [0, 40],
    );
    const scale = { mean: [center, 0], scale: [halfWidth, 1] };
    return Pipeline.fit(tasks, [{ kind: "standardize", scope: "declared", ...scale }]).apply(tasks);
  };

  test("that were scaled by the same public numbers are taken", () => {
    expect(() => requirePlannedSchema(scaled(2.5, 1.5), plan)).not.toThrow();
    expect(() => requirePlannedSchema(scaled(2.5, 1.6), plan)).toThrow('column "a"');
    expect(() =>
      requirePlannedSchema(
        arrays(
          [
            [0, 0],
            [0, 1],
            [1, 1],
          ],
          [0, 40],
        ),
        plan,
      ),
    ).toThrow("with no range");
  });

  test("of a schema of the target alone are held to the target", () => {
    const { target } = SCHEMA;
    const own = planOf({ features: ["a", "b=1"], schema: { columns: {}, target: target! } });
    const x = [
      [0, 0],
      [0, 1],
      [1, 1],
    ];
    expect(() => requirePlannedSchema(arrays(x, [0, 40]), own)).not.toThrow();
    expect(() => requirePlannedSchema(arrays(x), own)).toThrow("the target");
    expect(() => requirePlannedSchema(arrays(x, [0, 40], [0, null]), own)).toThrow(
      "your rows were prepared with values held within [0, 80]",
    );
    expect(() => requirePlannedSchema(scaled(2.5, 1.5), own)).toThrow(
      'column "a": the plan\'s schema has no range',
    );
  });
});

describe("a participant whose range is another", () => {
  test.each<[string, Partial<PlanInput>]>([
    ["with plain sums", {}],
    ["who may come late", { tasks: null, latecomers: { tasks: 2, rows: 9 } }],
    ["with secure sums", { aggregation: AGGREGATION }],
  ])("%s sends nothing but its question for the plan", async (_what, input) => {
    const named = input.aggregation
      ? { tasks: [0, 1, 2, 3, 4].map((i) => ({ name: `s${i}`, participant: `p${i}` })) }
      : {};
    const plan = planOf({ ...named, ...input });
    const clock = new ManualClock();
    const network = new MemoryNetwork(clock);
    const sent: string[] = [];
    network.watch = ({ from, message }) => {
      if (from === "p1") sent.push(decodeMessage(message).type);
    };
    const over = new AbortController();
    const curator = runCurator({
      plan,
      clock,
      store: new MemoryStore(),
      signal: over.signal,
      transport: network.curator(),
    });
    const other = await read(withColumn("age", { kind: "number", range: [0, 90] }));
    const joined = joinRun({
      run: plan.run,
      participant: "p1",
      data: other.select(["s1"]),
      clock,
      agreed: planHash(plan),
      store: new MemoryStore(),
      identity: identity(1).secret,
      transport: network.participant("p1"),
    });
    await expect(settle(clock, joined)).rejects.toThrow('column "age"');
    expect(new Set(sent)).toEqual(new Set(["hello"]));
    over.abort(new Error("over"));
    await expect(settle(clock, curator)).rejects.toThrow("over");
  });
});

test("a program reads a table by the plan alone", async () => {
  for (const features of [undefined, ["ward=med", "ward=surg", "age"]]) {
    const plan = planOf(features ? { features } : {});
    // As a participant has it, whose columns come in another order than the curator wrote them.
    const { schema, ...rest } = parsePlan(canonicalPlan(plan));
    const { tasks } = tasksFromTable(await table(), {
      schema: schema!,
      features: featureColumns({ ...rest, schema: schema! }),
    });
    expect(tasks.featureNames).toEqual(plan.features);
    expect(() => requirePlannedSchema(tasks, plan)).not.toThrow();
  }
  expect(featureColumns({ features: ["x1", "x2"] })).toEqual(["x1", "x2"]);
});
