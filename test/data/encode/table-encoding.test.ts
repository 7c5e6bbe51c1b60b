import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  readCsv,
  Table,
  TableEncoding,
  tasksFromTable,
  type TableEncodingState,
  type TableSchema,
} from "../../../src/data/index.js";

const schema = { task: "school", target: "score" };
const csv = (text: string) => readCsv(text, { name: "t.csv" });

async function encode(text: string, options: Partial<TableSchema> = {}) {
  return tasksFromTable(await csv(text), { ...schema, ...options });
}

describe("tasksFromTable", () => {
  test("groups rows by task in order of appearance, keeping their order", async () => {
    const { tasks, rows, dropped } = await encode(
      "u,school,score,v\n1,b,10,2\n3,a,20,4\n5,b,30,6\n",
    );
    expect(tasks.names).toEqual(["b", "a"]);
    expect(tasks.featureNames).toEqual(["u", "v"]);
    expect([...tasks.x]).toEqual([1, 2, 5, 6, 3, 4]);
    expect([...tasks.y]).toEqual([10, 30, 20]);
    expect(tasks.targetName).toBe("score");
    expect([...rows]).toEqual([0, 2, 1]);
    expect(dropped).toBe(0);
  });

  test("agrees with plain grouping, whatever the order of the rows", () => {
    const rows = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(), fc.nat()), {
      minLength: 1,
    });
    fc.assert(
      fc.property(rows, (cells) => {
        const table = new Table([
          { name: "school", values: cells.map(([task]) => task) },
          { name: "score", values: Float64Array.from(cells.map(([, y]) => y)) },
          { name: "u", values: cells.map(([, , u]) => String(u)) },
        ]);
        const { tasks, rows: origin } = tasksFromTable(table, schema);
        expect(tasks.names).toEqual([...new Set(cells.map(([task]) => task))]);
        for (const { name, x, y } of tasks) {
          const own = cells.filter(([task]) => task === name);
          expect([...y]).toEqual(own.map(([, score]) => score));
          expect([...x]).toEqual(own.map(([, , u]) => u));
        }
        expect([...tasks.y]).toEqual([...origin].map((row) => cells[row]![1]));
      }),
    );
  });

  test("all rows may belong to one task, named instead of a column", async () => {
    const table = await csv("u,score\n1,10\n2,20\n");
    const { tasks, encoding } = tasksFromTable(table, { task: { name: "mine" }, target: "score" });
    expect(tasks.names).toEqual(["mine"]);
    expect([...tasks.x]).toEqual([1, 2]);
    const state = JSON.parse(JSON.stringify(encoding)) as TableEncodingState;
    expect(TableEncoding.fromJSON(state).features(await csv("u\n3\n")).names).toEqual(["mine"]);
    expect(() => tasksFromTable(table, { task: { name: "" }, target: "score" })).toThrow(
      "t.csv: the task is missing; name whose rows these are.",
    );
  });

  test("takes the features named, in that order", async () => {
    const { tasks } = await encode("u,school,score,v\n1,b,10,2\n", { features: ["v", "u"] });
    expect(tasks.featureNames).toEqual(["v", "u"]);
    expect([...tasks.x]).toEqual([2, 1]);
  });

  test("takes number columns as tasks and targets", () => {
    const table = new Table([
      { name: "school", values: Float64Array.of(7, 7) },
      { name: "score", values: Float64Array.of(1, 2) },
      { name: "u", values: Float64Array.of(3, 4) },
    ]);
    expect(tasksFromTable(table, schema).tasks.names).toEqual(["7"]);
  });

  test("targets that are not all numbers are labels, unless numbers are asked for", async () => {
    const text = "u,school,score\n1,b,yes\n1,b,no\n1,b,1.0\n";
    const { tasks } = await encode(text);
    expect(tasks.targetLevels).toEqual(["1", "no", "yes"]);
    expect([...tasks.y]).toEqual([2, 1, 0]);
    await expect(encode(text, { targetKind: "number" })).rejects.toThrow(
      't.csv, line 2, column "score": expected a finite number, found other text.',
    );
    const { tasks: labels } = await encode("u,school,score\n1,b,10\n1,b,9\n", {
      targetKind: "label",
    });
    expect(labels.targetLevels).toEqual(["9", "10"]);
  });

  const refused: [string, string, Partial<TableSchema>, string][] = [
    ["an unknown task column", "u,score\n1,2\n", {}, 't.csv has no column "school"; it has'],
    ["an unknown target", "u,school\n1,2\n", {}, 't.csv has no column "score"; it has'],
    [
      "an unknown feature",
      "u,school,score\n1,b,2\n",
      { features: ["uu"] },
      't.csv has no column "uu"; it has "u", "school", "score".',
    ],
    [
      "the target as feature",
      "u,school,score\n1,b,2\n",
      { features: ["score"] },
      "cannot be a feat",
    ],
    ["a feature twice", "u,school,score\n1,b,2\n", { features: ["u", "u"] }, "listed twice"],
    ["no features", "school,score\nb,2\n", {}, "t.csv has no feature columns."],
    ["one column in two roles", "u,school\n1,b\n", { target: "school" }, "both the task and the"],
    [
      "a kind for another column",
      "u,school,score\n1,b,2\n",
      { kinds: { school: "category" } },
      'kinds: column "school" is not among the features.',
    ],
    [
      "an unknown kind",
      "u,school,score\n1,b,2\n",
      { kinds: { u: "word" as never } },
      'kinds: column "u": expected one of number, binary, category, hex-digits',
    ],
    [
      "another word for missing",
      "u,school,score\n1,b,2\n",
      { missing: "drop" as never },
      'missing: expected one of refuse, impute, center; got "drop"',
    ],
    [
      "text in a feature",
      "u,school,score\n1,b,2\nsecret,b,2\n",
      {},
      't.csv, line 3, column "u": expected a finite number, found other text. Correct the cell; if',
    ],
    [
      "a missing feature",
      "u,school,score\n1,b,2\n,b,2\n",
      {},
      't.csv, line 3, column "u": the value is missing; fill it in, or ask for missing: "impute" (--missing impute).',
    ],
    [
      "a missing target",
      "u,school,score\n1,b,NA\n",
      {},
      't.csv, line 2, column "score": the target is missing; leave the row out',
    ],
    [
      "a missing task",
      "u,school,score\n1,,2\n",
      {},
      't.csv, line 2, column "school": the task is missing; name whose row it is',
    ],
    [
      "targets that are all missing",
      "u,school,score\n1,b,\n",
      { missing: "impute" },
      "t.csv: no row has a target.",
    ],
  ];
  test.each(refused)("refuses %s", async (_, text, options, message) => {
    await expect(encode(text, options)).rejects.toThrow(message);
    await expect(encode(text, options)).rejects.not.toThrow("secret");
  });
});

describe("missing values", () => {
  const text = "u,s,school,score\n1,0,a,1\n,1,a,2\n3,,a,3\n8,1,b,4\n,1,c,5\n9,0,c,\n";

  test("numbers take the mean of their task's own values, 0 where it has none", async () => {
    const { tasks, dropped } = await encode(text, { missing: "impute", features: ["u"] });
    expect([...tasks.x]).toEqual([1, 2, 3, 8, 0]); // c's only value is on a row without a target
    expect([...tasks.taskSizes]).toEqual([3, 1, 1]);
    expect(dropped).toBe(1);
  });

  test("binary columns become two dummies, missing being a category", async () => {
    const { tasks, encoding } = await encode(text, { missing: "impute", features: ["s"] });
    expect(tasks.featureNames).toEqual(["s=1", "s=missing"]);
    expect([...tasks.task("a").x]).toEqual([0, 0, 1, 0, 0, 1]);
    expect(encoding.pooled).toEqual([
      'whether there are two values and gaps in the columns "s", found by looking at all tasks\' rows',
      'levels of the column "s" observed over all tasks',
    ]);
  });

  test("declared binary columns have their dummies whether or not something is missing", async () => {
    const { tasks, encoding } = await encode("s,school,score\n0,a,1\n0,b,2\n", {
      missing: "impute",
      kinds: { s: { kind: "binary", levels: [0, 1] } },
    });
    expect(tasks.featureNames).toEqual(["s=1", "s=missing"]);
    expect([...tasks.x]).toEqual([0, 0, 0, 0]);
    expect(encoding.pooled).toEqual([]);
  });

  test("are filled at predict from what training measured, by task", async () => {
    const { encoding } = await encode(text, { missing: "impute", features: ["u"] });
    const rows = encoding.features(await csv("school,u\nb,\na,\na,7\n"));
    expect(rows.names).toEqual(["b", "a"]);
    expect([...rows.x]).toEqual([8, 2, 7]);
    await expect(csv("school,u\nz,\n").then((t) => encoding.features(t))).rejects.toThrow(
      't.csv, line 2, column "u": the value is missing; no mean was measured for task "z", nor has it a value here; fill',
    );
    // A task that training did not have takes the mean of its own rows at hand.
    expect([...encoding.features(await csv("school,u\nz,4\nz,\nz,6\n")).x]).toEqual([4, 5, 6]);
  });

  test("one task's encoding holds no mean of another", async () => {
    const { encoding } = await encode(text, { missing: "impute", features: ["u"] });
    const own = encoding.forTask("b");
    expect(JSON.stringify(own)).toContain('"b":8');
    expect(JSON.stringify(own)).not.toContain('"a"');
    expect([...own.features(await csv("school,u\nb,\n")).x]).toEqual([8]);
  });
});

describe("categories", () => {
  const text = "ward,school,score\nmed,a,1\nsurg,a,2\nmed,b,3\n";

  test("become dummy columns of the levels that occur, which is said to be pooled", async () => {
    const { tasks, encoding } = await encode(text, { kinds: { ward: "category" } });
    expect(tasks.featureNames).toEqual(["ward=med", "ward=surg"]);
    expect([...tasks.x]).toEqual([1, 0, 0, 1, 1, 0]);
    expect(encoding.pooled).toEqual(['levels of the column "ward" observed over all tasks']);
  });

  test("or of declared levels, which are public", async () => {
    const levels = ["med", "surg", "ped"];
    const { tasks, encoding } = await encode(text, {
      kinds: { ward: { kind: "category", levels } },
    });
    expect(tasks.featureNames).toEqual(["ward=med", "ward=surg", "ward=ped"]);
    expect(encoding.pooled).toEqual([]);
  });

  test("numeric levels ascend as numbers and have one spelling", async () => {
    const { tasks } = await encode("g,school,score\n10,a,1\n9.0,a,2\n9,a,3\n", {
      kinds: { g: "category" },
    });
    expect(tasks.featureNames).toEqual(["g=9", "g=10"]);
    expect([...tasks.x]).toEqual([0, 1, 1, 0, 1, 0]);
  });

  test("a value never seen is refused, or all zeros if asked for", async () => {
    const other = await csv("ward,school,score\nsecret,a,1\n");
    const strict = (await encode(text, { kinds: { ward: "category" } })).encoding;
    expect(() => strict.apply(other)).toThrow(
      't.csv, line 2, column "ward": the value is not one of the 2 known levels; correct it, or the levels; only a fit with "unseen": "zeros"',
    );
    const lenient = await encode(text, { kinds: { ward: { kind: "category", unseen: "zeros" } } });
    expect([...lenient.encoding.apply(other).tasks.x]).toEqual([0, 0]);
  });

  test("missing is refused, or a level of its own", async () => {
    const gap = "ward,school,score\nmed,a,1\n,a,2\n";
    await expect(encode(gap, { kinds: { ward: "category" } })).rejects.toThrow(
      't.csv, line 3, column "ward": the value is missing',
    );
    const { tasks } = await encode(gap, { kinds: { ward: "category" }, missing: "impute" });
    expect(tasks.featureNames).toEqual(["ward=med", "ward=missing"]);
    expect([...tasks.x]).toEqual([1, 0, 0, 1]);
  });

  test("a binary column has two levels, declared levels differ, some value is there", async () => {
    const three = "g,school,score\n1,a,1\n2,a,2\n3,a,3\n";
    await expect(encode(three, { kinds: { g: "binary" } })).rejects.toThrow(
      'column "g" has 3 levels; a binary column has 2.',
    );
    await expect(
      encode(three, { kinds: { g: { kind: "category", levels: [1, "1.0"] } } }),
    ).rejects.toThrow('column "g": a level is declared twice.');
    await expect(
      encode("g,school,score\n,a,1\n", { kinds: { g: "category" }, missing: "impute" }),
    ).rejects.toThrow('column "g": every value is missing.');
  });
});

describe("hex digits", () => {
  test("one digit a feature, over 15", async () => {
    const { tasks } = await encode("p,school,score\n0f3,a,1\n00C,a,2\n", {
      kinds: { p: "hex-digits" },
    });
    expect(tasks.featureNames).toEqual(["p[0]", "p[1]", "p[2]"]);
    expect([...tasks.x]).toEqual([0, 1, 0.2, 0, 0, 0.8]);
  });

  test("other text and other lengths are refused by place", async () => {
    for (const cell of ["0g", "0", "000", ""]) {
      await expect(
        encode(`p,school,score\n00,a,1\n${cell},a,2\n`, { kinds: { p: "hex-digits" } }),
      ).rejects.toThrow('t.csv, line 3, column "p": expected 2 hexadecimal digits, found other');
    }
  });
});

describe("TableEncoding", () => {
  test("survives JSON and encodes alike", async () => {
    const table = await csv("u,ward,school,score\n1,m,a,1\n,s,a,2\n4,m,b,3\n");
    const { encoding, tasks } = tasksFromTable(table, {
      ...schema,
      kinds: { ward: "category" },
      missing: "impute",
    });
    const state = JSON.parse(JSON.stringify(encoding)) as TableEncodingState;
    const again = TableEncoding.fromJSON(state).apply(table).tasks;
    expect(again.x).toEqual(tasks.x);
    expect(again.featureNames).toEqual(tasks.featureNames);
    expect(() => TableEncoding.fromJSON({} as TableEncodingState)).toThrow("encoding: expected {");
    const { format: _format, version: _version, ...unmarked } = state; // as it was before versions
    expect(TableEncoding.fromJSON(unmarked as TableEncodingState).toJSON()).toEqual(state);
    expect(() => TableEncoding.fromJSON({ ...state, version: 0 })).toThrow(
      "encoding: format version 0, this release reads version 1.",
    );
    expect([...encoding.columnNames, encoding.target]).toEqual(["u", "ward", "score"]);
  });

  test("test labels are read as training labels were, even if they all look like numbers", async () => {
    const { encoding } = await encode("u,school,score\n1,a,1\n1,a,x\n");
    const { tasks } = encoding.apply(await csv("u,school,score\n1,a,1\n"));
    expect(tasks.targetLevels).toEqual(["1"]);
  });
});
