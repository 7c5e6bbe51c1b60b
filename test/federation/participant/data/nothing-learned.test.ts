/** Where single records are hidden, what was learned from a participant's own rows is refused before anything is sent. */
import { describe, expect, test } from "vitest";
import {
  parseSchema,
  readCsv,
  tasksFromTable,
  type ColumnDeclaration,
} from "../../../../src/data/index.js";
import { makePlan } from "../../../../src/federation/index.js";
import { prepareData } from "../../../../src/federation/participant/data/participant-data.js";

const rows = "task,y,age,sex\na,1,20,f\na,2,40,m\na,0,,f\n";
const range = { kind: "number", range: [0, 100], missing: "level" } as const;
const sex = { kind: "binary", levels: ["f", "m"], missing: "zeros" } as const;

async function prepare(
  columns: Readonly<Record<string, ColumnDeclaration>>,
  options: Readonly<Record<string, unknown>>,
) {
  const schema = parseSchema({
    format: "mp-mtl-schema",
    version: 1,
    columns,
    target: { column: "y", kind: "number", range: [0, 3] },
  });
  const table = await readCsv(rows, { name: "t.csv" });
  const { tasks } = tasksFromTable(table, { task: "task", schema });
  const plan = makePlan({
    run: "r",
    method: "pmtl",
    features: ["age", "age=missing", "sex=m"],
    options: { clip: 1, ...options },
  });
  return prepareData(tasks, plan).data.names;
}

describe("a range and levels", () => {
  test("that are declared are taken with any unit", async () => {
    for (const unit of ["task", "record", "both"]) {
      expect(await prepare({ age: range, sex }, { unit })).toEqual(["a"]);
    }
  });

  test.each([
    [{ age: { ...range, declared: false }, sex }, 'column "age"'],
    [
      { age: range, sex: { kind: "binary", missing: "zeros" } as const },
      'levels of the column "sex"',
    ],
    [{ age: range, sex: { ...sex, declared: false } }, 'column "sex"'],
  ])(
    "that come from the rows are refused where records are hidden, and fine where tasks are",
    async (columns, what) => {
      expect(await prepare(columns, {})).toEqual(["a"]);
      for (const unit of ["record", "both"]) {
        const refused = prepare(columns, { unit });
        await expect(refused).rejects.toThrow(`unit "${unit}" protects single records`);
        await expect(refused).rejects.toThrow(what);
      }
    },
  );
});

test("labels that the plan has were not learned", async () => {
  const table = await readCsv("task,y,x\na,no,1\na,yes,0\n", { name: "t.csv" });
  const { tasks } = tasksFromTable(table, { task: "task", target: "y" });
  const plan = makePlan({
    run: "r",
    method: "pmtl",
    features: ["x"],
    classes: ["no", "yes"],
    options: { clip: 1, loss: "logistic", unit: "record" },
  });
  expect(prepareData(tasks, plan).data.m).toBe(1);
});
