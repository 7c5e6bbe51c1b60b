import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../../src/cli/run.js";
import { simulate } from "../../../src/data/index.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

const folder = temporaryFolder();
const data = join(folder, "train.csv");
const { train } = simulate({ pattern: "low-rank", tasks: 12, features: 4, samples: 12, seed: "t" });
const lines = [["task", "y", ...train.featureNames].join(",")];
for (const { name, x, y, n } of train) {
  for (let row = 0; row < n; row++)
    lines.push([name, y[row], ...x.slice(4 * row, 4 * row + 4)].join(","));
}
writeFileSync(data, `${lines.join("\n")}\n`);

async function fit(...args: string[]) {
  const io = testIo();
  const table = ["--data", data, "--task", "task", "--target", "y", "--normalize", "rows"];
  const code = await main(["fit", ...table, ...args], io);
  return { code, out: io.out(), err: io.err() };
}

const tuned = [
  "--tune",
  "private",
  "--epsilon",
  "5",
  "--rounds",
  "3",
  "--folds",
  "2",
  "--seed",
  "s",
];

test("fit --tune private chooses what was not given, and its guarantee includes the choice", async () => {
  const { code, out, err } = await fit(
    "--method",
    "mp-low-rank",
    ...tuned,
    "--clip",
    "20",
    "--json",
  );
  expect([code, err]).toEqual([0, ""]);
  const document = JSON.parse(out) as {
    chosen: Record<string, number>;
    guarantee: { epsilon: number; note: string; selection: { candidates: number } };
  };
  expect(Object.keys(document.chosen)).toEqual(["lambda"]);
  expect(document.guarantee.epsilon).toBe(5);
  expect(document.guarantee.selection.candidates).toBe(4);
  const text = await fit("--method", "mp-low-rank", ...tuned, "--clip", "20");
  expect(text.out).toMatch(/chosen: \{"lambda":/);
  // Time would tell how many runs there were.
  expect(document).not.toHaveProperty("seconds");
  expect(text.out).toMatch(/3 rounds$/m);
  expect(text.out).toMatch(/epsilon and delta include the choice among 4 candidates/);
});

test("a grid from a file, and a random number of runs", async () => {
  const settings = join(folder, "settings.json");
  const grid = { lambda: { from: 1, to: 0.01, points: 3 }, clip: [20, 2] };
  writeFileSync(settings, JSON.stringify({ "mp-low-rank": { grid } }));
  const law = ["--settings", settings, "--repetitions", "geometric:3", "--json"];
  const { code, out, err } = await fit("--method", "mp-low-rank", ...tuned, ...law);
  expect([code, err]).toEqual([0, ""]);
  const { guarantee } = JSON.parse(out) as {
    guarantee: { accountant: string; selection: { candidates: number; repetitions: object } };
  };
  expect(guarantee.accountant).toBe("selection");
  expect(guarantee.selection.candidates).toBe(6);
  expect(guarantee.selection.repetitions).toMatchObject({ kind: "negative-binomial", eta: 1 });
});

test.each([
  ["a method without a budget", ["--method", "trace-norm"], /no budget to choose under/],
  ["a record-level method", ["--method", "dp-aggregation"], /protects one record/],
  ["a journal", ["--method", "mp-low-rank", "--journal", join(folder, "j")], /cannot be resumed/],
  [
    "nothing to choose",
    ["--method", "mp-low-rank", "--clip", "1", "--lambda", "1"],
    /at least two/,
  ],
])("refuses %s", async (_what, args, message) => {
  const { code, err } = await fit(...args, "--tune", "private");
  expect(err).toMatch(message);
  expect(code).toBe(2);
});
