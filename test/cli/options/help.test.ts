import { expect, test } from "vitest";
import { main } from "../../../src/cli/run.js";
import { testIo } from "../io.js";

/** The help of a command, but for its examples, in a terminal of so many columns. */
async function help(args: string[], columns?: number): Promise<string> {
  const io = testIo();
  await main([...args, "--help"], { ...io, columns });
  return io.out().split("\nExamples\n")[0]!;
}

const longest = (text: string) => Math.max(...text.split("\n").map((line) => line.length));

test.each([["predict"], ["fit", "--method", "mp-mixed"]])(
  "help of %s fits the terminal",
  async (...args) => {
    expect(longest(await help(args, 60))).toBeLessThanOrEqual(60);
  },
);

test("without a terminal, or in a wide one, lines end at a hundred columns", async () => {
  expect(await help(["predict"], 200)).toBe(await help(["predict"]));
  expect(longest(await help(["predict"]))).toBeGreaterThan(90);
});

test("where a method's options are not shown, the budget's is named", async () => {
  const text = (await help(["fit"])).replaceAll(/\s+/g, " ");
  expect(text).toContain("explains these and one method's own (--epsilon, …), with defaults");
});
