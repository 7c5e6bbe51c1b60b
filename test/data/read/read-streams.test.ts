/** Files read in pieces give what they give whole: text straight to numbers, Parquet by groups of rows. */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DataError, HostError } from "../../../src/core/errors.js";
import {
  csvTables,
  momentsOfTables,
  readTable,
  TaskMoments,
  type Table,
} from "../../../src/data/index.js";
import { inMemory, openParquet } from "../../../src/data/read/parquet/file.js";
import { ParquetDamage } from "../../../src/data/read/parquet/form/damage.js";
import { readGroup } from "../../../src/data/read/parquet/groups.js";
import { plainRows, SharedTexts } from "../../../src/data/read/text/plain-rows.js";
import { tasksFromTable } from "../../../src/data/encode/table-encoding.js";
import type * as nodeEntry from "../../../src/node/index.js";
import { packColumns } from "../../../src/node/tables/pack-columns.js";
import { unpackRows } from "../../../src/node/tables/unpack-rows.js";
import { builtEntry, isBuilt } from "../../node/built.js";
import { temporaryFolder } from "../../temporary.js";
import { mutate, numbersFrom } from "./mutations.js";
import { parquetFiles, parquetInGroups } from "./read-fixtures.js";
import { thoroughTest } from "../../thorough.js";

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));
const all = async (tables: AsyncIterable<Table>) => {
  const list: Table[] = [];
  for await (const table of tables) list.push(table);
  return list;
};

describe("rows straight to numbers", () => {
  const use = { numbers: new Set(["u", "v"]), texts: new Set(["t"]) };
  const header = ["t", "u", "skipped", "v"];
  const cell = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.integer({ min: -99999, max: 99999 }).map((value) => (value / 1000).toFixed(3)),
    fc.constantFrom(
      "",
      "NA",
      "-0",
      "+1.50",
      ".5",
      "7.",
      "007",
      "1e3",
      "2E-7",
      "123456789012345678",
      "?",
    ),
    fc.constantFrom("0.1", "4.35", "9007199254740993", "1.7976931348623157e308", "5e-324"),
  );
  const row = fc.tuple(
    fc.constantFrom("a", "01", "Zürich", "1.0"),
    cell,
    fc.constantFrom("x", ""),
    cell,
  );
  const written = fc.tuple(
    fc.array(row, { minLength: 1 }),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
  );

  test("are the general reader's, to the bit, on the same lines", async () => {
    await fc.assert(
      fc.asyncProperty(written, async ([rows, lineEnd, ended]) => {
        const lines = rows.flatMap((cells, i) =>
          i % 5 === 3 ? ["", cells.join(",")] : [cells.join(",")],
        );
        const text = lines.join(lineEnd) + (ended ? lineEnd : "");
        const piece = { text, lineEnd, linesBefore: 1 };
        const plain = plainRows(piece, header, ",", use, new SharedTexts());
        const whole = await readTable(
          new TextEncoder().encode(`${header.join(",")}${lineEnd}${text}`),
          {
            name: "t.csv",
          },
        );
        expect(plain?.columns.map(({ name }) => name)).toEqual(["t", "u", "v"]);
        expect(plain!.columns[0]!.values).toEqual(whole.texts("t"));
        expect(plain!.columns[1]!.values).toEqual(whole.numbers("u"));
        expect(plain!.columns[2]!.values).toEqual(whole.numbers("v"));
        const places = rows.map((_, i) => whole.place(i, "u"));
        expect([...plain!.lines].map((line) => `t.csv, line ${line}, column "u"`)).toEqual(places);
      }),
      { seed: 18, numRuns: 300 },
    );
  });

  test.each([
    ["a quoted delimiter", 'a,1,"x,y",2\n'],
    ["a quote twice", 'a,1,"x""y",2\n'],
    ["a quote out of place", 'a,1,x"y",2\n'],
    ["blanks within quotes", '" a",1,x,2\n'],
    ["a row too short", "a,1,x\n"],
    ["a row too short by a number", "a,1\n"],
    ["a row too long", "a,1,x,2,3\n"],
    ["a word", "a,one,x,2\n"],
    ["an infinity", "a,1e999,x,2\n"],
    ["blanks around text", " a,1,x,2\n"],
    ["blanks around a number", "a, 1,x,2\n"],
    ["two points", "a,1.2.3,x,2\n"],
    ["no digits", "a,-.,x,2\n"],
    ["a carriage return", "a,1,x,2\r\n"],
  ])("%s is left to the general reader", (_, text) => {
    const piece = { text: `b,1,x,2\n${text}`, lineEnd: "\n", linesBefore: 1 };
    expect(plainRows(piece, header, ",", use, new SharedTexts())).toBeUndefined();
  });

  test("within quotes that say nothing are what they are without", () => {
    const read = (text: string) =>
      plainRows({ text, lineEnd: "\n", linesBefore: 1 }, header, ",", use, new SharedTexts());
    const found = read('"a","1","x y",2\n"b",3,"",""\n');
    expect(found).toEqual(read("a,1,x y,2\nb,3,,\n"));
    expect(found!.lines).toEqual(Uint32Array.of(2, 3));
  });

  test("whose line's end is another are left to it, and so are other delimiters", () => {
    const read = (text: string, lineEnd: string, delimiter: string) =>
      plainRows({ text, lineEnd, linesBefore: 1 }, header, delimiter, use, new SharedTexts());
    expect(read("a,1,x,2\n", "\r\n", ",")).toBeUndefined();
    expect(read("a,1,x,2\r", "\r", ",")).toBeUndefined();
    expect(read("a.1.x.2\n", "\n", ".")).toBeUndefined();
    expect(read("a\t1\tx\t2\n", "\n", "\t")?.lines).toEqual(Uint32Array.of(2));
  });

  thoroughTest(
    "of a piece with something odd do not change the moments, and errors keep their line",
    async () => {
      const lines = Array.from(
        { length: 120_000 },
        (_, i) => `s${i % 3},${(i % 97) / 8},${(i * i) % 11}`,
      );
      const plain = `site,u,y\n${lines.join("\n")}\n`;
      expect(plain.length).toBeGreaterThan(2 ** 20);
      const schema = { task: "site", target: "y" };
      const read = async (text: string) =>
        momentsOfTables(csvTables(text, { name: "t.csv" }), schema);
      const last = lines.length + 1;
      const quoted = plain.replace(/\n([^,\n]*),([^\n]*)\n$/, '\n "$1",$2\n');
      expect(quoted).not.toBe(plain);
      expect((await read(quoted)).tasks.x).toEqual((await read(plain)).tasks.x);
      const whole = tasksFromTable(
        await readTable(new TextEncoder().encode(plain), { name: "t.csv" }),
        schema,
      );
      const once = new TaskMoments();
      once.add(whole.tasks);
      const [own, kept] = [once.tasks().x, (await read(plain)).tasks.x];
      own.forEach((value, at) => expect(kept[at]).toBeCloseTo(value, 9));
      await expect(read(plain.replace(/,[^,\n]*\n$/, ",none\n"))).rejects.toThrow(
        `t.csv, line ${last}, column "y": expected a finite number`,
      );
    },
  );

  test("of a piece all of whose targets are missing are counted as left out", async () => {
    const tables = [
      ["1", "2"],
      ["", ""],
      ["3", "4"],
    ].map((own) => {
      const text = `site,u,y\n${own.map((y, i) => `s,${i},${y}`).join("\n")}\n`;
      return readTable(new TextEncoder().encode(text), { name: "t.csv" });
    });
    async function* given() {
      for (const table of tables) yield await table;
    }
    const schema = { task: "site", target: "y", missing: "center" } as const;
    const { rows, dropped } = await momentsOfTables(given(), schema);
    expect([rows, dropped]).toEqual([4, 2]);
  });
});

/** Every group's columns, each joined. */
async function inGroups(bytes: Uint8Array) {
  const file = await openParquet(inMemory(bytes));
  const columns = new Map<string, unknown[]>();
  for (let group = 0; group < file.groups.length; group++) {
    const read = await readGroup(file, group, "t.parquet");
    for (const { name, values } of read?.columns ?? []) {
      columns.set(name, [...(columns.get(name) ?? []), ...values]);
    }
  }
  return columns;
}

describe("Parquet by groups", () => {
  const { list: _list, ...plain } = parquetFiles;

  test.each(Object.entries(plain))("%s: the values of the whole", async (_, base64) => {
    const whole = await readTable(bytesOf(base64), { name: "t.parquet" });
    const columns = await inGroups(bytesOf(base64));
    expect([...columns.keys()]).toEqual(whole.columnNames);
    for (const { name, values } of whole.columns) expect(columns.get(name)).toEqual([...values]);
  });

  test("of several groups are joined; a column turns to text where its integers need it", async () => {
    const whole = await readTable(bytesOf(parquetInGroups), { name: "t.parquet" });
    const columns = await inGroups(bytesOf(parquetInGroups));
    for (const { name, values } of whole.columns) {
      // The id of the whole is text; of the first three groups it is numbers.
      const own = name === "id" ? columns.get(name)!.map(String) : columns.get(name);
      // Nothing tells text that is missing throughout a group from numbers.
      const told = name === "note" ? own!.map((value) => (Number.isNaN(value) ? "" : value)) : own;
      expect(told, name).toEqual([...values]);
    }
    expect(whole.rows).toBe(40);
  });

  test("read only the columns that are asked for", async () => {
    const file = await openParquet(inMemory(bytesOf(parquetInGroups)));
    const read = await readGroup(file, 4, "t.parquet", { only: new Set(["y", "task"]) });
    expect(read!.columns.map(({ name }) => name)).toEqual(["task", "y"]);
    expect(read!.rows).toBe(4);
  });

  test("a nested column is refused by name", async () => {
    await expect(inGroups(bytesOf(parquetFiles.list))).rejects.toThrow(
      /^t\.parquet, column "l": expected numbers, booleans or text, found bytes or nested/,
    );
  });

  test("damaged files are read as whole ones are, or refused as they are", async () => {
    for (const base64 of [parquetInGroups, parquetFiles.unpacked, parquetFiles.second]) {
      const bytes = bytesOf(base64);
      const next = numbersFrom(bytes.length);
      let refused = 0;
      for (let i = 0; i < 60; i++) {
        const changed = mutate(bytes, next);
        const whole = await readTable(changed, { name: "t.parquet" }).catch(
          (error: unknown) => error,
        );
        try {
          const columns = await inGroups(changed);
          expect(whole instanceof DataError, `mutation ${i}`).toBe(false);
          for (const { name, values } of (whole as Table).columns) {
            if (name === "id" || name === "note") continue;
            expect(columns.get(name), `mutation ${i}, ${name}`).toEqual([...values]);
          }
        } catch (error) {
          if (!(error instanceof Error) || error.name === "AssertionError") throw error;
          expect(
            whole instanceof DataError || whole instanceof HostError,
            `${i}: ${error.stack}`,
          ).toBe(true);
          refused++;
        }
      }
      expect(refused).toBeGreaterThan(10);
    }
  }, 60_000);

  test("columns go to another thread and come back by rows", () => {
    const columns = [
      { name: "x", values: Float64Array.of(1, NaN, 3) },
      { name: "t", values: ["b", "a", "b"] },
    ];
    const packed = packColumns(columns);
    expect(packed[1]).toEqual({ name: "t", values: Uint32Array.of(0, 1, 0), texts: ["b", "a"] });
    expect(unpackRows(packed, 1, 3)).toEqual([
      { name: "x", values: Float64Array.of(NaN, 3) },
      { name: "t", values: ["a", "b"] },
    ]);
  });

  test("a file that lies about its groups' rows is refused", async () => {
    const file = await openParquet(inMemory(bytesOf(parquetInGroups)));
    const lying = { ...file, groups: file.groups.map((group) => ({ ...group, num_rows: 8n })) };
    await expect(readGroup(lying, 0, "t.parquet")).rejects.toThrow(ParquetDamage);
    const more = { ...file, groups: file.groups.map((group) => ({ ...group, num_rows: 10n })) };
    await expect(readGroup(more, 0, "t.parquet")).rejects.toThrow("fewer values than it states");
  });
});

describe.skipIf(!isBuilt)("files of Parquet, by the built package's thread", async () => {
  const { readTables, momentsOfTables: momentsOf } = isBuilt
    ? ((await import(builtEntry)) as typeof nodeEntry)
    : ({} as typeof nodeEntry);
  const written = (bytes: Uint8Array) => {
    const path = join(temporaryFolder(), "t.parquet");
    writeFileSync(path, bytes);
    return path;
  };

  test("give the moments of the whole table, and their rows' numbers in errors", async () => {
    const path = written(bytesOf(parquetInGroups));
    const schema = { task: "task", target: "y", features: ["f"] };
    const { tasks, rows } = await momentsOf(readTables(path), schema);
    expect(rows).toBe(40);
    const whole = await readTable(bytesOf(parquetInGroups), { name: "t.parquet" });
    const own = new TaskMoments();
    own.add(tasksFromTable(whole, schema).tasks);
    expect(tasks.names).toEqual(own.tasks().names);
    own.tasks().x.forEach((value, at) => expect(tasks.x[at]).toBeCloseTo(value, 10));
    const places = (await all(readTables(path))).map((table) => table.place(0, "y"));
    expect(places).toEqual([0, 9, 18, 27, 36].map((row) => `t.parquet, row ${row}, column "y"`));
    // Kept until the end, though their groups' memory was used again.
    const kept = await all(readTables(path));
    const values = kept.flatMap((table) => [...table.numbers("f"), ...table.numbers("y")]);
    expect(values).toEqual(
      kept.flatMap((table, k) => {
        const from = 9 * k;
        const [f, y] = [whole.numbers("f"), whole.numbers("y")];
        return [f, y].flatMap((column) => [...column.subarray(from, from + table.rows)]);
      }),
    );
    const gaps = { task: "task", target: "y", features: ["x"] };
    await expect(momentsOf(readTables(path), gaps)).rejects.toThrow(
      't.parquet, row 2, column "x": the value is missing',
    );
  });

  test("damage in a later group ends the reading with the file's name; who stops early is left alone", async () => {
    const whole = bytesOf(parquetInGroups);
    const file = await openParquet(inMemory(whole));
    const chunk = file.groups[3]!.columns[6]!.meta_data!;
    // Its last page's last bytes, which a checksum covers.
    const at = Number(chunk.data_page_offset + chunk.total_compressed_size) - 3;
    const changed = Uint8Array.from(whole);
    changed[at]! ^= 255;
    const path = written(changed);
    await expect(all(readTables(path))).rejects.toThrow(
      "t.parquet is not a Parquet file that can be read",
    );
    for await (const table of readTables(path)) {
      expect(table.rows).toBe(9);
      break;
    }
    appendFileSync(path, "x");
    await expect(all(readTables(path))).rejects.toThrow("t.parquet is not a Parquet file");
    await expect(all(readTables(written(new Uint8Array(3))))).rejects.toThrow("it is too short");
  });

  test("say how much was read, and end when they are told", async () => {
    const path = written(bytesOf(parquetInGroups));
    const shares: (number | undefined)[] = [];
    const schema = { task: "task", target: "y", features: ["f"] };
    await momentsOf(readTables(path), schema, { onTable: (share) => shares.push(share) });
    expect(shares).toEqual([0.2, 0.4, 0.6, 0.8, 1]);
    const ended = { signal: AbortSignal.abort(new Error("enough")) };
    await expect(momentsOf(readTables(path), schema, ended)).rejects.toThrow("enough");
  });
});
