/** How `join` makes the plan's features of a table as its owner has it. */
import { describe, expect, test } from "vitest";
import { taskReader } from "../../src/cli/participant/task-reader.js";
import { parseSchema, readCsv, tasksFromTable } from "../../src/data/index.js";

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
  });

  test("a value that is none of the plan's levels is refused", async () => {
    const reader = taskReader(await table(), flags, "north");
    expect(() => reader.read(plan(...wards.filter((name) => name !== "ward=surg")))).toThrow(
      't.csv, line 3, column "ward": the value is not one of the 2 known levels',
    );
  });
});

test("with a schema rows are those of a local fit with it, task and target too", async () => {
  const schema = parseSchema({
    ...{ format: "mp-mtl-schema", version: 1, task: "hospital" },
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
  const local = tasksFromTable(await table(), { schema }).tasks;
  const values = { task: undefined, target: undefined, missing: "refuse", schema } as never;
  const reader = taskReader(await table(), values, "p");
  const tasks = reader.read(plan(...local.featureNames));
  expect(tasks.names).toEqual(["north"]);
  expect([...tasks.x]).toEqual([...local.x]);
  expect([...tasks.y]).toEqual([...local.y]);
  expect(tasks.encoding.target.scale).toEqual(local.encoding.target.scale);
});
