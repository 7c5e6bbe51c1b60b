/** Columns that are the same in all rows of a task: what may be declared, what is refused, what stays known of them. */
import { describe, expect, test } from "vitest";
import {
  draftSchema,
  inspectTable,
  parseSchema,
  Pipeline,
  readCsv,
  TableEncoding,
  tasksFromTable,
  TaskSet,
} from "../../../src/data/index.js";

const roles = { task: "site", target: "y" } as const;
const TEXT =
  "site,y,beds,region,age\nu,1,40,north,3\nv,2,90,south,6\nu,1.5,40,north,4\nv,3,90,south,7\n";
const schemaOf = (columns: object) =>
  parseSchema({ format: "mp-mtl-schema", version: 1, task: "site", columns });
const declared = schemaOf({
  beds: { kind: "number", range: [0, 100], perTask: true },
  region: { kind: "category", levels: ["north", "south", "west"], perTask: true },
});

describe("a schema", () => {
  test("says it of features: each of a column's is known to be a task's own", async () => {
    const { tasks, encoding } = tasksFromTable(await readCsv(TEXT), { ...roles, schema: declared });
    const own = tasks.encoding.columns.filter(({ perTask }) => perTask).map(({ name }) => name);
    expect(own).toEqual(["beds", "region=north", "region=south", "region=west"]);
    const read = TableEncoding.fromJSON(JSON.parse(JSON.stringify(encoding)) as never);
    expect(read.apply(await readCsv(TEXT)).tasks.encoding.columns).toEqual(tasks.encoding.columns);
  });

  test.each([
    [{ a: { kind: "number", perTask: "yes" } }, 'column "a": perTask: expected true or false'],
    [
      { a: { kind: "ignore", perTask: true } },
      'column "a": the member "perTask" is not known here',
    ],
  ])("%j is refused", (columns, message) => {
    expect(() => schemaOf(columns)).toThrow(message);
  });

  test("does not say it of a target", () => {
    const target = { column: "y", kind: "number", perTask: true };
    expect(() => parseSchema({ format: "mp-mtl-schema", version: 1, target, columns: {} })).toThrow(
      "schema: target: expected no perTask, which is of features",
    );
  });

  test("is not heeded where only the data said so", async () => {
    const schema = schemaOf({
      beds: { kind: "number", range: null, perTask: true, declared: false },
    });
    const { tasks } = tasksFromTable(await readCsv(TEXT), {
      ...roles,
      schema,
      undeclared: "auto",
    });
    expect(tasks.encoding.columns.some(({ perTask }) => perTask)).toBe(false);
  });
});

describe("rows that differ where they must not", () => {
  test("are refused by file, line and column, whatever their spelling, and gaps are not", async () => {
    const other = TEXT.replace("v,3,90", "v,3,91");
    const fit = async (text: string) =>
      tasksFromTable(await readCsv(text, { name: "a.csv" }), {
        ...roles,
        schema: declared,
        missing: "impute",
      });
    await expect(fit(other)).rejects.toThrow(
      'a.csv, line 5, column "beds": the task "v" has another value in a row before; the column "beds" is declared perTask',
    );
    await expect(fit(other)).rejects.not.toThrow(/91/);
    await expect(fit(TEXT.replace("u,1.5,40", "u,1.5,40.0"))).resolves.toBeDefined();
    await expect(fit(TEXT.replace("u,1.5,40", "u,1.5,"))).resolves.toBeDefined();
  });

  test("of arrays by task, row and column", () => {
    const tasks = [
      { name: "u", x: [[1, 2], [1, 3]], y: [1, 2] }, // prettier-ignore
      { name: "v", x: [[4, 2], [5, 2]], y: [1, 2] }, // prettier-ignore
    ];
    const names = { featureNames: ["beds", "age"] };
    expect(() => TaskSet.from(tasks, { ...names, perTask: ["beds"] })).toThrow(
      'task "v", row 1: another value than in row 0; the column "beds" is declared perTask',
    );
    expect(() => TaskSet.from(tasks, { ...names, perTask: ["bed"] })).toThrow(
      'perTask: there is no feature "bed"; there are "beds", "age"',
    );
    expect(() => TaskSet.from(tasks, { ...names, perTask: "beds" as never })).toThrow(
      "perTask: expected an array of feature names, got string",
    );
  });
});

test("transforms of single columns keep what is known, rows of unit length lose it", () => {
  const tasks = TaskSet.from(
    [{ name: "u", x: [[1, 2], [1, 3]], y: [1, 2] }], // prettier-ignore
    { perTask: ["x1"] },
  );
  const after = (...transforms: Parameters<typeof Pipeline.fit>[1]) =>
    Pipeline.fit(tasks, transforms)
      .apply(tasks)
      .encoding.columns.map(({ perTask }) => perTask === true);
  const scaled = { kind: "standardize", scope: "declared", mean: [0, 0], scale: [2, 2] } as const;
  expect(after(scaled, { kind: "constant" })).toEqual([true, false, false]);
  expect(after({ kind: "standardize", scope: "task" })).toEqual([true, false]);
  expect(after({ kind: "unit-rows" })).toEqual([false, false]);
});

describe("a look at a table", () => {
  test("asks of columns that tasks differ in and no task's rows do", async () => {
    const table = await readCsv(
      `${TEXT}w,4,90,south,8\n`.replaceAll(",age", ",age,one").replaceAll(/(\d)\n/g, "$1,5\n"),
    );
    const asked = ({ columns }: ReturnType<typeof inspectTable>) =>
      columns.filter(({ mayBePerTask }) => mayBePerTask).map(({ name }) => name);
    expect(asked(inspectTable(table, roles))).toEqual(["beds", "region"]);
    const report = inspectTable(table, { ...roles, schema: declared });
    expect(asked(report)).toEqual([]);
    expect(report.columns.find(({ name }) => name === "beds")!.use).toBe(
      "a number, scaled by its declared range; the same in all rows of a task, as declared",
    );
  });

  test("drafts what it saw, which counts once a person vouches for it", async () => {
    const { columns } = draftSchema(await readCsv(TEXT), roles);
    const own = Object.entries(columns).filter(([, column]) => "perTask" in column);
    expect(own.map(([name]) => name)).toEqual(["beds", "region"]);
    expect(own.every(([, { declared: vouched }]) => vouched === false)).toBe(true);
  });

  test("asks nothing of tasks of one row", async () => {
    const { columns } = inspectTable(await readCsv("site,y,a\nu,1,2\nv,2,3\n"), roles);
    expect(columns.some(({ mayBePerTask }) => mayBePerTask)).toBe(false);
  });
});
