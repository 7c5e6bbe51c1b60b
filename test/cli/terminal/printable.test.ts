import { describe, expect, test } from "vitest";
import type { CommandEntry } from "../../../src/cli/options/command.js";
import { printable, printableLine } from "../../../src/cli/terminal/printable.js";
import { openLog } from "../../../src/cli/federated/run-log.js";
import { main } from "../../../src/cli/run.js";
import { DataError } from "../../../src/core/errors.js";
import { forSpreadsheets } from "../../../src/data/table/csv-text.js";
import { testIo } from "../io.js";

/** Clears the screen, renames the window, goes back to the line's beginning, writes from right to left. */
const HOSTILE = "north\u001b[2J\u001b]0;x\u0007\r\u009b1A\u202eedoc";

describe("what a terminal would obey", () => {
  test("is written out; line breaks and tabs stay, and so does other text", () => {
    expect(printable("a\u001b[2J\tb\nc\r\u009b\u202e")).toBe(
      "a\\u001b[2J\tb\nc\\u000d\\u009b\\u202e",
    );
    expect(printable("Zürich – 東京")).toBe("Zürich – 東京");
    expect(printableLine("a\nforged line")).toBe("a\\nforged line");
    expect(JSON.parse(printable(JSON.stringify({ name: HOSTILE })))).toEqual({ name: HOSTILE });
  });

  test("reaches it neither in a result, nor in an error, nor in what is told on the way", async () => {
    const said = (run: () => Promise<never> | { document: object; text: string }) => {
      const io = testIo();
      const entry = { name: "say", summary: "", load: () => Promise.resolve({ options: {}, run }) };
      return main(["say"], io, [entry as unknown as CommandEntry]).then(() => io.out() + io.err());
    };
    const io = testIo();
    const progress = { update: () => undefined, end: () => undefined };
    for (const mode of ["auto", "json"]) {
      const context = { io, signal: io.signal, progress, given: {} };
      openLog({ progress: mode }, context)({ name: HOSTILE }, `${HOSTILE}\nforged`);
    }
    const all = [
      await said(() => ({ document: {}, text: HOSTILE })),
      await said(() => Promise.reject(new DataError(HOSTILE))),
      io.err(),
    ];
    for (const text of all) {
      expect(text).toContain("north\\u001b");
      // eslint-disable-next-line no-control-regex -- what must not be there
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
    expect(io.err().split("\n")).toHaveLength(3); // two lines, and the end of the second
  });
});

test.each([
  "=1+1",
  "@SUM(A1)",
  "+cmd|' /C calc'!A0",
  "-2+3",
  " =1+1",
  "\u00a0=1+1",
  '"=1+1',
  "'=1+1",
  "\u0000=1",
  "\ufeff=1",
  "＝1+1",
  "＋1+1",
  "－1+1",
  "＠SUM(A1)",
  "\t=1",
  "\r=1",
  "\n=1",
])("no spreadsheet takes %j for a formula", (text) => {
  expect(forSpreadsheets(text)).toBe(`'${text}`);
});

test.each(["-1.5", "+2e3", "north", "a=b", "3 - 2", ""])("%j stays as it is", (text) => {
  expect(forSpreadsheets(text)).toBe(text);
});
