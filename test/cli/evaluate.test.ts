import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { CellResult } from "../../src/cli/evaluation/cell.js";
import { runCell } from "../../src/cli/evaluation/cell.js";
import { ResultsFile } from "../../src/cli/evaluation/results-file.js";
import { summarize } from "../../src/cli/evaluation/summary.js";
import { main } from "../../src/cli/run.js";
import { testIo } from "./io.js";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mp-mtl-evaluate-"));
const settings = join(folder, "settings.json");
const quick = { options: { clip: 20, rounds: 5 }, grid: { lambda: [3, 0.3] } };

function evaluate(out: string, ...rest: string[]) {
  const args = ["evaluate", "--simulate", "group-sparse", "--tasks", "8", "--replicates", "2"];
  const methods = ["--methods", "single-task,mp-group-sparse", "--epsilon", "1,10"];
  const child = spawn(process.execPath, [
    program,
    ...args,
    ...methods,
    ...["--settings", settings, "--out", join(folder, out), ...rest],
  ]);
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const done = new Promise<{ code: number | null; text: string }>((resolve) => {
    child.on("close", (code) => {
      resolve({ code, text });
    });
  });
  return { child, done };
}

const results = (out: string) => readFileSync(join(folder, out, "results.jsonl"), "utf8");

describe.skipIf(!existsSync(program))("evaluate (skipped where dist/ is not built)", () => {
  beforeAll(() => {
    writeFileSync(settings, JSON.stringify({ "mp-group-sparse": quick }));
  });

  test("gives the same bytes with any number of workers, and after a kill", async () => {
    const first = await evaluate("one", "--workers", "1").done;
    expect(first.code, first.text).toBe(0);
    expect(first.text).toContain("not charged to eps: hyper-parameters");

    const killed = evaluate("two", "--workers", "2");
    setTimeout(() => killed.child.kill("SIGKILL"), 700);
    await killed.done;
    // Whatever it had written, and half a line more, as if it died while writing.
    if (existsSync(join(folder, "two", "results.jsonl"))) {
      appendFileSync(join(folder, "two", "results.jsonl"), '{"method":"single-t');
    }
    const second = await evaluate("two", "--workers", "2").done;
    expect(second.code, second.text).toBe(0);
    expect(results("two")).toBe(results("one"));
    const summary = JSON.parse(readFileSync(join(folder, "one", "summary.json"), "utf8")) as {
      summary: { method: string; versusSingleTask: { mean: number } }[];
    };
    expect(summary.summary.map(({ method }) => method)).toEqual([
      "single-task",
      "mp-group-sparse",
      "mp-group-sparse",
    ]);
    expect(summary.summary[0]!.versusSingleTask.mean).toBe(0);
  });

  test("does not mix configurations in one file", async () => {
    const { code, text } = await evaluate("one", "--seed", "other").done;
    expect(code).toBe(2);
    expect(text).toContain("another configuration");
  });
});

describe("evaluate refuses", () => {
  const refused: [string, string[], RegExp][] = [
    ["no data", [], /--data, --task, --target needed, or --simulate/],
    ["both sources", ["--simulate", "low-rank", "--data", "a.csv"], /exclude each other/],
    [
      "unknown methods",
      ["--simulate", "low-rank", "--methods", "magic"],
      /--methods: magic unknown/,
    ],
  ];
  test.each(refused)("%s", async (_what, args, message) => {
    const io = testIo();
    expect(await main(["evaluate", "--out", join(folder, "never"), ...args], io)).toBe(2);
    expect(io.err()).toMatch(message);
    expect(existsSync(join(folder, "never"))).toBe(false);
  });

  test("settings that are not what they should be, naming the place", async () => {
    const path = join(folder, "bad.json");
    writeFileSync(path, JSON.stringify({ "single-task": { grids: {} } }));
    const io = testIo();
    const args = ["--simulate", "low-rank", "--settings", path, "--out", join(folder, "never")];
    expect(await main(["evaluate", ...args], io)).toBe(2);
    expect(io.err()).toMatch(/bad\.json: single-task\.grids/);
  });
});

test("a cell is determined by its seed", async () => {
  const cell = {
    method: "mp-group-sparse",
    epsilon: 1,
    replicate: 3,
    data: { kind: "simulation", options: { pattern: "group-sparse", tasks: 5 } },
    seed: "s",
    normalize: "rows",
    options: { clip: 20, rounds: 3 },
    tuning: { kind: "none" },
  } as const;
  const first = await runCell(cell);
  expect(await runCell(cell)).toEqual(first);
  expect(await runCell({ ...cell, seed: "t" })).not.toEqual(first);
  expect(first.guarantee).toMatchObject({ epsilon: 1, sound: true });
});

test("a results file with a damaged line inside is refused by number", async () => {
  const path = join(folder, "damaged.jsonl");
  const file = await ResultsFile.open(path, { a: 1 });
  const result: CellResult = {
    ...{ method: "single-task", epsilon: null, replicate: 0, chosen: {}, guarantee: null },
    scores: { nmse: 0.5, nmsePerTask: 0.5, tasksLeftOut: 0 },
  };
  appendFileSync(path, "{broken\n");
  await file.append(result);
  await expect(ResultsFile.open(path, { a: 1 })).rejects.toThrow(/line 2 is damaged/);
});

test("summaries pair each replicate with single-task on the same data", () => {
  const result = (method: string, replicate: number, nmse: number): CellResult => ({
    ...{ method, epsilon: null, replicate, chosen: {}, guarantee: null },
    scores: { nmse, nmsePerTask: nmse, tasksLeftOut: 0 },
  });
  const [alone, together] = summarize([
    ...[result("single-task", 0, 0.5), result("single-task", 1, 0.9)],
    ...[result("trace-norm", 0, 0.4), result("trace-norm", 1, 0.6)],
  ]);
  expect(alone!.metrics["nmse"]!.mean).toBeCloseTo(0.7, 12);
  expect(together!.versusSingleTask!.mean).toBeCloseTo(-0.2, 12);
  expect(together!.versusSingleTask!.standardError).toBeCloseTo(0.1, 12);
});
