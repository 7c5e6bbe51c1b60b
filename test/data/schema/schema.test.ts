import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  parseSchema,
  readCsv,
  TableEncoding,
  tasksFromTable,
  TaskSet,
  type TableEncodingState,
} from "../../../src/data/index.js";
import { checkRange } from "../../../src/data/columns/scale.js";
import { SingleTask, TraceNorm } from "../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../src/model/index.js";

const header = { format: "mp-mtl-schema", version: 1 };
const csv = (text: string) => readCsv(text, { name: "t.csv" });

const schema = parseSchema({
  ...header,
  task: "school",
  target: { column: "score", kind: "number", range: [0, 100], unit: "points", missing: "drop" },
  columns: {
    pupil: { kind: "identifier" },
    note: { kind: "ignore" },
    age: { kind: "number", range: [10, 20], unit: "years", missing: "level" },
    hours: { kind: "number", range: [0, 8], missing: { value: 4 } },
    ward: { kind: "category", levels: ["med", "surg", "ped"], missing: "level" },
    size: { kind: "number", missing: "drop" },
  },
});

const rows = [
  "pupil,school,score,age,hours,ward,size,note",
  "1,a,50,10,2,med,100,x",
  "2,a,250,15,,surg,200,y",
  "3,a,,15,1,surg,200,y",
  "4,b,0,,8,,300,z",
  "5,b,75,30,8,ped,,z",
  "6,b,25,20,20,ped,400,z",
];

describe("a declared table", () => {
  test("is scaled by its ranges, dummies by its levels; roles and missing cells as declared", async () => {
    const { tasks, encoding, dropped, unexpected } = tasksFromTable(await csv(rows.join("\n")), {
      schema,
    });
    expect(tasks.featureNames).toEqual([
      "age",
      "age=missing",
      "hours",
      "ward=med",
      "ward=surg",
      "ward=ped",
      "ward=missing",
      "size",
    ]);
    expect([...tasks.task("a").x]).toEqual([
      -1, 0, -0.5, 1, 0, 0, 0, 100, 0, 0, 0, 0, 1, 0, 0, 200,
    ]);
    expect([...tasks.task("b").x]).toEqual([0, 1, 1, 0, 0, 0, 1, 300, 1, 0, 3, 0, 0, 1, 0, 400]);
    expect([...tasks.y]).toEqual([0, 3, -1, -0.5]);
    expect(dropped).toBe(2); // no score; no size
    expect(unexpected).toEqual([
      { task: "b", column: "hours", clipped: 1, unseen: 0 },
      { task: "a", column: "score", clipped: 1, unseen: 0 },
    ]);
    expect(encoding.pooled).toEqual([]);
    expect(encoding.identifiers).toEqual(["pupil"]);
    const { columns, target } = tasks.encoding;
    expect(columns[0]).toEqual({ name: "age", scale: { center: 15, halfWidth: 5 }, unit: "years" });
    expect(columns[3]!.scale).toEqual({ center: 0, halfWidth: 1 });
    expect(columns.at(-1)).toEqual({ name: "size", scale: null });
    expect(target).toEqual({
      scale: { center: 50, halfWidth: 50, held: [-100, 200] },
      unit: "points",
      levelsDeclared: false,
    });
  });

  test("its encoding takes raw tables at predict, after a way through JSON", async () => {
    const { encoding, tasks } = tasksFromTable(await csv(rows.join("\n")), { schema });
    const state = JSON.parse(JSON.stringify(encoding)) as TableEncodingState;
    const again = TableEncoding.fromJSON(state);
    expect(again.apply(await csv(rows.join("\n"))).tasks.x).toEqual(tasks.x);
    // Without a target, rows that a missing value leaves out are not among `rows`.
    const { rows: kept } = again.features(
      await csv("school,age,hours,ward,size\nb,1,1,,\na,11,1,med,5\n"),
    );
    expect([...kept]).toEqual([1]);
  });

  test("a scaled value comes back to its unit: as it is, held a width beyond the range, or at its ends", async () => {
    const finite = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    const outside = fc.constantFrom("keep", "clip", undefined);
    await fc.assert(
      fc.asyncProperty(finite, finite, finite, outside, async (a, b, value, how) => {
        fc.pre(Math.abs(a - b) > 1e-3);
        const range = [Math.min(a, b), Math.max(a, b)] as const;
        const table = await csv(`school,score,age\na,1,${value}\n`);
        const encoded = tasksFromTable(table, {
          task: "school",
          target: "score",
          kinds: { age: { kind: "number", range, ...(how && { outside: how }) } },
        });
        const [z] = encoded.tasks.x;
        const { center, halfWidth } = encoded.tasks.encoding.columns[0]!.scale!;
        const width = how === "clip" ? 0 : range[1] - range[0];
        expect(Math.abs(z!)).toBeLessThanOrEqual(how === "clip" ? 1 : 3);
        const held = Math.max(range[0] - width, Math.min(range[1] + width, value));
        expect(Math.abs(center + halfWidth * z! - held)).toBeLessThan(1e-5);
      }),
    );
  });

  test("counts what it held, of features and of the target", async () => {
    const of = async (declared: object) => {
      const table = await csv("school,score,age\na,7,3\na,1,99\na,25,-11\n");
      const { unexpected, tasks } = tasksFromTable(table, {
        schema: parseSchema({
          ...header,
          task: "school",
          target: { column: "score", kind: "number", range: [0, 10], ...declared },
          columns: { age: { kind: "number", range: [0, 10], ...declared } },
        }),
      });
      return [
        [...tasks.x],
        [...tasks.y],
        unexpected.map(({ column, clipped }) => [column, clipped]),
      ];
    };
    expect(await of({})).toEqual([
      [-0.4, 3, -3],
      [0.4, -0.8, 3],
      [["age", 2], ["score", 1]], // prettier-ignore
    ]);
    expect(await of({ outside: "clip" })).toEqual([
      [-0.4, 1, -1],
      [0.4, -0.8, 1],
      [["age", 2], ["score", 1]], // prettier-ignore
    ]);
  });

  test("an encoding that says nothing of values outside takes them at the ends, as those of before did", async () => {
    const table = await csv("school,score,age\na,7,3\na,1,12\n");
    const { encoding } = tasksFromTable(table, {
      schema: parseSchema({
        ...header,
        task: "school",
        target: { column: "score", kind: "number", range: [0, 5] },
        columns: { age: { kind: "number", range: [0, 10] } },
      }),
    });
    const state = JSON.parse(JSON.stringify(encoding)) as TableEncodingState;
    const { targetOutside, ...others } = state;
    const [{ outside, ...column }] = state.columns as unknown as [Record<string, unknown>];
    expect([targetOutside, outside]).toEqual(["keep", "keep"]);
    const old = TableEncoding.fromJSON({ ...others, columns: [column] } as never);
    const { tasks } = old.apply(table);
    expect([[...tasks.x], [...tasks.y]]).toEqual([
      [-0.4, 1],
      [1, -0.6],
    ]);
    const kept = encoding.apply(table).tasks;
    expect([kept.x[1], kept.y[0]]).toEqual([1.4, 1.8]);
  });

  test("a range too narrow to halve, or too wide for double precision, is refused", () => {
    for (const range of [
      [0, 5e-324],
      [-1.7e308, 1.7e308, 0],
      [-Infinity, 0],
      [1, 1],
      [0, NaN],
    ]) {
      expect(() => checkRange("age", range)).toThrow("age: expected [min, max]");
    }
    for (const range of [
      [0, 1e-323],
      [-1.7e308, 1.7e308],
      [1, 1 + 2 ** -52],
    ]) {
      expect(checkRange("age", range)).toEqual(range);
    }
  });

  test("ranges without a head are no schema: what one begins with, and what drafts it, is said", () => {
    expect(() => parseSchema({ target: {} }, "ranges.json")).toThrow(
      'ranges.json: expected { "format": "mp-mtl-schema", "version": 1, "target": ..., "columns": ... }, as inspect --out',
    );
    expect(() => parseSchema({ age: [0, 5], size: [0, 2] }, "ranges.json")).toThrow(
      'ranges.json: "age", "size": expected columns inside { "format": "mp-mtl-schema", "version": 1, ' +
        '"target": ..., "columns": { "age": { "kind": ... }, ... } }, as inspect --out',
    );
  });

  test("a declared target that the table lacks is named, also where another one is asked for", async () => {
    const schema = parseSchema({ ...header, target: { column: "scores", kind: "number" } });
    const table = await csv("school,score,age\na,1,3\na,2,4\n");
    const asked = { task: "school", target: "score", schema };
    expect(() => tasksFromTable(table, asked)).toThrow('no column "scores"');
  });

  test("values outside are refused where that is declared, without being shown", async () => {
    const refuse = (kind: object, target: object) =>
      csv("school,score,age\na,7,3\na,1,99\n").then((table) =>
        tasksFromTable(table, {
          schema: parseSchema({
            ...header,
            task: "school",
            target: { column: "score", kind: "number", ...target },
            columns: { age: { kind: "number", ...kind } },
          }),
        }),
      );
    await expect(refuse({ range: [0, 10], outside: "refuse" }, {})).rejects.toThrow(
      't.csv, line 3, column "age": the value is outside the declared range.',
    );
    await expect(refuse({}, { range: [0, 5], outside: "refuse" })).rejects.toThrow(
      't.csv, line 2, column "score": the value is outside the declared range.',
    );
  });

  test("what was drafted from the data and not vouched for is pooled", async () => {
    const { encoding } = tasksFromTable(await csv("school,score,age,w\na,1,3,x\nb,2,4,y\n"), {
      task: "school",
      target: "score",
      missing: "impute",
      schema: parseSchema({
        ...header,
        columns: {
          age: { kind: "number", range: [0, 10], declared: false },
          w: { kind: "category", levels: ["x", "y"], declared: false },
        },
      }),
    });
    expect(encoding.pooled).toEqual([
      'range of the column "age" observed over all tasks',
      'levels of the column "w" observed over all tasks',
    ]);
  });

  test("declared labels, the second being the positive one", async () => {
    const text = "school,y,u\na,Y,1\na,N,2\nb,N,3\n";
    const target = { column: "y", kind: "category", levels: ["Y", "N"] } as const;
    const { tasks } = tasksFromTable(await csv(text), {
      schema: parseSchema({ ...header, task: "school", target }),
    });
    expect([tasks.targetLevels, [...tasks.y]]).toEqual([
      ["Y", "N"],
      [0, 1, 1],
    ]);
    const other = tasksFromTable.bind(null, await csv(`${text}b,maybe,1\n`), {
      schema: parseSchema({ ...header, task: "school", target }),
    });
    expect(other).toThrow('t.csv, line 5, column "y": the label is not one of the 2');
  });
});

describe("parseSchema refuses", () => {
  const cases: [string, object, string][] = [
    ["another document", { format: "x", version: 1 }, "schema: expected the format mp-mtl-schema"],
    ["a newer version", { ...header, version: 2 }, "use a newer mp-mtl"],
    ["an unknown member", { ...header, colums: {} }, '"colums" is not known here'],
    [
      "an unknown kind",
      { ...header, columns: { u: { kind: "num" } } },
      'schema: column "u": kind: expected one of number, category',
    ],
    [
      "a range the wrong way round",
      { ...header, columns: { u: { kind: "number", range: [1, 1] } } },
      'schema: column "u": range: expected [min, max]',
    ],
    [
      "a range that is not finite",
      { ...header, columns: { u: { kind: "number", range: [0, null] } } },
      "range: expected [min, max]",
    ],
    [
      "levels of a number",
      { ...header, columns: { u: { kind: "number", levels: ["a"] } } },
      '"levels" is not known here',
    ],
    [
      "another word for missing",
      { ...header, columns: { u: { kind: "category", missing: "task-mean" } } },
      'missing: expected one of refuse, level, drop, zeros, or { "value": ... }.',
    ],
    [
      "a target without a column",
      { ...header, target: { kind: "number" } },
      "schema: target: column: expected the name of a column",
    ],
    ["no levels", { ...header, columns: { u: { kind: "category", levels: [] } } }, "levels"],
  ];
  test.each(cases)("%s", (_, found, message) => {
    expect(() => parseSchema(found)).toThrow(message);
  });
});

describe("a model of scaled targets", () => {
  const inputs = ["a", "b", "c"].map((name, i) => ({
    name,
    x: Array.from({ length: 8 }, (_, row) => [row / 8, ((row * 5 + i) % 7) / 7]),
    y: Array.from({ length: 8 }, (_, row) => 20 + 3 * row + i + ((row * 3) % 4)),
  }));

  test("predicts in raw units, as the unscaled one does where no penalty is felt", async () => {
    const method = () => new SingleTask({ lambda: 1e-12, intercept: true });
    const raw = await method().fit(TaskSet.from(inputs));
    const tasks = TaskSet.from(inputs, { targetRange: [0, 100] });
    const scaled = await method().fit(tasks);
    for (const { name, x } of inputs) {
      const [one, other] = [raw.predict(name, x), scaled.predict(name, x)];
      one.forEach((value, row) => expect(other[row]).toBeCloseTo(value, 5));
      expect(scaled.forTask(name).predict(x)).toEqual(other);
    }
    // Scores do not depend on the units in which the test data come.
    const nmse = scaled.score(tasks).nmse!;
    expect(scaled.score(TaskSet.from(inputs)).nmse).toBeCloseTo(nmse, 10);
  });

  test("keeps its scale in files", async () => {
    const tasks = TaskSet.from(inputs, { targetRange: [0, 100] });
    const model = await new TraceNorm({ lambda: 0.1 }).fit(tasks);
    const again = loadModel(saveModel(model));
    expect(again.predict("a", inputs[0]!.x)).toEqual(model.predict("a", inputs[0]!.x));
    expect(again.predict("a", inputs[0]!.x)[0]).toBeGreaterThan(1);
  });
});
