import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { DataError } from "../../../src/core/errors.js";
import { formatOf, readCsv, tasksFromTable, readTable, Table } from "../../../src/data/index.js";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("readCsv", () => {
  test("reads a header and rows, quoted cells and blanks", async () => {
    const table = await readCsv('\ufeffa, b,"c d"\r\n1, 2 ,"x, ""y"""\r\n\r\n3,,"two\nlines"\r\n');
    expect(table.columnNames).toEqual(["a", "b", "c d"]);
    expect(table.rows).toBe(2);
    expect(table.texts("c d")).toEqual(['x, "y"', "two\nlines"]);
    expect([...table.numbers("b")]).toEqual([2, NaN]);
    expect(table.place(0, "a")).toBe('table, line 2, column "a"');
  });

  test("leaves columns out that have neither a name nor a value, as trailing delimiters make them", async () => {
    for (const text of ["a;;b;\r\n1;;x;\r\n2;;y;\r\n", 'a;;b;\n1;;"x";\n2; ;y;""\n']) {
      const table = await readCsv(text, { delimiter: ";" });
      expect(table.columnNames).toEqual(["a", "b"]);
      expect([[...table.numbers("a")], table.texts("b")]).toEqual([
        [1, 2],
        ["x", "y"],
      ]);
    }
    const named = await readCsv(",a,\n7,1,\n8,2,\n");
    expect([named.columnNames, named.index]).toEqual([["(row)", "a"], "(row)"]);
  });

  const refused: [string, string, string][] = [
    ["nothing", "", "t.csv is empty; expected a header line and rows."],
    ["a header only", "a,b\n", "t.csv has no rows."],
    [
      "a short row",
      "a,b\n1,2\n3\n",
      "t.csv, line 3 has 1 cells, the header has 2. A cell without a value needs",
    ],
    [
      "a long row",
      "a,b\n\n1,2,3\n",
      "t.csv, line 3 has 3 cells, the header has 2. A cell that contains the delimiter",
    ],
    ["a column without a name", "a,,c\n1,2,3\n", "t.csv: column 2 of the header has no name."],
    [
      "a value in a column without a name, far down",
      "a,,c\n1,,3\n1,,3\n1,2,3\n",
      "t.csv: column 2 of the header has no name. Line 4 has a value there",
    ],
    ["a name given twice", "a,a\n1,2\n", 't.csv: two columns are called "a". Rename one'],
    [
      "a quote left open",
      'a,b\n1,"secret\n',
      "t.csv, line 2: a quoted cell is never closed; close the",
    ],
    [
      "a quote left open far above the end",
      'a,b\n"x\ny",2\n3,"secret\n5,6\n7,8\n',
      "t.csv, line 4: a quoted cell is never closed; close the quote, or, if it belongs to the text",
    ],
    [
      "a quote left open that a later one closes, after CRLF",
      'a,b\r\n1,"secret\r\n5,6\r\n7,"8"\r\n',
      "t.csv, line 2: text follows the closing quote of a cell; close",
    ],
    [
      "a short row below a cell of two lines, after CRLF",
      'a,b\r\n1,"x\r\ny"\r\n3\r\n',
      "t.csv, line 4 has 1 cells, the header has 2.",
    ],
    [
      "text after a quote and a blank",
      'a,b\n1,"sec" ret\n',
      "t.csv, line 2: text follows the closing",
    ],
    ["a quote inside", 'a,b\n1,sec"ret\n', "t.csv, line 2: a quote stands inside a cell"],
    ["text after a quote", 'a,b\n1,"sec"ret\n', "t.csv, line 2: text follows the closing quote"],
  ];
  test.each(refused)("refuses %s", async (_, text, message) => {
    const error: unknown = await readCsv(text, { name: "t.csv" }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(DataError);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain("sec");
  });

  test("refuses UTF-16 by its name, also without a mark of the byte order", async () => {
    const text = "a,b\n1,2\n";
    const little = Uint8Array.from([...text].flatMap((c) => [c.charCodeAt(0), 0]));
    const big = Uint8Array.from([...text].flatMap((c) => [0, c.charCodeAt(0)]));
    for (const bytes of [little, big, Uint8Array.from([0xff, 0xfe, ...little])]) {
      await expect(readCsv(bytes, { name: "t.csv" })).rejects.toThrow("t.csv is not UTF-8 text.");
    }
  });

  test("refuses what is not UTF-8", async () => {
    await expect(readCsv(Uint8Array.of(0x61, 0xff, 0xfe), { name: "t.csv" })).rejects.toThrow(
      't.csv is not UTF-8 text. Save it as UTF-8 ("CSV UTF-8" in spreadsheets',
    );
  });

  test.each([
    ["a zip archive", Uint8Array.of(0x50, 0x4b, 3, 4, 0xff, 0x0a)],
    ["an older workbook", Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1)],
  ])("refuses %s that is called a text", async (_, workbook) => {
    await expect(readCsv(workbook, { name: "t.csv" })).rejects.toThrow(
      't.csv is no text, but a workbook or another packed file: save the sheet with the rows as text ("CSV UTF-8"',
    );
  });

  test("a spreadsheet's note on the delimiter is told from a header", async () => {
    const said = (text: string, delimiter: string) =>
      readCsv(text, { name: "t.csv", delimiter }).then(
        () => "",
        (error: Error) => error.message,
      );
    const note = "t.csv: the first line is a spreadsheet's note on what stands between cells";
    expect(await said("sep=;\na;b\n1;2\n", ";")).toMatch(new RegExp(`^${note}.*comes first\\.$`));
    expect(await said('"sep=;"\r\na;b\r\n1;2\r\n', ",")).toContain('--delimiter ";"');
    expect(await said("sep=,\na,b\n1,2\n", ",")).toContain(note);
    expect(await said("sep\n1\n", ",")).toBe("");
  });
});

describe("readTable", () => {
  test("tells the format by the name", () => {
    expect(formatOf("a/b.CSV")).toBe("csv");
    expect(formatOf("b.csv.gz")).toBe("csv");
    expect(formatOf("b.tsv")).toBe("tsv");
    expect(formatOf("b.xlsx")).toBeUndefined();
    expect(formatOf("csv")).toBeUndefined();
  });

  test("reads tabs, and gzip by its content", async () => {
    expect((await readTable(bytes("a\tb\n1\t2\n"), { name: "t.tsv" })).columnNames).toEqual([
      "a",
      "b",
    ]);
    const packed = new Uint8Array(gzipSync("a,b\n1,2\n"));
    expect([...(await readTable(packed, { name: "t.csv" })).numbers("b")]).toEqual([2]);
  });

  test("takes bytes, buffers, blobs and streams", async () => {
    const content = bytes("a,b\n1,2\n");
    const sources = [
      content,
      content.buffer,
      new Blob([content]),
      new Blob([content]).stream(),
      new Response(gzipSync(content)).body!,
    ];
    for (const source of sources) {
      expect([...(await readTable(source, { name: "t.csv" })).numbers("b")]).toEqual([2]);
    }
    await expect(readTable("a,b" as never, { name: "t.csv" })).rejects.toThrow(
      "source: expected bytes, a Blob or a stream, got string",
    );
  });

  test("refuses a gzip cut short anywhere, or damaged", async () => {
    const packed = new Uint8Array(gzipSync("a,b\n" + "1,2\n".repeat(1000)));
    const cuts = [2, 10, 20, packed.length - 8, packed.length - 1];
    for (const length of cuts) {
      await expect(readTable(packed.subarray(0, length), { name: "t.csv.gz" })).rejects.toThrow(
        "t.csv.gz: the gzip data ends too early or is damaged",
      );
    }
    const damaged = packed.slice();
    damaged[damaged.length - 6]! ^= 0xff;
    await expect(readTable(damaged, { name: "t.csv.gz" })).rejects.toThrow(DataError);
  });

  test("refuses an unknown format, but takes it when told", async () => {
    await expect(readTable(bytes("a\n1\n"), { name: "t.dat" })).rejects.toThrow(
      "t.dat: unknown format; expected a name that ends in .csv, .tsv, .parquet, .npy, .svmlight, or these with .gz. If it is " +
        "text with something between its cells, call it .csv",
    );
    expect((await readTable(bytes("a\n1\n"), { name: "t.dat", format: "csv" })).rows).toBe(1);
    await expect(readTable(bytes("PK"), { name: "t.xlsx" })).rejects.toThrow(
      "t.xlsx: unknown format; expected a name that ends in .csv, .tsv, .parquet, .npy, .svmlight, or these with .gz. Of a " +
        "workbook save the sheet",
    );
  });

  test.each([
    ["t.csv.zip", "Unpack it first."],
    ["t.csv.xz", "Unpack it first."],
    ["t.dta", "read_stata"],
    ["t.sav", "read_spss"],
    ["t.json", "read_json"],
    ["t.jsonl.gz", "read_json"],
    ["t.feather", "read_feather"],
  ])("says of %s what to make of it", async (name, todo) => {
    const refused = await readTable(bytes("a\n1\n"), { name }).catch(String);
    expect(refused).toContain(`${name}: unknown format; expected a name that ends in .csv`);
    expect(refused).toContain(todo);
  });
});

describe("Table", () => {
  test("refuses columns that make no table", () => {
    expect(() => new Table([])).toThrow("table has no columns.");
    expect(() => new Table([{ name: "a", values: [] }])).toThrow("table has no rows.");
    expect(
      () =>
        new Table([
          { name: "a", values: ["1"] },
          { name: "b", values: Float64Array.of(1, 2) },
        ]),
    ).toThrow('table, column "b" has 2 rows, expected 1.');
  });

  test("an unknown column is refused by name, with what there is", () => {
    const table = new Table([
      { name: "age", values: ["1"] },
      { name: "ward", values: ["2"] },
    ]);
    expect(() => table.column("agee")).toThrow(
      'table has no column "agee"; it has "age", "ward". Did you mean "age"?',
    );
    const wide = new Table(
      Array.from({ length: 30 }, (_, i) => ({ name: `q${i}`, values: ["1"] })),
    );
    expect(() => wide.column("zzz")).toThrow('"q19", and 10 more.');
  });

  test("takes decimal numbers only; other text is named by place, not shown", () => {
    const numbers = (cell: string) => new Table([{ name: "a", values: [cell] }]).numbers("a")[0];
    for (const cell of ["1", "-2.5", "+.5", "3.", "1e-3", "1E+05", "007"]) {
      expect(numbers(cell)).toBe(Number(cell));
    }
    for (const cell of [
      "",
      "NA",
      "N/A",
      "n/a",
      "#N/A",
      "<NA>",
      ".",
      "NaN",
      "nan",
      "null",
      "NULL",
      "?",
    ]) {
      expect(numbers(cell)).toBeNaN();
    }
    for (const cell of ["0x10", "1,5x", "1e999", "Infinity", "1_000", "12a", "--1", "-"]) {
      expect(() => numbers(cell)).toThrow(
        /^table, row 0, column "a": expected a finite number, found other text\.$/,
      );
    }
  });

  test("refuses an infinity in a column of numbers", () => {
    const table = new Table([{ name: "a", values: Float64Array.of(1, Infinity) }]);
    expect(() => table.numbers("a")).toThrow('table, row 1, column "a": expected a finite number');
    expect(table.isNumeric(table.column("a"))).toBe(false);
  });
});

describe("tables as other programs write them", () => {
  test("semicolons and decimal commas are refused with the remedy, and read with it", async () => {
    const text = 'school;score;age\na;1,5;30\nb;-2,25;"40,5"\n';
    await expect(readCsv(text, { name: "de.csv" })).rejects.toThrow(
      '";" there: read it with --delimiter ";", and --decimal "," if',
    );
    const quoted = text.replace("school;score;age", '"school";"score";"age"'); // R's write.csv2
    await expect(readCsv(quoted, {})).rejects.toThrow('read it with --delimiter ";"');
    const table = await readCsv(quoted, { delimiter: ";", decimal: "," });
    expect([...table.numbers("score")]).toEqual([1.5, -2.25]);
    expect([...table.numbers("age")]).toEqual([30, 40.5]);
    const half = await readCsv(text, { name: "de.csv", delimiter: ";" });
    expect(() =>
      tasksFromTable(half, { task: "school", target: "score", undeclared: "auto" }),
    ).toThrow('de.csv, line 3, column "age": the cell is a number with a comma');
    // As a model reads rows to predict, which knows that the column is one of numbers.
    expect(() => half.numbers("age", " Correct the cell.")).toThrow(
      'de.csv, line 3, column "age": the cell is a number with a comma. If that is a decimal comma, read the table with --decimal "," (in code decimal: ","). If it stands between thousands',
    );
    await expect(readCsv(text, { decimal: "," })).rejects.toThrow("give --delimiter too");
  });

  test("a point among decimal commas may separate thousands: refused, not read a thousand times too small", async () => {
    const options = { name: "de.csv", delimiter: ";", decimal: "," } as const;
    for (const cell of ["1.500", "1.500,25"]) {
      const table = await readCsv(`a;b;c\n2,5;x;1\n${cell};y;2\n`, options);
      const refusal = 'de.csv, line 3, column "a": found a point';
      expect(() => table.numbers("a")).toThrow(refusal);
      expect(() => table.select([1]).numbers("a")).toThrow(refusal);
      const roles = { task: "b", target: "c", undeclared: "auto" } as const;
      expect(() => tasksFromTable(table, roles)).toThrow(refusal);
      expect(() => tasksFromTable(table, { ...roles, target: "a" })).toThrow(refusal);
      // Names, and what nobody wants, may have points.
      expect(
        tasksFromTable(table, { task: "a", target: "c", features: ["b"], undeclared: "auto" }).tasks
          .names,
      ).toEqual(["2,5", cell]);
    }
    const texts = await readCsv("a;b\nv1.2;1,5\nv1,3;2\n", options);
    expect(texts.texts("a")).toEqual(["v1.2", "v1,3"]);
  });

  test("an unnamed first column is an index, no feature; rows without a name for it are explained", async () => {
    const table = await readCsv('"","school","score","u"\n"1","a",1,2\n"2","b",2,3\n', {});
    expect(table.index).toBe("(row)");
    const { tasks } = tasksFromTable(table, { task: "school", target: "score" });
    expect(tasks.featureNames).toEqual(["u"]);
    await expect(readCsv('"school","score"\n"1","a",1\n"2","b",2\n', {})).rejects.toThrow(
      "must stand in quotes. If the first cells are the names of rows, as R",
    );
  });

  test("a file without a header does not have its first row shown", async () => {
    const table = await readCsv("north,41,secret\nsouth,30,x\n", { name: "bare.csv" });
    expect(() => table.column("school")).toThrow('bare.csv has no column "school". The first line');
    expect(() => table.column("school")).not.toThrow("secret");
    await expect(readCsv("7,41,41\n7,30,1\n", { name: "bare.csv" })).rejects.toThrow(
      "bare.csv: two columns have the same name. The first line holds numbers",
    );
  });
});
