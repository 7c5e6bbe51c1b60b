/** The schema of a plan: one form, one hash; it gives features and labels, and what is not public does not get into it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  parseSchema,
  readCsv,
  tasksFromTable,
  type ColumnDeclaration,
  type DataSchema,
} from "../../../../src/data/index.js";
import {
  canonicalPlan,
  describePlan,
  makePlan,
  parsePlan,
  planHash,
  type PlanInput,
} from "../../../../src/federation/index.js";
import { MOST_SCHEMA } from "../../../../src/federation/protocol/plan/plan-schema.js";

const SCHEMA: DataSchema = {
  task: "hospital",
  target: { column: "los", kind: "number", range: [0, 30], unit: "days" },
  columns: {
    id: { kind: "identifier" },
    admitted: { kind: "ignore" },
    ward: { kind: "category", levels: ["med", "surg"], missing: "level" },
    age: { kind: "number", range: [0, 100], unit: "years" },
    sex: { kind: "binary", levels: ["f", "m"], missing: "zeros" },
    bmi: { kind: "number", range: [10, 50], missing: "level" },
  },
};
const FEATURES = ["ward=med", "ward=surg", "ward=missing", "age", "sex=m", "bmi", "bmi=missing"];
const INPUT: PlanInput = { run: "r", method: "pmtl", schema: SCHEMA };

const withColumns = (columns: Readonly<Record<string, unknown>>): PlanInput => ({
  ...INPUT,
  schema: { ...SCHEMA, columns } as DataSchema,
});
const withTarget = (target: object, more: Partial<PlanInput> = {}): PlanInput => ({
  ...INPUT,
  ...more,
  schema: { ...SCHEMA, target } as DataSchema,
});

describe("features", () => {
  test("are the schema's, in its order, where the plan names none", () => {
    expect(makePlan(INPUT).features).toEqual(FEATURES);
  });

  test("are those that a table has when it is read by the schema", async () => {
    const missing = fc.constantFrom("refuse", "level", "zeros", undefined);
    const columns = fc
      .array(
        fc.record({
          name: fc.constantFrom("a", "b", "c", "10", "x y", "a=b"),
          declared: fc.oneof(
            fc.constantFrom<ColumnDeclaration>(
              { kind: "number", range: [0, 9] },
              { kind: "number", missing: "level" },
              { kind: "number", range: null, missing: { value: 2 } },
            ),
            fc.record({ binary: fc.boolean(), missing, unseen: fc.boolean() }).map(
              (one) =>
                ({
                  kind: one.binary ? "binary" : "category",
                  levels: one.binary ? [0, "1.0"] : ["0", 1, "2"],
                  ...(one.missing ? { missing: one.missing } : {}),
                  ...(one.unseen ? { unseen: "zeros" } : {}),
                }) as ColumnDeclaration,
            ),
          ),
        }),
        { minLength: 1, maxLength: 5 },
      )
      .map((list) => Object.fromEntries(list.map(({ name, declared }) => [name, declared])));
    await fc.assert(
      fc.asyncProperty(columns, async (declared) => {
        const schema = { ...SCHEMA, task: "t", columns: declared };
        const names = Object.keys(declared);
        const text = `t,los,${names.map((name) => JSON.stringify(name)).join(",")}\nu,3${",1".repeat(names.length)}\n`;
        const { tasks } = tasksFromTable(await readCsv(text, { name: "t.csv" }), { schema });
        expect(makePlan({ ...INPUT, schema }).features).toEqual(tasks.featureNames);
      }),
    );
  });

  test("that are named are those of whole columns, some or all, in any order of the columns", () => {
    for (const features of [
      FEATURES,
      ["age"],
      ["bmi", "bmi=missing", "ward=med", "ward=surg", "ward=missing"],
    ]) {
      expect(makePlan({ ...INPUT, features }).features).toEqual(features);
    }
    for (const features of [
      ["Age"],
      ["ward=med", "ward=surg"],
      ["bmi=missing", "bmi"],
      ["age", "los"],
    ]) {
      expect(() => makePlan({ ...INPUT, features })).toThrow(
        /plan: features: .* is not what the schema gives there; it gives "ward=med"/,
      );
    }
  });

  test("are needed where there is no schema, or one of the target alone", () => {
    expect(() => makePlan({ run: "r", method: "pmtl" })).toThrow(
      "plan: features is missing: names of the columns",
    );
    expect(() => makePlan(withColumns({}))).toThrow("the schema declares none");
    expect(makePlan({ ...withColumns({}), features: ["x1"] }).features).toEqual(["x1"]);
  });

  test("of two columns with one name are refused", () => {
    const columns = { ward: SCHEMA.columns["ward"], "ward=med": { kind: "number" } };
    expect(() => makePlan(withColumns(columns))).toThrow('two columns give the feature "ward=med"');
  });
});

describe("one form", () => {
  test("has one hash, however the schema was written", () => {
    const plan = makePlan({ ...INPUT, features: FEATURES });
    const reversed = Object.fromEntries(Object.entries(SCHEMA.columns).reverse());
    const written: DataSchema[] = [
      parseSchema({ format: "mp-mtl-schema", version: 1, ...SCHEMA }),
      { ...SCHEMA, columns: reversed },
      {
        ...SCHEMA,
        columns: {
          ...reversed,
          age: { kind: "number", outside: "keep", unit: "years", declared: true, range: [0, 100] },
          admitted: { kind: "ignore", declared: false },
        },
      },
    ];
    for (const schema of written) {
      expect(planHash(makePlan({ ...INPUT, features: FEATURES, schema }))).toBe(planHash(plan));
    }
    const spelt = (...levels: unknown[]) =>
      planHash(makePlan(withColumns({ w: { kind: "category", levels } })));
    expect(spelt(1, "2.0")).toBe(spelt("1", 2));
    expect(parsePlan(canonicalPlan(plan))).toEqual(plan);
    expect(canonicalPlan(parsePlan(canonicalPlan(plan)))).toBe(canonicalPlan(plan));
  });

  test("has another hash as soon as a range, a level, a unit or the target differs", () => {
    const plan = planHash(makePlan(INPUT));
    const { columns } = SCHEMA;
    const changes = [
      withColumns({ ...columns, age: { kind: "number", range: [0, 101], unit: "years" } }),
      withColumns({ ...columns, age: { kind: "number", range: [0, 100], unit: "months" } }),
      withColumns({ ...columns, sex: { kind: "binary", levels: ["x", "m"], missing: "zeros" } }),
      withTarget({ column: "los", kind: "number", range: [0, 31], unit: "days" }),
    ];
    for (const change of changes) expect(planHash(makePlan(change))).not.toBe(plan);
  });

  test("of a plan without a schema is what it was before there were any", () => {
    const plan = makePlan({ run: "r", method: "pmtl", features: ["x"], schema: null });
    expect(plan).not.toHaveProperty("schema");
    expect(canonicalPlan(plan)).not.toContain("schema");
  });
});

describe("labels", () => {
  const target = { column: "ill", kind: "category", levels: [0, "1.0"] };
  const options = { loss: "logistic" };

  test("are the schema's, as cells spell them", () => {
    expect(makePlan(withTarget(target, { options })).classes).toEqual(["0", "1"]);
    expect(makePlan(withTarget(target, { options, classes: [0, 1] })).classes).toEqual(["0", "1"]);
  });

  test("that are others, and a target that the loss is not about, are refused", () => {
    expect(() => makePlan(withTarget(target, { options, classes: [1, 0] }))).toThrow(
      "plan: classes",
    );
    // Nobody named classes here, so nothing is said of them.
    expect(() => makePlan(withTarget(target))).toThrow(
      /^plan: schema: target: expected a number.* of two labels the loss is logistic, of more softmax$/,
    );
    expect(() => makePlan({ ...INPUT, options, classes: [0, 1] })).toThrow(
      "schema: target: expected a category",
    );
  });
});

test.each<[string, PlanInput, string]>([
  ["what is no object", { ...INPUT, schema: "file" as never }, "plan: schema: expected an object"],
  [
    "another format",
    { ...INPUT, schema: { ...SCHEMA, version: 2 } as never },
    "plan: schema: format version 2",
  ],
  [
    "a range that is none",
    withColumns({ age: { kind: "number", range: [1, 1] } }),
    'plan: schema: column "age": range',
  ],
  [
    "a member of another name",
    withColumns({ age: { kind: "number", rnage: [0, 1] } }),
    '"rnage" is not known here',
  ],
  [
    "a category without levels",
    withColumns({ ward: { kind: "category" } }),
    'plan: schema: column "ward": expected its levels',
  ],
  ["a level twice", withColumns({ w: { kind: "category", levels: [1, "1.0"] } }), "declared twice"],
  [
    "three levels of two",
    withColumns({ w: { kind: "binary", levels: [1, 2, 3] } }),
    "a binary column has 2",
  ],
  [
    "what rows told of a column",
    withColumns({ age: { kind: "number", declared: false } }),
    'schema: column "age": "declared": false',
  ],
  [
    "what rows told of the target",
    withTarget({ column: "los", kind: "number", declared: false }),
    'schema: target: "declared": false',
  ],
  [
    "more than anyone reads",
    withColumns({ age: { kind: "number", unit: "x".repeat(MOST_SCHEMA) } }),
    `schema: expected at most ${MOST_SCHEMA} characters`,
  ],
])("a schema with %s is refused by name", (_what, input, why) => {
  expect(() => makePlan(input)).toThrow(why);
  expect(() => makePlan(input)).toThrow(expect.objectContaining({ code: "OPTION" }) as Error);
});

test("the plan's words say how columns are read", () => {
  const words = describePlan(makePlan(INPUT)).join("\n");
  expect(words).toContain("age from 0 to 100 (years)");
  expect(words).toContain("ward of 2 levels");
  expect(words).toContain("the target los from 0 to 30 (days)");
  expect(words).not.toContain("admitted");
});

test("auto takes the mixed model with ranges that a schema declares, and without", () => {
  const tasks = Array.from({ length: 400 }, (_, i) => ({ name: `t${i}`, participant: null }));
  const plan = (schema: DataSchema) =>
    makePlan({ ...INPUT, schema, method: "auto", tasks, options: { epsilon: 3 } }).method;
  expect(plan(SCHEMA)).toBe("mp-mixed");
  const raw = { ...SCHEMA.columns, age: { kind: "number" } as const };
  // Of others the size is learned, where the budget allows it.
  expect(plan({ ...SCHEMA, columns: raw })).toBe("mp-mixed");
});
