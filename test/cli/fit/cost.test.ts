/** What a fit says of its cost: at most eight lines, and all of them where they are asked for. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { main } from "../../../src/cli/run.js";
import { makeTasks } from "../../learning/tasks.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

const folder = temporaryFolder();
const data = join(folder, "rows.csv");
const MOST = 8;

beforeAll(() => {
  const rows = [...makeTasks({ m: 40, d: 3, rows: () => 12 })].flatMap(({ name, x, y, n }) =>
    Array.from({ length: n }, (_, row) =>
      [name, y[row], ...x.subarray(3 * row, 3 * row + 3), row % 3 ? "ward" : "home"].join(","),
    ),
  );
  writeFileSync(data, ["task,y,a,b,c,place", ...rows].join("\n"));
});

async function fit(...args: string[]): Promise<string> {
  const io = testIo();
  const code = await main(["fit", "--data", data, ...args], io);
  expect(io.err()).not.toContain("mp-mtl fit:");
  expect([0, 5]).toContain(code);
  return io.out();
}

const roles = ["--task", "task", "--target", "y"];
const mixed = [...roles, "--method", "mp-mixed", "--scale", "unit"];

/** The lines under `cost:`. */
function costOf(text: string): string[] {
  const lines = text.split("\n");
  const from = lines.indexOf("cost:") + 1;
  const to = lines.findIndex((line, at) => at >= from && !line.startsWith("  "));
  return lines.slice(from, to).map((line) => line.trim());
}

describe("in short", () => {
  test.each([
    ["auto", []],
    ["a seed", ["--method", "mp-mixed", "--scale", "unit", "--seed", "1"]],
    ["a large delta", ["--method", "mp-mixed", "--scale", "unit", "--delta", "0.02"]],
    ["records", ["--unit", "record"]],
    ["both", ["--method", "mp-mixed", "--scale", "unit", "--unit", "both"]],
    ["noisy own models", ["--scale", "unit", "--unit", "record", "--own-model", "noisy"]],
    ["a private choice", ["--method", "mp-feature-learning", "--tune", "private"]],
    ["no noise", ["--method", "single-task"]],
    [
      "noise whose proof was retracted",
      ["--method", "mp-low-rank", "--clip", "2", "--mechanism", "wishart", "--normalize", "rows"],
    ],
  ])("%s", async (_, options) => {
    const lines = costOf(await fit(...roles, ...options));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length, lines.join("\n")).toBeLessThanOrEqual(MOST);
  });

  test("it is a promise's unit, attacker, noise and trust, and what has none", async () => {
    const [claim, unit, attacker, noise, trust, parties, limits, uncharged, ...more] = costOf(
      await fit(...mixed),
    );
    expect(claim).toBe("joint (1, 0.00001)-DP of each task against all others");
    expect(unit).toMatch(/^unit: one task; replace adjacency/);
    expect(attacker).toMatch(/^an attacker .* at most .* true positives/);
    expect(noise).toBe("noise source: secure, gaussian-mean mechanism, gdp accounting");
    expect(trust).toMatch(/^trust: /);
    expect(parties).toBe(
      "record or task against other tasks: (1, 0.00001)-DP; record or task against curator, own model, all models: no promise",
    );
    expect(limits).toBe(
      "not covered: a task's data from whoever holds its own model, and 3 more (--verbose)",
    );
    expect(uncharged).toMatch(
      /told with the models; objective, .*"data" above counts, for the cur/,
    );
    expect(more).toEqual([]);
  });

  test("what a seed or a retracted proof does to it is not left out", async () => {
    const seeded = costOf(await fit(...mixed, "--seed", "1")).join("\n");
    expect(seeded).toMatch(/^NOT PRIVATE/);
    expect(seeded).toContain("noise source: seeded");
    expect(seeded).toContain("whoever has the seed can subtract the noise");
    const unsound = costOf(
      await fit(
        ...[...roles, "--method", "mp-low-rank", "--clip", "2", "--mechanism", "wishart"],
        ...["--normalize", "rows"],
      ),
    ).join("\n");
    expect(unsound).toMatch(/^NOT the nominal eps/);
    expect(unsound).toContain("one-sided Wishart noise lies in a cone");
  });

  test("where the model was kept no second fit is needed to read the rest", async () => {
    const model = join(folder, "kept");
    const lines = costOf(await fit(...mixed, "--out", model)).join("\n");
    expect(lines).toContain(`and 3 more (mp-mtl summary --model ${model})`);
    expect(lines).not.toContain("--verbose");
  });

  test("of a later owner's model, too", async () => {
    const model = join(folder, "model");
    await fit(...mixed, "--out", model);
    const lines = costOf(await fit("--shared-prior", model));
    expect(lines[0]).toMatch(/^nothing: no release was made/);
    expect(lines.length, lines.join("\n")).toBeLessThanOrEqual(MOST);
  });
});

test("--verbose prints the rest, as summary does", async () => {
  const model = join(folder, "verbose");
  const lines = costOf(await fit(...mixed, "--verbose", "--out", model));
  const io = testIo();
  await main(["summary", "--model", model], io);
  const summary = io.out().split("\n");
  for (const line of lines.filter((line) => !line.startsWith('what "data" above')))
    expect(summary).toContain(line);
  expect(
    lines.filter((line) => /^(as Gaussian DP|scope|and, if it took both)/.test(line)),
  ).toHaveLength(3);
});
