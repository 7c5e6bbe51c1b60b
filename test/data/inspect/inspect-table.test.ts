import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import {
  draftSchema,
  inspectTable,
  parseSchema,
  readCsv,
  tasksFromTable,
  type Table,
} from "../../../src/data/index.js";
import { readTable } from "../../../src/node/index.js";

const csv = (text: string) => readCsv(text, { name: "t.csv" });
const known = { task: "school", target: "score" };

const text = [
  ",school,score,age,ward,fixed,town,s,note",
  ...Array.from({ length: 60 }, (_, row) =>
    [
      row,
      `s${row % 3}`,
      row * 2,
      row === 4 ? "" : row,
      ["med", "surg", "ped"][row % 2 ? 2 : row % 4 ? 1 : 0],
      7,
      ["north", "south"][row % 3 ? 1 : 0],
      row % 5 === 0 ? "NA" : row % 2,
      `text ${row}`,
    ].join(","),
  ),
].join("\n");

describe("inspectTable", () => {
  test("of numbers with a slip it says that they are refused, not that they are left out", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `s${i % 3},${i},${i === 5 ? "4o" : i / 7}`);
    const report = inspectTable(await csv(["school,score,age", ...rows].join("\n")), known);
    expect(report.refused[0]).toContain('column "age"');
    expect(report.columns[2]!.use).toMatch(/^numbers, but for a few cells, which are refused/);
  });

  test("says what columns hold, how they vary, and what a fit would do", async () => {
    const report = inspectTable(await csv(text), known);
    expect(report).toMatchObject({
      rows: 60,
      tasks: { count: 3, fewest: 20, median: 20, most: 20 },
      refused: [],
    });
    const found = Object.fromEntries(
      report.columns.map(
        ({ name, holds, distinct, missing, constant, constantWithinTasks, use }) => [
          name,
          [holds, distinct, missing, constant, constantWithinTasks, use],
        ],
      ),
    );
    const filled =
      "a number in raw units; gaps take the mean of their task; declare its range to have it scaled";
    const raw = "a number in raw units; declare its range to have it scaled";
    expect(found).toEqual({
      "(row)": [
        "numbers",
        60,
        0,
        false,
        false,
        "numbers the rows: no feature, carried through by predict",
      ],
      school: ["text", 3, 0, false, true, "the task"],
      score: [
        "numbers",
        60,
        0,
        false,
        false,
        "the target: a number in raw units; declare its range to have it scaled",
      ],
      age: ["numbers", 59, 1, false, false, filled],
      ward: ["text", 3, 0, false, false, "a category: 3 columns of 0 and 1, levels that occur"],
      fixed: ["numbers", 1, 0, true, true, raw],
      town: ["text", 2, 0, false, true, "a category: 1 column of 0 and 1, levels that occur"],
      s: ["numbers", 2, 12, false, false, "a category: 2 columns of 0 and 1, levels that occur"],
      note: ["text", 60, 0, false, false, "left out: too many different texts for a category"],
    });
    expect(report.pooled).toEqual([
      'kinds of the columns "age", "ward", "fixed", "town", "s", "note", found by looking at all tasks\' rows',
      'levels of the column "ward" observed over all tasks',
      'levels of the column "town" observed over all tasks',
      'levels of the column "s" observed over all tasks',
    ]);
  });

  test("says why a fit would refuse, and looks at columns alone without task and target", async () => {
    const slip = text.replace("\n1,s1,2,1,", "\n1,s1,2,l,");
    const report = inspectTable(await csv(slip), known);
    expect(report.refused.join()).toContain(
      't.csv, line 3, column "age": expected a finite number',
    );
    expect(report.pooled).toEqual([]);
    const alone = inspectTable(await csv(text));
    expect(alone.tasks).toBeNull();
    expect(alone.columns.map(({ constantWithinTasks }) => constantWithinTasks)).toContain(null);
    expect(() => tasksFromTable(slip as unknown as Table, known)).toThrow();
  });
});

test("of a table that a fit would refuse, what was declared is not called open", async () => {
  const schema = parseSchema({
    format: "mp-mtl-schema",
    version: 1,
    task: "school",
    target: { column: "score", kind: "number", range: [0, 9] },
    columns: { age: { kind: "number", range: [0, 9] }, ward: { kind: "binary", levels: ["a"] } },
  });
  const table = await csv("school,score,age,ward\na,1,2,a\nb,2,3,a");
  const { columns, refused } = inspectTable(table, { schema });
  expect(refused.join()).toContain('"ward"');
  expect(columns.map(({ use }) => use)).toEqual([
    "the task",
    "the target: a number, scaled by its declared range",
    "a number, scaled by its declared range",
    "a binary, as declared",
  ]);
});

test("a column of dates and one that holds nothing are said to be worth little", async () => {
  const lines = ["school,score,iso,german,slash,mixed,version,empty,none"];
  for (let row = 0; row < 12; row++) {
    const day = 10 + row;
    lines.push(
      `s${row % 3},${row},2024-03-${day} 08:15,${day}.3.2024,${day}/03/24,${row ? `${day}.3.24` : "soon"},1.${row}.2,,NA`,
    );
  }
  const { columns } = inspectTable(await csv(lines.join("\n")), known);
  const use = (name: string) => columns.find((column) => column.name === name)!.use;
  for (const name of ["iso", "german", "slash"]) {
    expect(use(name)).toMatch(/^a category: 12 columns .*; they are dates, .* days since/);
  }
  for (const name of ["mixed", "version"]) expect(use(name)).not.toContain("dates");
  for (const name of ["empty", "none"]) expect(use(name)).toContain("holds nothing, so 0 in all");
});

test("levels that seem to be one are counted, and gaps that have a column are said", async () => {
  const lines = ["school,score,ward,age", "a,1,Med,1", "a,2,med ,", "b,3,surg,2", "b,5,me d,3"];
  const schema = parseSchema({
    format: "mp-mtl-schema",
    version: 1,
    task: "school",
    columns: { age: { kind: "number", range: [0, 9], missing: "level" } },
  });
  const { columns } = inspectTable(await csv(lines.join("\n")), { ...known, schema });
  expect(columns[2]!.use).toBe(
    "a category: 4 columns of 0 and 1, levels that occur; 3 of them differ in capitals, blanks or leading zeros only",
  );
  expect(columns[3]!.use).toBe(
    "a number, scaled by its declared range; gaps have a column of their own",
  );
});

/** What a fit makes of a table, with and without the draft of its schema. */
function bothWays(table: Table, task: string, target: string) {
  const auto = { undeclared: "auto", missing: "impute" } as const;
  const draft: unknown = JSON.parse(JSON.stringify(draftSchema(table, { task, target })));
  return {
    plain: tasksFromTable(table, { ...auto, task, target }),
    drafted: tasksFromTable(table, { ...auto, schema: parseSchema(draft) }),
  };
}

describe("a draft as it is", () => {
  test("does what would be done without it, and vouches for nothing", async () => {
    const { plain, drafted } = bothWays(await csv(text), "school", "score");
    expect(drafted.tasks.x).toEqual(plain.tasks.x);
    expect(drafted.tasks.featureNames).toEqual(plain.tasks.featureNames);
    const pooled = drafted.encoding.pooled.join("\n");
    for (const { column } of plain.encoding.toJSON().columns)
      expect(pooled).toContain(`"${column}"`);
    for (const name of ["score", "note"]) expect(pooled).toContain(`"${name}"`);
  });

  test("takes numbers that are all 0 or 1 for an indicator, which a range would put as far from its middle when absent", async () => {
    const lines = ["school,score,late,level", "a,1,0,1", "a,2,1,2", "b,3,0,1", "b,5,1,2"];
    const table = await csv(lines.join("\n"));
    const { plain, drafted } = bothWays(table, "school", "score");
    expect(drafted.tasks.x).toEqual(plain.tasks.x);
    const { columns } = draftSchema(table, known);
    expect(columns["late"]).toMatchObject({ kind: "binary", levels: ["0", "1"], declared: false });
    expect(columns["level"]).toMatchObject({ kind: "number", range: null });
  });

  test("takes a target of two numbers for classes, as a fit does, and one of three for a number", async () => {
    const table = await csv("school,again,grade\na,0,1\na,1,2\nb,,3\nb,1,1");
    const of = (target: string) => draftSchema(table, { task: "school", target }).target;
    expect(of("again")).toMatchObject({ kind: "category", levels: ["0", "1"], declared: false });
    expect(of("grade")).toMatchObject({ kind: "number", range: null });
    const { plain, drafted } = bothWays(table, "school", "again");
    expect(drafted.tasks.y).toEqual(plain.tasks.y);
  });

  const tables = fileURLToPath(new URL("../../../../shared/data/tables/", import.meta.url));
  test.skipIf(!existsSync(tables)).each([
    ["scotland", "primary", "attain"],
    ["gcse", "school", "course"],
    ["immunisation", "community", "immun"],
    ["wages", "person", "lwage"],
    ["union", "person", "union"],
    ["rice", "farm", "goutput"],
    ["cigarettes", "state", "sales"],
  ])("of the table %s (in ../shared)", async (name, task, target) => {
    const table = await readTable(`${tables}${name}.csv.gz`);
    const { plain, drafted } = bothWays(table, task, target);
    expect(drafted.tasks.x).toEqual(plain.tasks.x);
    expect(drafted.tasks.y).toEqual(plain.tasks.y);
    expect(drafted.tasks.targetLevels).toEqual(plain.tasks.targetLevels);
  });
});

test("numbers with a unit or with marks between thousands are said to be text", async () => {
  const rows = Array.from({ length: 60 }, (_, i) => {
    const [few, small, n] = [(i % 5) * 10, i % 3, 1000 + i * 37];
    const thousands = `${Math.floor(n / 1000)},${String(n % 1000).padStart(3, "0")}.5`;
    return `s${i % 2},${i / 7},${few} kg,"${thousands}",P${i},${small + 1}${["st", "nd", "rd"][small]}`;
  });
  const table = await readCsv(`site,y,share,cost,patient,rank\n${rows.join("\n")}\n`);
  const { columns } = inspectTable(table, { task: "site", target: "y" });
  const use = (name: string) => columns.find((column) => column.name === name)!.use;
  expect(use("share")).toMatch(/^a category: 5 columns .*; they are numbers with units/);
  expect(use("cost")).toMatch(/^left out: numbers with units, marks between thousands/);
  for (const name of ["patient", "rank"]) expect(use(name)).not.toContain("units");
});

test("a slip among decimal commas is named, not the commas, and no column of numbers is left out for it", async () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `s${i % 2};${i / 4}`.replace(".", ",") + `;${i},5`,
  );
  rows[7] = "s1;1,75;-";
  const text = `site;y;bmi\n${rows.join("\n")}\n`;
  const table = await readCsv(text, { name: "de.csv", delimiter: ";", decimal: "," });
  const slip = 'de.csv, line 9, column "bmi": expected a finite number';
  const { refused } = inspectTable(table, { task: "site", target: "y" });
  expect(refused).toHaveLength(1);
  expect(refused[0]).toContain(slip);
  expect(() => table.numbers("bmi")).toThrow(slip);
});

test("a column that is declared away may have points between thousands, and is not in a fit", async () => {
  const options = { name: "de.csv", delimiter: ";", decimal: "," } as const;
  const table = await readCsv("site;y;cost\ns;1,5;1.200\ns;2;900\nt;3;1.000,5\nt;3;7\n", options);
  const roles = { task: "site", target: "y" };
  expect(inspectTable(table, roles).refused[0]).toContain("nothing between thousands");
  const schema = parseSchema({
    format: "mp-mtl-schema",
    version: 1,
    columns: { cost: { kind: "ignore" } },
  });
  expect(inspectTable(table, { ...roles, schema }).columns[2]!.use).toBe("ignored, as declared");
});

test("rows without anything in them, as spreadsheets leave behind, are nobody's and do not keep a fit from the others", async () => {
  const table = await csv("school,score,age\na,1,3\na,2,5\nb,4,4\nb,3,7\n,,\n");
  const { refused, tasks } = inspectTable(table, known);
  expect([refused, tasks?.count]).toEqual([[], 2]);
  const unnamed = await csv("school,score,age\na,1,3\n,2,5\n");
  expect(inspectTable(unnamed, known).refused[0]).toContain("the task is missing");
});

test("where all text is left out a fit says of which columns, and inspect why of each", async () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `s${i % 2},${i},${i}.5 kg,€ -${i}.25,note ${i}`,
  );
  const table = await csv(["school,score,share,cost,note", ...rows].join("\n"));
  const { refused, columns } = inspectTable(table, known);
  expect(refused[0]).toContain('"share", "cost", "note" hold text of too many different values');
  const uses = columns.slice(2).map(({ use }) => use);
  expect(uses.map((use) => use.includes("with units"))).toEqual([true, true, false]);
});

test("blank rows, as spreadsheets leave them, are counted and change nothing else", async () => {
  const rows = Array.from({ length: 30 }, (_, at) => `s${at % 3},${at},${7000 + at},DE`);
  const look = async (lines: readonly string[]) =>
    inspectTable(await csv(["school,score,case,land", ...lines].join("\n")), known);
  const { blankRows, ...report } = await look(rows);
  const blank = await look([...rows, ",,,", ",,,"]);
  expect(blankRows).toBe(0);
  expect(blank).toEqual({ ...report, blankRows: 2 });
  expect(report.columns.map(({ constant }) => constant)).toEqual([false, false, false, true]);
});

test("a category with a level of its own for every task names the tasks", async () => {
  const streets = (count: number, at: (row: number) => string) =>
    Array.from({ length: 4 * count }, (_, row) => `s${row % count},${row},${at(row)}`);
  const look = async (lines: readonly string[]) =>
    inspectTable(await csv(["school,score,street", ...lines].join("\n")), known).columns[2];
  expect(await look(streets(6, (row) => `street ${row % 6}`))).toMatchObject({ namesTasks: true });
  expect(await look(streets(6, (row) => `street ${row % 3}`))).toMatchObject({ namesTasks: false });
  expect(await look(streets(6, (row) => `street ${row % 4}`))).toMatchObject({ namesTasks: false });
  expect(await look(streets(3, (row) => `street ${row % 3}`))).toMatchObject({ namesTasks: false });
  expect(await look(streets(6, (row) => String(row % 6)))).toMatchObject({ namesTasks: false });
});

const percentages = (cell: (i: number) => string) =>
  csv(
    [
      "school,score,rate",
      ...Array.from({ length: 60 }, (_, i) => `s${i % 2},${i},${cell(i)}`),
    ].join("\n"),
  );

test("a column of which every cell that is there ends with % is one of numbers", async () => {
  const table = await percentages((i) => (i === 7 ? "" : `${i}.5${i % 3 === 0 ? " " : ""}%`));
  const { columns, refused } = inspectTable(table, known);
  expect(refused).toEqual([]);
  expect(columns[2]).toMatchObject({
    holds: "numbers",
    missing: 1,
    use: expect.stringMatching(/^a number in raw units.*; percentages, of which 50 % is 50$/),
  });
  expect([...table.numbers("rate").subarray(5, 9)]).toEqual([5.5, 6.5, NaN, 8.5]);
  expect(table.texts("rate")[8]).toBe("8.5%");
});

test("percentages with decimal commas are read where commas are asked for, and else named as such", async () => {
  const text = [
    "school;score;rate",
    ...Array.from({ length: 60 }, (_, i) => `s${i % 2};${i};${i},5 %`),
  ];
  const file = { name: "de.csv", delimiter: ";" };
  const read = await readCsv(text.join("\n"), { ...file, decimal: "," });
  expect(inspectTable(read, known).columns[2]!.use).toContain("percentages");
  expect(read.numbers("rate")[3]).toBe(3.5);
  const points = await readCsv(text.join("\n"), file);
  const { refused, columns } = inspectTable(points, known);
  expect(refused[0]).toContain('de.csv, line 2, column "rate": the cell is a number with a comma');
  expect(columns[2]!.use).toContain("decimal commas");
});

test("a cell without the sign among percentages is refused by its line, as one that may be a share", async () => {
  const table = await percentages((i) => (i === 40 ? "0.4" : `${i} %`));
  const { refused } = inspectTable(table, known);
  expect(refused[0]).toContain('line 42, column "rate": expected a number with a percent sign');
  expect(() => table.numbers("rate")).toThrow("expected a finite number");
});

test("every column because of which a fit would refuse the table is named at once, and the others are looked at all the same", async () => {
  const rows = Array.from({ length: 60 }, (_, i) => {
    const [age, bmi] = [i === 5 ? "4o" : i / 7, [9, 30].includes(i) ? "?!" : i / 3];
    return `s${i % 3},${i},${age},${bmi},${2 * i},${i % 2 ? "a" : "b"}`;
  });
  const report = inspectTable(
    await csv(["school,score,age,bmi,copy,ward", ...rows].join("\n")),
    known,
  );
  expect(report.refused).toEqual([
    expect.stringMatching(/line 7, column "age": expected a finite number/),
    expect.stringMatching(/line 11, column "bmi": .* The same in line 32\.$/),
  ]);
  const of = (name: string) => report.columns.find((column) => column.name === name)!;
  expect(["age", "bmi", "copy", "ward"].map((name) => of(name).feature)).toEqual([false, false, true, true]); // prettier-ignore
  expect(of("age").use).toMatch(/^numbers, but for a few cells/);
  expect(of("ward").use).toMatch(/^a category: 1 column/);
  expect(of("copy").tellsTarget).toBe(true);
  expect(report.pooled).toEqual([]);
});

test("numbers with a few slips are drafted as numbers, so that the draft holds once these cells are corrected", async () => {
  const rows = Array.from({ length: 60 }, (_, i) => {
    const [score, age] = [i === 5 ? "n.a." : i / 7, i === 9 ? "61 kg" : i / 3];
    return `s${i % 3},${score},${age},${i % 2 ? "a" : "b"}`;
  });
  const table = await csv(["school,score,age,ward", ...rows].join("\n"));
  expect(inspectTable(table, known).columns[1]!.use).toMatch(/^the target: numbers, but for a few/);
  const { target, columns } = draftSchema(table, known);
  expect(target).toEqual({
    column: "score",
    kind: "number",
    range: null,
    declared: false,
    missing: "drop",
  });
  expect(columns).toMatchObject({ age: { kind: "number", range: null }, ward: { kind: "binary" } });
});

test("numbers that seem to name rows are pointed at before task and target are known, too", async () => {
  const rows = Array.from({ length: 60 }, (_, i) => `s${i % 3},${4000 + i},${i % 7}`);
  const table = await csv(["school,pupil,score", ...rows].join("\n"));
  const use = (of: object) => inspectTable(table, of).columns[1]!.use;
  expect(use({})).toMatch(/^a number; .*declare it an identifier/);
  expect(use(known)).toMatch(/^a number in raw units; .*declare it an identifier/);
});

test("where the target is at fault, it is told once, beside columns that are", async () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `s${i % 3},${i === 7 ? "" : i},${i === 5 ? "4o" : i / 7},${i}`,
  );
  const table = await csv(["school,score,age,size", ...rows].join("\n"));
  const { refused, columns } = inspectTable(table, { ...known, missing: "refuse" });
  expect(refused).toEqual([
    expect.stringContaining('line 7, column "age"'),
    expect.stringContaining('line 9, column "score": the target is missing'),
  ]);
  expect(columns.map(({ feature }) => feature)).not.toContain(true);
});

test("a target with decimal commas is said to be one, not numbers but for a few cells", async () => {
  const rows = Array.from({ length: 40 }, (_, i) => `s${i % 2};${i},25;${i}`);
  const table = await readCsv(["site;y;u", ...rows].join("\n"), { delimiter: ";" });
  const { columns } = inspectTable(table, { task: "site", target: "y" });
  expect(columns[1]!.use).toBe(
    'the target: numbers with decimal commas, which are read with --decimal ","; or with commas between thousands, which are refused',
  );
});

test("a draft leaves out a column that holds nothing, as not declared", async () => {
  const table = await readCsv("school,score,none,u\na,1,,3\na,2,NA,4\nb,3,,5\nb,4,,6\n");
  const { columns } = draftSchema(table, { task: "school", target: "score" });
  expect(columns).toMatchObject({
    none: { kind: "ignore", declared: false },
    u: { kind: "number", range: null },
  });
});

test("a slip right below the header may be a line of units, and is said to be", async () => {
  const rows = Array.from({ length: 12 }, (_, k) => `a,${k},${k * k}`);
  const of = async (lines: readonly string[]) =>
    inspectTable(await readCsv(["school,score,u", ...lines].join("\n"), { name: "t.csv" }), {
      task: "school",
      target: "score",
    }).refused.join(" ");
  const hint = "If line 2 holds units, take it out.";
  expect(await of(["id,points,kg", ...rows])).toContain(hint);
  expect(await of([...rows, "id,points,kg"])).not.toContain(hint);
  expect(await of(["id,points,kg", ...rows, "a,x,y"])).not.toContain(hint);
});
