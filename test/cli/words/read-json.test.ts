/** Where a file that people write stops being JSON. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readJson } from "../../../src/cli/words/read-json.js";

const lines = (...all: string[]) => all.join("\n");

test.each([
  ["a comma that is missing", lines("{", '"a": 1', '"b": 2', "}"), 3],
  ["one too many at the end of an object", lines("{", '"a": 1,', "}"), 3],
  ["and at the end of a list", lines("{", '"a": [', "1,", "]", "}"), 4],
  ["a value that is none", lines("{", '"range": [0, Infinity],', '"b": 2', "}"), 2],
  ["a bracket that is missing", lines("{", '"a": {"b": 1', "}"), 3],
  ["a comment", lines("{", "// what", '"a": 1', "}"), 2],
  ["a table", lines("school,score", "a,1"), 1],
  ["nothing", "", 1],
])("%s: line of %j", (_, text, line) => {
  expect(() => readJson(text)).toThrow(`not JSON from line ${line} on: `);
});

test("nothing of what stands there is said", () => {
  expect(() => readJson("school,secret\na,1")).toThrow(/^(?!.*secret)/s);
});

test("and JSON is read", () => {
  expect(readJson('{ "a": [1] }')).toEqual({ a: [1] });
});

test.each([
  ['{\n  "a": 1,\n  "b": 2,\n  "a": 3\n}', 4, 2],
  ['{"a": 1, "\\u0061": 2}', 1, 1],
  ['[{"a": 1},\n {"a": {"x": "}", "y": [{}],\n "x": 0}}]', 3, 2],
  ['{"": 1, "": 2}', 1, 1],
])(
  "a name that stands twice in one object is refused by its lines, never itself: %j",
  (text, line, first) => {
    expect(() => readJson(text)).toThrow(
      new SyntaxError(
        `a name on line ${line} stands on line ${first} already, in the same object: keep one of the two`,
      ),
    );
  },
);

test("names may stand in several objects, and in values", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, blanks) => {
      const text = JSON.stringify(
        { a: value, b: [value, "a", '"a":', { a: value }] },
        null,
        blanks,
      );
      expect(readJson(text)).toEqual(JSON.parse(text));
    }),
  );
});
