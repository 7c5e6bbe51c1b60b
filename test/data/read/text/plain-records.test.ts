/** Plain records against the parser that reads all others. */
import { parse } from "csv-parse/browser/esm/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { plainRecords } from "../../../../src/data/read/text/plain-records.js";

const PLAIN = ["a", "1.5", "é", "#", "\\", "x y", ",", ",", "\n", "\n"];
/** Quotes as R sets them, and such as say something. */
const QUOTED = ['"a"', '"x y"', '"1"', '""', '"a,b"', '"a\nb"', '"a""b"', '" a"', '"a'];
const OTHERS = [" ", "\t", "\v", "\f", "\u00a0", "\ufeff", "\u2028", "\r", '"', ""];
const texts = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...PLAIN) },
      { weight: 3, arbitrary: fc.constantFrom(...QUOTED) },
      fc.constantFrom(...OTHERS),
    ),
    {
      minLength: 1,
      maxLength: 14,
    },
  )
  .map((parts) => parts.join(""))
  .filter((text) => text.length > 0);

test.each(["\n", "\r\n"] as const)(
  "records and lines are the parser's, or none are handed out (lines end in %j)",
  (lineEnd) => {
    let [plain, quoted] = [0, 0];
    fc.assert(
      fc.property(texts, (drawn) => {
        const text = drawn.replaceAll("\n", lineEnd);
        const found: [string[], number][] = [];
        const take = (record: string[], line: number) => found.push([record, line]);
        if (!plainRecords({ text, linesBefore: 5, lineEnd }, ",", take)) {
          expect(found).toEqual([]);
          return;
        }
        plain++;
        if (text.includes('"')) quoted++;
        const expected: [string[], number][] = [];
        parse(text, {
          delimiter: ",",
          record_delimiter: lineEnd,
          trim: true,
          skip_empty_lines: true,
          relax_column_count: true,
          on_record: (record: string[], { lines }: { lines: number }) => {
            expected.push([record, 5 + lines]);
            return null;
          },
        });
        expect(found).toEqual(expected);
      }),
      { numRuns: 4000, seed: 7 },
    );
    expect(plain).toBeGreaterThan(600);
    expect(quoted).toBeGreaterThan(100);
  },
);

test.each([
  [
    "a text",
    '"a","b"\n"x y",1\n',
    [
      ["a", "b"],
      ["x y", "1"],
    ],
  ],
  [
    "an empty one",
    'a,b\n"",""\n',
    [
      ["a", "b"],
      ["", ""],
    ],
  ],
  [
    "another delimiter, and a comma",
    '"a";"b"\r\n"x,y";2',
    [
      ["a", "b"],
      ["x,y", "2"],
    ],
  ],
])("quotes around a whole cell need no parser: %s", (_, text, expected) => {
  const found: string[][] = [];
  const piece = { text, linesBefore: 0, lineEnd: text.includes("\r") ? "\r\n" : "\n" };
  const delimiter = text.includes(";") ? ";" : ",";
  expect(plainRecords(piece, delimiter, (record) => found.push(record))).toBe(true);
  expect(found).toEqual(expected);
});
