/** How `join` makes the plan's features of a table as its owner has it, by the plan's schema where there is one. */
import { describe, expect, test } from "vitest";
import { pieceReader, taskReader } from "../../../src/cli/participant/task-reader.js";
import {
  csvTables,
  momentsOfTables,
  parseSchema,
  readCsv,
  tasksFromTable,
  type DataSchema,
} from "../../../src/data/index.js";
import { makePlan } from "../../../src/federation/index.js";
import { prepareData } from "../../../src/federation/participant/data/participant-data.js";

const text = [
  "id,hospital,admitted,age,sex,bmi,ward,los",
  "p1,north,2024-01-02,40,f,20,med,3",
  "p2,north,2024-02-02,60,m,,surg,5",
  "p3,north,2024-03-02,50,f,30,,4",
].join("\n");
const table = () => readCsv(text, { name: "t.csv" });
const plan = (...features: string[]) => ({ features, classes: null, options: {} }) as never;
const flags = { task: undefined, target: "los", missing: "refuse" } as never;

describe("without a schema", () => {
  const wards = ["ward=med", "ward=surg", "ward=ped", "ward=missing"];

  test("columns that the plan does not name are left alone, whatever they hold", async () => {
    const features = ["ward=med", "ward=surg", "ward=ped", "ward=missing", "age"];
    const tasks = taskReader(await table(), flags, "north").read(plan(...features));
    expect(tasks.featureNames).toEqual(features);
    expect([...[...tasks][0]!.x]).toEqual([1, 0, 0, 0, 40, 0, 1, 0, 0, 60, 0, 0, 0, 1, 50]);
    expect(tasks.encoding.provenance.filter(({ from }) => from !== "declared")).toEqual([]);
  });

  test("of two values one feature is the plan's, and gaps of numbers have a feature", async () => {
    const features = ["sex=m", "bmi", "bmi=missing"];
    const tasks = taskReader(await table(), flags, "north").read(plan(...features));
    expect(tasks.featureNames).toEqual(features);
    expect([...[...tasks][0]!.x]).toEqual([0, 20, 0, 1, 0, 1, 0, 30, 0]);
  });

  test("a feature that no column gives is named", async () => {
    const reader = taskReader(await table(), flags, "north");
    expect(() => reader.read(plan("age", "smoker=yes"))).toThrow(
      't.csv has no column for the plan\'s feature "smoker=yes"; it has "id", "hospital", "admitted"',
    );
    expect(() => reader.read(plan("Age"))).toThrow('Did you mean "age"?');
  });

  test("a value that is none of the plan's levels is refused", async () => {
    const reader = taskReader(await table(), flags, "north");
    expect(() => reader.read(plan(...wards.filter((name) => name !== "ward=surg")))).toThrow(
      't.csv, line 3, column "ward": the value is not one of the 2 known levels',
    );
  });
});

const schema = parseSchema({
  format: "mp-mtl-schema",
  version: 1,
  task: "hospital",
  target: { column: "los", kind: "number", range: [0, 30] },
  columns: {
    id: { kind: "identifier" },
    admitted: { kind: "ignore" },
    age: { kind: "number", range: [0, 100] },
    sex: { kind: "binary", levels: ["f", "m"], missing: "zeros" },
    bmi: { kind: "number", range: [10, 50], missing: "level" },
    ward: { kind: "category", levels: ["med", "surg", "ped"], missing: "level" },
  },
});

test("with a schema rows are those of a local fit with it, task and target too", async () => {
  const local = tasksFromTable(await table(), { schema }).tasks;
  const values = { task: undefined, target: undefined, missing: "refuse", schema } as never;
  const reader = taskReader(await table(), values, "p");
  const tasks = reader.read(plan(...local.featureNames));
  expect(tasks.names).toEqual(["north"]);
  expect([...tasks.x]).toEqual([...local.x]);
  expect([...tasks.y]).toEqual([...local.y]);
  expect(tasks.encoding.target.scale).toEqual(local.encoding.target.scale);
});

describe("with a schema in the plan", () => {
  const planned = makePlan({ run: "r", method: "pmtl", schema });
  const none = { task: undefined, target: undefined, missing: "refuse" } as const;
  const withColumn = (name: string, declared: object): DataSchema =>
    ({ ...schema, columns: { ...schema.columns, [name]: declared } }) as DataSchema;

  test("rows are those of a local fit with it, without a word of the owner", async () => {
    const local = tasksFromTable(await table(), { schema }).tasks;
    const reader = taskReader(await table(), none, "p");
    const tasks = reader.read(planned);
    expect(tasks.names).toEqual(["north"]);
    expect(tasks.featureNames).toEqual(local.featureNames);
    expect([...tasks.x, ...tasks.y]).toEqual([...local.x, ...local.y]);
    expect(reader.encoding().identifiers).toEqual(["id"]);
    expect(prepareData(tasks, planned).data.m).toBe(1);
  });

  test("rows in pieces are the moments of a local fit, of the plan's columns only", async () => {
    const [head, ...lines] = text.split("\n");
    const long = [head, ...Array.from({ length: 12_000 }, () => lines).flat()].join("\n");
    const mixed = makePlan({ run: "r", method: "mp-mixed", schema });
    let read = 0;
    const watched = { onRead: (rows: number) => (read = rows) };
    const reader = await pieceReader(() => csvTables(long), none, "p", watched);
    const tasks = await reader.read(mixed);
    const local = (await momentsOfTables(csvTables(long), { schema, missing: "refuse" })).tasks;
    expect([read, ...tasks.taskSizes]).toEqual([36_000, 36_000]);
    expect(tasks.x.length).toBeLessThan(200);
    expect([...tasks.x, ...tasks.y]).toEqual([...local.x, ...local.y]);
    expect(reader.encoding().identifiers).toEqual(["id"]);
    expect(prepareData(tasks, mixed).data.names).toEqual(["north"]);
    // What looks at single rows says so before anything is sent.
    expect(() => prepareData(tasks, planned)).toThrow("pmtl takes no moments of rows");
    const empty = pieceReader(() => csvTables(""), none, "p", watched);
    await expect(empty).rejects.toThrow("is empty");
  });

  test("an owner may have more columns, another name of the target, and lack what is no feature", async () => {
    const local = tasksFromTable(await table(), { schema }).tasks;
    const other = text.replace("los", "days").replace("id,hospital", "note,site");
    const reader = taskReader(
      await readCsv(other, { name: "t.csv" }),
      { ...none, target: "days" },
      "p",
    );
    const plan = makePlan({ ...planned, features: ["age", "sex=m"] });
    const tasks = prepareData(reader.read(plan), plan).data;
    expect(tasks.names).toEqual(["p"]);
    expect([...tasks.x]).toEqual(
      [-0.2, 0, 0.2, 1, 0, 0].map((value) => expect.closeTo(value, 12) as number),
    );
    expect([...tasks.y]).toEqual([...local.y]);
  });

  test("an own file that says the same of the plan's columns is taken, its identifiers too", async () => {
    const own = {
      ...withColumn("age", { kind: "number", range: [0, 100], outside: "keep", declared: true }),
      task: "site",
      target: { ...schema.target!, column: "days" },
    };
    const columns = { ...own.columns, admitted: { kind: "identifier" } as const };
    const other = text.replace("hospital", "site").replace("los", "days");
    const reader = taskReader(
      await readCsv(other, { name: "t.csv" }),
      { ...none, schema: { ...own, columns }, ranges: "own.json" },
      "p",
    );
    expect(reader.read(planned).names).toEqual(["north"]);
    expect(reader.encoding().identifiers).toEqual(["id", "admitted"]);
  });

  test.each<[string, DataSchema, RegExp]>([
    [
      "a range",
      withColumn("age", { kind: "number", range: [0, 90] }),
      /--ranges own.json: column "age": the plan's schema has .*\[0,100\].*, this file .*\[0,90\].*Leave --ranges out/,
    ],
    [
      "a unit",
      withColumn("age", { kind: "number", range: [0, 100], unit: "months" }),
      /column "age".*months/,
    ],
    [
      "levels",
      withColumn("sex", { kind: "binary", levels: ["m", "f"], missing: "zeros" }),
      /column "sex"/,
    ],
    [
      "the target",
      { ...schema, target: { column: "los", kind: "number", range: [0, 31] } },
      /: target: .*\[0,31\]/,
    ],
    ["nothing", { columns: {} }, /column "age": .* this file nothing of it/],
  ])("an own file that says otherwise of %s is refused by name", async (_what, own, why) => {
    const features = ["age", "sex=m"];
    const reader = taskReader(await table(), { ...none, schema: own, ranges: "own.json" }, "p");
    expect(() => reader.read(makePlan({ ...planned, features }))).toThrow(why);
  });

  test("what rows told an own file is in no message", async () => {
    const own = withColumn("age", { kind: "number", range: [40, 60], declared: false });
    const reader = taskReader(await table(), { ...none, schema: own, ranges: "own.json" }, "p");
    expect(() => reader.read(planned)).toThrow('column "age"');
    expect(() => reader.read(planned)).not.toThrow(/40|60/);
  });

  test("flags that say otherwise are refused, and such that say the same change nothing", async () => {
    const local = tasksFromTable(await table(), { schema }).tasks;
    const reads = async (flag: object) =>
      taskReader(await table(), { ...none, ...flag }, "p").read(planned);
    expect([...(await reads({ categorical: ["ward"] })).x]).toEqual([...local.x]);
    await expect(reads({ categorical: ["age"] })).rejects.toThrow(
      '--categorical: column "age" is declared number',
    );
    await expect(reads({ hexPixels: "ward" })).rejects.toThrow(
      '--hex-pixels: column "ward" is declared category',
    );
  });

  test("a column that the plan needs and the table lacks is named", async () => {
    const short = await readCsv("los,age\n3,40\n", { name: "t.csv" });
    expect(() => taskReader(short, none, "p").read(planned)).toThrow(
      'no column for the plan\'s feature "sex=m"',
    );
  });
});
