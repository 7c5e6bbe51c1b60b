import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeClasses } from "../../learning/tasks.js";
import { run } from "../run.js";
import { temporaryFolder } from "../../temporary.js";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

const fit = (...rest: string[]) =>
  run("fit", "--data", path("data.csv"), "--task", "task", "--target", "y", ...rest);

beforeAll(() => {
  const tasks = makeClasses({ m: 5, d: 3, rows: () => 12, classes: 3 });
  const lines = [["task", "y", ...tasks.featureNames].join(",")];
  for (const { name, x, y, n } of tasks) {
    for (let row = 0; row < n; row++) {
      lines.push(
        [name, tasks.targetLevels![y[row]!], ...x.subarray(3 * row, 3 * row + 3)].join(","),
      );
    }
  }
  writeFileSync(path("data.csv"), `${lines.join("\n")}\n`);
});

describe("fit", () => {
  test("pmtl takes its flags, writes a model, and predict reads it", async () => {
    const { code, out, err } = await fit(
      ...["--method", "pmtl", "--loss", "softmax", "--epsilon", "3", "--rounds", "3"],
      ...["--local-steps", "4", "--batch-size", "5", "--update", "from-global", "--clip", "0.5"],
      ...["--sampling", "fixed:4", "--server-step-size", "2", "--finetune", "ewc:3:0.5"],
      ...["--model", "network", "--hidden-units", "4", "--activation", "relu"],
      ...["--seed", "s", "--out", path("model"), "--json"],
    );
    expect(code, err).toBe(0);
    // Five tasks of three classes.
    expect(err).toMatch(/^before anything is spent: at 5 tasks, .* buys next to nothing[^\n]*\n$/);
    const document = JSON.parse(out) as Record<string, unknown>;
    expect(document).toMatchObject({
      method: "pmtl",
      loss: "softmax",
      rounds: 3,
      guarantee: { mechanism: "gaussian-mean", epsilon: 3, sound: true, noiseSource: "seeded" },
    });
    const predicted = await run("predict", "--model", path("model"), "--data", path("data.csv"));
    expect(predicted.code).toBe(0);
    const [header, first] = predicted.out.split("\n");
    expect(header).toBe("task,probability,label,probability=a,probability=b,probability=c");
    expect(first).toMatch(/^task-0,0\.\d+,[abc](,[\d.e-]+){3}$/);
  });

  test("Poisson sampling and the local solve of a linear model", async () => {
    const { code, out } = await fit(
      ...["--method", "private-fedprox", "--loss", "softmax", "--local-steps", "solve"],
      ...["--sampling", "poisson:0.5", "--adjacency", "zero-out", "--delta", "1e-3"],
      ...["--finetune", "symmetrized-kl", "--rounds", "2", "--json"],
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      method: "private-fedprox",
      guarantee: { adjacency: "zero-out", private: true },
    });
  });

  test.each([
    [["--sampling", "poisson:2"], "--sampling: expected all, poisson:RATE"],
    [["--sampling", "some"], "--sampling: expected all, poisson:RATE"],
    [["--finetune", "l2"], "--finetune: expected none, or one of vanilla, mean-regularized"],
    [["--finetune", "ewc:0"], "--finetune: expected none, or one of vanilla, mean-regularized"],
    [["--local-steps", "none"], "--local-steps: expected solve or an integer >= 1"],
    [["--sampling", "poisson:0.5"], 'theorem for adjacency "zero-out" only'],
  ])("%j is a matter of usage", async (flags, message) => {
    const { code, err } = await fit("--method", "pmtl", "--loss", "softmax", ...flags);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });
});
