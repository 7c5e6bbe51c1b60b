import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { simulate, simulateLeakage, tasksFromTable } from "../../../src/data/index.js";
import { readTable } from "../../../src/node/index.js";
import { run as runCommand } from "../run.js";
import { temporaryFolder } from "../../temporary.js";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});

const run = (...args: string[]) => runCommand("simulate", ...args);
const small = ["--pattern", "low-rank", "--tasks", "5", "--samples", "3", "--features", "2"];

test("a directory gets train, test and weights, which read back exactly", async () => {
  const out = join(folder, "data");
  const { code, out: printed } = await run(
    ...small,
    "--test-factor",
    "2",
    "--seed",
    "1",
    "--out",
    out,
    "--json",
  );
  expect(code).toBe(0);
  const files = ["train.csv", "test.csv", "weights.csv"].map((name) => join(out, name));
  expect(JSON.parse(printed)).toEqual({ pattern: "low-rank", tasks: 5, features: 2, files });
  const expected = simulate({
    pattern: "low-rank",
    tasks: 5,
    samples: 3,
    features: 2,
    testFactor: 2,
    seed: "1",
  });
  const read = async (path: string) =>
    tasksFromTable(await readTable(path), { task: "task", target: "y" }).tasks;
  for (const [path, set] of [
    [files[0]!, expected.train],
    [files[1]!, expected.test],
  ] as const) {
    const tasks = await read(path);
    expect(tasks.x).toEqual(set.x);
    expect(tasks.y).toEqual(set.y);
    expect(tasks.names).toEqual(set.names);
    expect(tasks.featureNames).toEqual(set.featureNames);
  }
  const weights = await readTable(files[2]!);
  expect(weights.columnNames).toEqual(["task", "w1", "w2"]);
  expect(weights.numbers("w2")[4]).toBe(expected.weights[9]);
});

test("a file gets the training rows, packed if its name says so", async () => {
  const plain = join(folder, "a.csv");
  const packed = join(folder, "b.csv.gz");
  expect((await run(...small, "--seed", "1", "--out", plain)).out).toBe(
    `5 tasks with 2 features: ${plain}\n`,
  );
  expect((await run(...small, "--seed", "1", "--out", packed)).code).toBe(0);
  expect((await readTable(packed)).numbers("x2")).toEqual((await readTable(plain)).numbers("x2"));
  expect(readFileSync(packed).subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b));
  expect(readdirSync(folder)).toEqual(["a.csv", "b.csv.gz"]);
});

test("the leakage example is a table of models", async () => {
  const path = join(folder, "w.csv");
  expect((await run("--pattern", "leakage", "--seed", "1", "--out", path)).code).toBe(0);
  const table = await readTable(path);
  expect(table.rows).toBe(10);
  expect(table.numbers("w5")[9]).toBe(simulateLeakage({ seed: 1 }).weights[49]);
});

describe("refusals write nothing", () => {
  test.each([
    [["--pattern", "dense"], 2, "--pattern: expected one of low-rank, group-sparse, leakage"],
    [
      ["--pattern", "low-rank", "--active-features", "3"],
      2,
      "--active-features goes with --pattern group-sparse, not with low-rank.",
    ],
    [
      ["--pattern", "group-sparse", "--active-features", "31"],
      2,
      "--active-features: expected an integer from 1 to 30, got 31",
    ],
  ])("%j", async (args, code, message) => {
    const result = await run(...args, "--seed", "1", "--out", join(folder, "new"));
    expect(result.err).toContain(message);
    expect(result.code).toBe(code);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a directory that holds something else", async () => {
    writeFileSync(join(folder, "thesis.tex"), "");
    const result = await run(...small, "--seed", "1", "--out", folder);
    expect(result.err).toContain('holds other files ("thesis.tex")');
    expect(result.code).toBe(2);
  });
});
