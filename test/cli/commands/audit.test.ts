import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AuditReport } from "../../../src/learning/index.js";
import { makeTasks } from "../../learning/tasks.js";
import { run as runCommand } from "../run.js";
import { thoroughTest } from "../../thorough.js";
import { temporaryFolder } from "../../temporary.js";

const run = (...args: string[]) => runCommand("audit", ...args);

const wishart = ["--mechanism", "wishart", "--epsilon", "0.1", "--adjacency", "zero-out"];
const common = ["--trials", "4000", "--seed", "s"];

describe("of a mechanism", () => {
  test("says in words what is proven", async () => {
    const { code, out, err } = await run(...wishart, ...common);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("claim: eps 0.1, delta 0 of one task (nominal: the papers', not proven)");
    expect(out).toMatch(/proven: delta >= 0\.0[5-9]\d* at eps 0\.1, by support/);
    expect(out).toContain("VIOLATED: more is lost than claimed, at confidence 0.99");
    expect(out).toContain("ok: charged-first");
    expect(out).toContain("seeded noise");
  });

  test("--expect-sound makes a violation exit code 1, and only that", async () => {
    const bad = await run(...wishart, ...common, "--expect-sound", "--json");
    expect(bad.code).toBe(1);
    expect((JSON.parse(bad.out) as AuditReport).verdict).toBe("violated");
    const sound = ["--mechanism", "two-sided-wishart", "--expect-sound", "--json", ...common];
    const good = await run(...sound, "--rounds", "2", "--schedule", "polynomial:0.4");
    expect(good.code).toBe(0);
    expect(JSON.parse(good.out)).toMatchObject({
      target: "mechanism",
      verdict: "consistent",
      adjacency: "replace",
      rounds: 2,
      trials: 4000,
      confidence: 0.99,
      claim: { epsilon: 1, delta: 0, sound: true },
    });
  });

  test.each([
    [[], "expected --mechanism"],
    [["--mechanism", "auto"], "--mechanism: expected one of gaussian"],
    [["--mechanism", "gaussian", "--method", "mp-low-rank"], "--method: goes with --data only."],
    [["--mechanism", "gaussian", "--delta", "0"], "delta: expected delta > 0"],
    [["--mechanism", "gaussian", "--confidence", "1"], "--confidence"],
    [
      ["--data", "x.csv", "--method", "mp-low-rank", "--dimension", "3"],
      "--dimension: not an option of mp-low-rank",
    ],
    [["--data", "x.csv"], "--method is needed beside --data."],
    [["--data", "x.csv", "--method", "mp-mixed"], "--task is needed."],
    [
      ["--data", "x.csv", "--task", "t", "--target", "y", "--method", "trace-norm"],
      "--method: expected one of mp-low-rank",
    ],
  ])("%s is refused", async (args, message) => {
    const { code, err } = await run(...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

test("of a fit whose task and target the schema names", async () => {
  const path = (name: string) => join(temporaryFolder(), name);
  const [data, ranges] = [path("named.csv"), path("named.json")];
  writeFileSync(data, "task,y,a\nu,1,2\nu,2,3\nv,3,1\nv,1,4\n");
  const declared = { kind: "number", range: [0, 5] };
  const schema = { format: "mp-mtl-schema", version: 1, task: "task", columns: { a: declared } };
  writeFileSync(ranges, JSON.stringify({ ...schema, target: { column: "y", ...declared } }));
  const fit = ["--data", data, "--ranges", ranges, "--method", "mp-mixed", "--epsilon", "1"];
  const { code, out, err } = await run(...fit, "--trials", "8", "--seed", "s", "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(JSON.parse(out)).toMatchObject({ target: "fit", method: "mp-mixed" });
});

test("of a fit that hides records a gap takes the middle of the range, as in fit", async () => {
  const path = (name: string) => join(folder, name);
  const folder = temporaryFolder();
  writeFileSync(
    path("gaps.csv"),
    "task,y,a,b\nu,1,2,0\nu,2,,1\nu,3,3,1\nv,3,1,0\nv,1,4,1\nv,2,2,0\n",
  );
  const declared = { kind: "number", range: [0, 5] };
  const schema = {
    format: "mp-mtl-schema",
    version: 1,
    task: "task",
    columns: { a: declared, b: declared },
  };
  writeFileSync(
    path("s.json"),
    JSON.stringify({ ...schema, target: { column: "y", ...declared } }),
  );
  const fit = ["--data", path("gaps.csv"), "--ranges", path("s.json"), "--method", "mp-mixed"];
  const audited = [...fit, "--unit", "record", "--trials", "8", "--seed", "s"];
  expect(await run(...audited)).toMatchObject({ code: 0, err: "" });
  expect((await run(...audited, "--missing", "impute")).err).toContain("protects single records");
});

test("a mechanism's help says which delta it takes unasked, and takes another", async () => {
  const help = (await run("--help")).out.replace(/\s+/g, " ");
  expect(help).toMatch(
    /--delta auto\|papers\|X .* Default papers, or 0 of a mechanism that needs none/,
  );
  const gaussian = ["--mechanism", "gaussian", "--json", ...common];
  const claimed = async (...args: string[]) =>
    (JSON.parse((await run(...gaussian, ...args)).out) as AuditReport).claim.delta;
  expect(await claimed()).toBeCloseTo(1 / (10 * Math.log(10)), 10);
  expect(await claimed("--delta", "auto")).toBe(1e-5);
});

thoroughTest("of a fit on a table", async () => {
  const tasks = makeTasks({ m: 4, d: 3, rows: () => 4 });
  const lines = [...tasks].flatMap(({ name, x, y, n }) =>
    Array.from({ length: n }, (_, r) => [name, y[r], ...x.subarray(3 * r, 3 * r + 3)].join(",")),
  );
  const path = join(temporaryFolder(), "data.csv");
  writeFileSync(path, ["task,y,a,b,c", ...lines].join("\n"));
  const fit = ["--data", path, "--task", "task", "--target", "y", "--method", "mp-low-rank"];
  const options = ["--rounds", "1", "--clip", "2", "--normalize", "rows", "--canary", "task-1"];
  const audit = [...fit, ...options, "--seed", "s", "--json", "--expect-sound", "--delta", "0"];
  const good = await run(...audit, "--trials", "40");
  expect(good.err).toBe("");
  expect(good.code).toBe(0);
  expect(JSON.parse(good.out)).toMatchObject({ target: "fit", method: "mp-low-rank" });
  const bad = await run(...audit, "--mechanism", "wishart", "--trials", "400");
  expect(bad.code).toBe(1);
  expect(JSON.parse(bad.out)).toMatchObject({ verdict: "violated", mechanism: "wishart" });
});
