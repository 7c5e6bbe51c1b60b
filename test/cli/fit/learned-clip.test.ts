/** `fit --clip auto` says what the bound on uploads is, and whether votes were paid for it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../../src/cli/run.js";
import { makeTasks } from "../../learning/tasks.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

const data = join(temporaryFolder(), "rows.csv");
const rows = [...makeTasks({ m: 40, d: 3, rows: () => 6 })].flatMap(({ name, x, y, n }) =>
  Array.from({ length: n }, (_, row) => [name, y[row], ...x.subarray(3 * row, 3 * row + 3)].join()),
);
writeFileSync(data, ["task,y,a,b,c", ...rows].join("\n"));

async function fit(...args: string[]) {
  const io = testIo();
  const given = ["--data", data, "--task", "task", "--target", "y", "--seed", "1"];
  const code = await main(["fit", ...given, "--rounds", "2", ...args], io);
  return { code, out: io.out(), err: io.err() };
}
const pmtl = ["--method", "pmtl", "--clip", "auto"];

test("voted, guessed or given", async () => {
  const voted = await fit(...pmtl, "--epsilon", "3");
  expect(voted.out).toMatch(
    /learned:[^]*bound on what tasks upload: K = [\d.]+, by their charged votes/,
  );
  const guessed = await fit(...pmtl, "--epsilon", "0.1");
  expect(guessed.out).toMatch(/assumed:[^]*bound on what tasks upload: K = 4, a guess[^]*learned:/);
  const given = await fit("--method", "pmtl", "--clip", "2");
  expect(given.out).not.toContain("bound on what tasks upload");
  const json = JSON.parse((await fit(...pmtl, "--epsilon", "3", "--json")).out) as object;
  expect(json).toMatchObject({ clip: { voted: true } });
});

test("what does not go with it is said in flags", async () => {
  const { code, err } = await fit(...pmtl, "--unit", "both");
  expect(code).toBeGreaterThan(0);
  expect(err).toContain("--clip: tasks vote on the norm of updates");
});
