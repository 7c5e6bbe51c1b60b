/** Sparse rows of a table are the dense ones without their zeros, with splits and gaps too. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  Pipeline,
  readSvmlight,
  splitEncoded,
  Table,
  TableEncoding,
  type TableSchema,
  type TaskSet,
} from "../../../src/data/index.js";

const cell = <T>(of: fc.Arbitrary<T>, gap: T) =>
  fc.oneof({ weight: 5, arbitrary: of }, { weight: 1, arbitrary: fc.constant(gap) });
const tables = fc
  .array(
    fc.record({
      task: fc.constantFrom("a", "b", "c"),
      ward: cell(fc.constantFrom("med", "surg", "ped", "x y"), ""),
      item: fc.integer({ min: 1, max: 30 }),
      age: cell(fc.integer({ min: -3, max: 3 }), NaN),
      y: fc.integer({ min: 0, max: 9 }),
    }),
    { minLength: 4, maxLength: 25 },
  )
  .map(
    (rows) =>
      new Table([
        { name: "task", values: rows.map(({ task }) => task) },
        { name: "ward", values: rows.map(({ ward }) => ward) },
        { name: "item", values: Float64Array.from(rows, ({ item }) => item) },
        { name: "age", values: Float64Array.from(rows, ({ age }) => age) },
        { name: "y", values: Float64Array.from(rows, ({ y }) => y) },
      ]),
  )
  .filter((table) => new Set(table.texts("ward").filter((text) => text !== "")).size > 0)
  .filter((table) => table.numbers("age").some((value) => !Number.isNaN(value)));

const schema: TableSchema = {
  task: "task",
  target: "y",
  missing: "impute",
  kinds: { ward: "category", item: "category", age: "number" },
};

const dense = (tasks: TaskSet) => [...tasks].flatMap(({ x }) => [...x]);

describe("a table as sparse rows", () => {
  test("is the table as dense rows", () => {
    fc.assert(
      fc.property(tables, (table) => {
        const one = TableEncoding.fit(table, schema);
        const other = TableEncoding.fit(table, { ...schema, sparse: true });
        const [a, b] = [one.apply(table).tasks, other.apply(table).tasks];
        expect(b.sparse!.values.every((value) => value !== 0)).toBe(true);
        expect(dense(b)).toEqual(dense(a));
        expect(b.featureNames).toEqual(a.featureNames);
        expect(b.encoding.columns).toEqual(a.encoding.columns);
        const again = TableEncoding.fromJSON(JSON.parse(JSON.stringify(other.toJSON())) as never);
        expect(dense(again.apply(table).tasks)).toEqual(dense(a));
        const unit = Pipeline.fit(a, [{ kind: "unit-rows" }]);
        expect(dense(unit.apply(b))).toEqual(dense(unit.apply(a)));
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  test("is split as the dense one, gaps filled by the training rows", () => {
    fc.assert(
      fc.property(tables, (table) => {
        const options = { task: "task", testFraction: 0.4, seed: "s" };
        const split = (sparse: boolean) =>
          splitEncoded(TableEncoding.fit(table, { ...schema, sparse }), table, options);
        let parts;
        try {
          parts = [split(false), split(true)] as const;
        } catch (error) {
          expect((error as Error).message).toMatch(/no (training|test|rows)|two rows/);
          return;
        }
        const [a, b] = parts;
        for (const side of ["train", "test"] as const) {
          const [left, right] = [dense(a[side]), dense(b[side])];
          expect(right).toHaveLength(left.length);
          left.forEach((value, k) => expect(right[k]).toBeCloseTo(value, 12));
        }
      }),
      { numRuns: 60, seed: 8 },
    );
  });
});

describe("features beside the columns", () => {
  const roles = { task: "qid", target: "target" };

  test("come after those of the columns; what training did not have is counted and left out", async () => {
    const train = await readSvmlight("1 qid:7 1:2 3:4\n2 qid:8 2:1\n3 qid:7 1:5\n");
    const encoding = TableEncoding.fit(train, roles);
    const { tasks } = encoding.apply(train);
    expect(tasks.featureNames).toEqual(["x1", "x2", "x3"]);
    expect(tasks.names).toEqual(["7", "8"]);
    expect(dense(tasks)).toEqual([2, 0, 4, 5, 0, 0, 0, 1, 0]);
    expect(encoding.pooled).toEqual([
      "number of sparse features, the largest number in all tasks' rows",
    ]);
    const later = await readSvmlight("0 qid:8 0:9 2:3 4:1 5:1\n");
    const { sparse, unexpected } = encoding.features(later);
    expect(Array.from(sparse!.columns)).toEqual([1]);
    expect(unexpected).toEqual([{ task: "8", column: "sparse features", clipped: 0, unseen: 3 }]);
    expect(() => encoding.features(later).x).toThrow(/take them as `sparse`/);
  });

  test("are as many as was declared", async () => {
    const table = await readSvmlight("1 qid:7 1:2\n");
    const encoding = TableEncoding.fit(table, { ...roles, entries: { first: 0, count: 4 } });
    expect(encoding.featureNames).toEqual(["x0", "x1", "x2", "x3"]);
    expect(dense(encoding.apply(table).tasks)).toEqual([0, 2, 0, 0]);
    expect(encoding.pooled).toEqual([]);
  });

  test("a table of columns is not taken for one with sparse features, nor the other way round", async () => {
    const sparse = await readSvmlight("1 qid:7 1:2\n", { name: "s" });
    const columns = new Table(
      ["qid", "target", "a"].map((name) => ({ name, values: Float64Array.of(1) })),
      { name: "c" },
    );
    const of = (table: Table) => TableEncoding.fit(table, roles);
    expect(() => of(sparse).features(columns)).toThrow(/c: expected sparse features/);
    expect(() => of(columns).features(sparse)).toThrow(/column "a"|s holds sparse features/);
  });
});
