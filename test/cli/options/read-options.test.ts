/** What the command line says of a value that is none of an option's words. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../../../src/cli/commands/index.js";
import { main } from "../../../src/cli/run.js";
import { METHOD_NAMES } from "../../../src/learning/methods.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

async function errorsOf(...args: string[]) {
  const io = testIo();
  expect(await main(args, io)).toBe(2);
  return io.err();
}

test("a --config with an error is not blamed for what it may say", async () => {
  const path = join(temporaryFolder(), "fit.json");
  writeFileSync(path, JSON.stringify({ data: "x.csv", epslon: 1 }));
  const said = await errorsOf("fit", "--config", path);
  expect(said).toContain('unknown option "epslon"');
  expect(said).not.toContain("is needed");
});

test("a file of an option that cannot be read is told once, and why", async () => {
  const path = join(temporaryFolder(), "budgets.json");
  writeFileSync(path, '{ "north": 0.5, "north": 2 }');
  const said = await errorsOf("fit", "--data", "x.csv", "--task-epsilons", path);
  expect(said).toContain("budgets.json: a name on line 1 stands on line 1 already");
  expect(said).not.toContain("expected a JSON file");
  writeFileSync(path, '{ "north": -1 }');
  const wrong = await errorsOf("fit", "--data", "x.csv", "--task-epsilons", path);
  expect(wrong).toContain("--task-epsilons: expected a JSON file");
});

describe("a misspelt word", () => {
  test.each([
    ["fit --data x.csv --method mp-mixd", "mp-mixed"],
    ["fit --data x.csv --method MP-MIXED", "mp-mixed"],
    ["fit --data x.csv --loss squarred", "squared"],
    ["account --mechanism gausian", "gaussian"],
    ["account --accountant gpd", "gdp"],
    ["evaluate --simulate lowrank --out x", "low-rank"],
    ["evaluate --methods single-taks --simulate low-rank --out x", "single-task"],
    ["fit --data x.csv --tune privat", "private"],
    ["fit --data x.csv --method mp-low-rank --adjacency replaced", "replace"],
    ["fti --data x.csv", "fit"],
  ])("%s: a guess at %s", async (line, guess) => {
    expect(await errorsOf(...line.split(" "))).toMatch(
      new RegExp(`Did you mean ("[a-z-]+",? (or )?)*"${guess}"`),
    );
  });

  test("is guessed for every command's words, and their own are none", async () => {
    const checked = new Set<string>();
    for (const entry of commands) {
      const { options, dependent } = await entry.load();
      for (const option of Object.values({ ...dependent?.all, ...options })) {
        const { words = [], accept } = option.schema;
        for (const word of words) expect(accept(word)).toBeDefined();
        if (words.length > 0) checked.add(words.join());
      }
    }
    expect(checked.size).toBeGreaterThan(20);
    expect([...checked].some((words) => words.includes(METHOD_NAMES.join()))).toBe(true);
  });

  test("of which nothing is near gets no guess", async () => {
    expect(await errorsOf("account", "--mechanism", "zzz")).not.toContain("Did you mean");
    expect(await errorsOf("account", "--rounds", "gaussian")).not.toContain("Did you mean");
  });
});
