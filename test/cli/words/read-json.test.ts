/** Where a file that people write stops being JSON. */
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
