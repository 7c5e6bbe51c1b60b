import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { CellResult } from "../../../src/cli/evaluation/cells/cell.js";
import { runCell } from "../../../src/cli/evaluation/cells/run-cell.js";
import { estimateOf } from "../../../src/cli/evaluation/findings/estimate.js";
import { evaluationRemarks } from "../../../src/cli/evaluation/findings/remarks.js";
import { ResultsFile } from "../../../src/cli/evaluation/cells/results-file.js";
import { summarize, summaryTable } from "../../../src/cli/evaluation/findings/summary.js";
import { gridCandidates, randomCandidates } from "../../../src/cli/tuning/ranges.js";
import { parseSweep, variantsOf } from "../../../src/cli/evaluation/plan/sweep.js";
import { main } from "../../../src/cli/run.js";
import { simulate } from "../../../src/data/index.js";
import { taskArrays } from "../../../src/model/index.js";
import { makeEstimator, METHOD_NAMES } from "../../../src/learning/index.js";
import { methodNamed } from "../../../src/learning/methods.js";
import { testIo } from "../io.js";
import { LEFT_OUT, thorough, thoroughTest } from "../../thorough.js";
import { temporaryFolder } from "../../temporary.js";

const program = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const folder = temporaryFolder();
const settings = join(folder, "settings.json");
const quick = { options: { clip: 20, rounds: 5 }, grid: { lambda: [3, 0.3] } };

function evaluate(out: string, ...rest: string[]) {
  const replicates = rest.includes("--replicates") ? [] : ["--replicates", "2"];
  const args = ["evaluate", "--simulate", "group-sparse", "--tasks", "8", ...replicates];
  const methods = ["--methods", "single-task,mp-group-sparse", "--epsilon", "1,10"];
  const child = spawn(process.execPath, [
    program,
    ...args,
    ...methods,
    "--settings",
    settings,
    "--out",
    join(folder, out),
    ...rest,
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

  test("interrupted it says that the same command goes on, once there is something to go on from", async () => {
    const more = ["--replicates", "400", "--progress", "json"];
    const { child, done } = evaluate("interrupted", ...more);
    child.stderr.on("data", (chunk: Buffer) => {
      if (/"done":[1-9]/.test(chunk.toString()) && !child.killed) child.kill("SIGINT");
    });
    const { code, text } = await done;
    expect(code).toBe(130);
    expect(text).toContain("has what is done so far: the same command goes on from there\n");
  });

  thoroughTest(
    "gives the same bytes where the folds of its only cell have threads of their own",
    async () => {
      const run = (out: string, workers: string) =>
        new Promise<string>((resolve) => {
          const args = [
            "evaluate",
            "--simulate",
            "group-sparse",
            "--tasks",
            "8",
            "--replicates",
            "1",
          ];
          const one = ["--methods", "mp-group-sparse", "--epsilon", "1", "--settings", settings];
          const rest = ["--workers", workers, "--out", join(folder, out)];
          const child = spawn(process.execPath, [program, ...args, ...one, ...rest]);
          child.on("close", () => resolve(results(out)));
        });
      const alone = await run("cell", "1");
      expect(alone).toContain('"tuning":"cv"');
      expect(await run("cell on two", "2")).toBe(alone);
    },
  );

  test(`gives the same bytes with any number of workers, and after a kill ${LEFT_OUT}`, async () => {
    const first = await evaluate("one", "--workers", "1").done;
    expect(first.code, first.text).toBe(0);
    expect(first.text).toContain("not charged to eps: hyper-parameters");

    if (thorough) {
      const killed = evaluate("two", "--workers", "2");
      setTimeout(() => killed.child.kill("SIGKILL"), 700);
      await killed.done;
    }
    // Whatever it had written, and half a line more, as if it died while writing.
    if (existsSync(join(folder, "two", "results.jsonl"))) {
      appendFileSync(join(folder, "two", "results.jsonl"), '{"method":"single-t');
    }
    const second = await evaluate("two", "--workers", "2").done;
    expect(second.code, second.text).toBe(0);
    expect(results("two")).toBe(results("one"));
    const summary = JSON.parse(readFileSync(join(folder, "one", "summary.json"), "utf8")) as {
      summary: { method: string; gainOnSingleTask: { mean: number } }[];
    };
    expect(summary).toMatchObject({ format: "mp-mtl-summary", version: 2 });
    expect(summary.summary.map(({ method }) => method)).toEqual([
      "single-task",
      "mp-group-sparse",
      "mp-group-sparse",
    ]);
    expect(summary.summary[0]!.gainOnSingleTask.mean).toBe(0);
  });

  const runs = [
    ["random", ["--tune", "random", "--trials", "3", "--folds", "2"], /not charged to eps/],
    ["private", ["--tune", "private", "--repetitions", "geometric:2"], /included in eps: hyper/],
    ["private, all", ["--tune", "private", "--repetitions", "all"], /included in eps: hyper/],
    ["none with a sweep", ["--tune", "none", "--sweep", "exponent:0,1"], /results in/],
  ] as const;
  describe.skipIf(!thorough)(`with any tuning, as without ${LEFT_OUT}`, () => {
    test.each(runs)("%s tuning: the same bytes after a kill", async (name, args, note) => {
      const whole = await evaluate(`${name} whole`, "--workers", "2", ...args).done;
      expect(whole.code, whole.text).toBe(0);
      expect(whole.text).toMatch(note);
      // Killed after its first cells: what a run leaves is its first line and whole lines of cells.
      const lines = results(`${name} whole`).split("\n");
      mkdirSync(join(folder, `${name} killed`));
      const left = [lines[0], lines[3], lines[2], lines[5]!.slice(0, 30)].join("\n");
      writeFileSync(join(folder, `${name} killed`, "results.jsonl"), left);
      const resumed = await evaluate(`${name} killed`, "--workers", "1", ...args).done;
      expect(resumed.code, resumed.text).toBe(0);
      expect(results(`${name} killed`)).toBe(results(`${name} whole`));
      const cells = lines.slice(1, -1).map((line) => JSON.parse(line) as CellResult);
      for (const { method, epsilon, guarantee, tuning } of cells) {
        if (method === "single-task") continue;
        // The budget that was asked for, whatever was chosen within it.
        expect(guarantee).toMatchObject({ epsilon, sound: true });
        const kind = name.split(/[, ]/)[0]!;
        expect(tuning).toBe(kind === "random" ? "cv" : kind);
      }
    });
  });

  test("does not mix configurations in one file", async () => {
    const { code, text } = await evaluate("one", "--seed", "other").done;
    expect(code).toBe(2);
    expect(text).toContain("another configuration (--seed); name another --out");
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
    [
      "repetitions without a law",
      ["--simulate", "low-rank", "--tune", "private", "--repetitions", "fixed:5"],
      /--repetitions: expected auto, all, geometric:MEAN/,
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

describe("sweeps", () => {
  test("numbers of tasks: fewer are among more, and the split of a task stays", async () => {
    const source = simulate({ pattern: "low-rank", tasks: 8, features: 3, seed: "sweep" }).train;
    const cell = (take: number) => ({
      method: "single-task",
      epsilon: null,
      replicate: 0,
      variant: take,
      seed: "s",
      data: { kind: "table", tasks: taskArrays(source), trainFraction: 0.5, take } as const,
      ...({ normalize: "rows", options: {}, tuning: { kind: "none" }, traced: true } as const),
    });
    const few = await runCell(cell(3));
    const more = await runCell(cell(6));
    expect(more.sketch!.values.slice(0, few.sketch!.values.length)).toEqual(few.sketch!.values);
    await expect(runCell(cell(9))).rejects.toThrow(/9 asked for, the data has 8 tasks/);
  });

  test("methods without a schedule run once in a sweep of the budget", () => {
    const sweep = parseSweep("exponent:-1,0,0.4");
    expect(variantsOf(sweep, "mp-low-rank")).toEqual([-1, 0, 0.4]);
    expect(variantsOf(sweep, "trace-norm")).toEqual([null]);
    expect(variantsOf(parseSweep("tasks:4,8"), "trace-norm")).toEqual([4, 8]);
    expect(() => parseSweep("rounds:1")).toThrow(/sweep: expected/);
    expect(() => parseSweep("tasks:4,4")).toThrow(/sweep: expected/);
  });
});

describe("search ranges", () => {
  test.each(METHOD_NAMES)("%s: documented, and every candidate is accepted", (method) => {
    const { ranges } = methodNamed(method);
    const grid = gridCandidates(ranges);
    const drawn = randomCandidates(ranges, 10, "s");
    // A method with nothing to search has one candidate: its defaults.
    expect(grid.length).toBeGreaterThan(Object.keys(ranges).length > 0 ? 1 : 0);
    expect(grid.length).toBeLessThanOrEqual(20);
    for (const candidate of [...grid, ...drawn]) {
      expect(makeEstimator(method, candidate).method).toBe(method);
    }
    expect(randomCandidates(ranges, 10, "s")).toEqual(drawn);
  });

  test("random draws stay within their ranges and cover them", () => {
    const ranges = { lambda: { from: 10, to: 0.01, points: 4 }, clip: [1, 2] };
    const drawn = randomCandidates(ranges, 300, "cover") as { lambda: number; clip: number }[];
    const lambdas = drawn.map(({ lambda }) => lambda);
    expect(Math.max(...lambdas)).toBeLessThanOrEqual(10);
    expect(Math.min(...lambdas)).toBeGreaterThanOrEqual(0.01);
    // Half of a log-uniform draw lies below the geometric middle: 5 standard errors, a false alarm in 10^6.
    const below = lambdas.filter((lambda) => lambda < 10 ** -0.5).length / drawn.length;
    expect(Math.abs(below - 0.5)).toBeLessThan(5 * Math.sqrt(0.25 / drawn.length));
    expect(gridCandidates(ranges).map(({ lambda }) => lambda)).toEqual([
      10, 10, 1, 1, 0.1, 0.1, 0.01, 0.01,
    ]);
    // Strongest penalty first, which the one-standard-error rule prefers.
    expect(lambdas).toEqual([...lambdas].sort((a, b) => b - a));
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

test("its data can be had in code, for methods that it does not know", async () => {
  const options = { pattern: "group-sparse", tasks: 6 } as const;
  const common = {
    method: "single-task",
    epsilon: null,
    replicate: 2,
    seed: "0",
    ...({ normalize: "none", options: {}, tuning: { kind: "none" } } as const),
  };
  const alone = makeEstimator("single-task");
  const drawn = simulate({ ...options, seed: "0/data/2" });
  const ofDrawn = await runCell({ ...common, data: { kind: "simulation", options } });
  expect(ofDrawn.scores).toEqual((await alone.fit(drawn.train)).score(drawn.test));
  const table = simulate({ ...options, seed: "table" }).train;
  const parts = table.split({ trainFraction: 0.7, seed: "0/data/2" });
  const data = { kind: "table", tasks: taskArrays(table), trainFraction: 0.7, take: 6 } as const;
  const ofTable = await runCell({ ...common, data });
  expect(ofTable.scores).toEqual((await alone.fit(parts.train)).score(parts.test));
});

test("a method that fails is named, with what to do for the others; the data's own faults are not its", async () => {
  const { train } = simulate({ pattern: "low-rank", tasks: 4, features: 3, seed: "named" });
  const cell = {
    method: "mp-mixed",
    epsilon: 0.5,
    replicate: 2,
    seed: "s",
    options: {},
    data: { kind: "table", tasks: taskArrays(train), trainFraction: 0.5, take: 4 },
    ...({ normalize: "none", tuning: { kind: "none" } } as const),
  } as const;
  await expect(runCell(cell)).rejects.toThrow(
    /^mp-mixed at eps 0\.5, replicate 2: epsilon: .* too few [^]*\n.*--settings FILE with \{ "mp-mixed": \{ "options": [^]*\n.* without mp-mixed: .* --methods/,
  );
  const tooMany = { ...cell, data: { ...cell.data, take: 9 } };
  await expect(runCell(tooMany)).rejects.toThrow(/^--sweep tasks: 9 asked for/);
});

test("a results file with a damaged line inside is refused by number", async () => {
  const path = join(folder, "damaged.jsonl");
  const file = await ResultsFile.open(path, { a: 1 });
  const result: CellResult = {
    method: "single-task",
    epsilon: null,
    replicate: 0,
    rowsLeftOut: 0,
    chosen: {},
    tuning: "none",
    guarantee: null,
    scores: { nmse: 0.5, nmsePerTask: 0.5, tasksLeftOut: 0 },
  };
  await expect(ResultsFile.open(path, { a: 1 })).rejects.toThrow("has this evaluation");
  appendFileSync(path, "{broken\n");
  await expect(file.append(result)).rejects.toThrow("another one has written to it");
  appendFileSync(path, `${JSON.stringify(result)}\n`);
  file.close();
  await expect(ResultsFile.open(path, { a: 1 })).rejects.toThrow(/line 2 is damaged/);
});

test("a line that a kill left without its end is made again, and names keep their rare ends of lines", async () => {
  const path = join(folder, "unended.jsonl");
  const about = { data: "a\u2028b.csv" };
  const result = (replicate: number) => ({ method: "a\u2028b", epsilon: null, replicate }) as unknown as CellResult; // prettier-ignore
  const open = () => ResultsFile.open(path, about);
  const first = await open();
  await first.append(result(0));
  first.close();
  appendFileSync(path, JSON.stringify(result(1)));
  const again = await open();
  expect(again.torn).toBe(true);
  expect([0, 1].map((k) => again.has(result(k)))).toEqual([true, false]);
  await again.append(result(1));
  again.close();
  const last = await open();
  expect(last.torn).toBe(false);
  expect([0, 1].map((k) => last.has(result(k)))).toEqual([true, true]);
  last.close();
});

test("an evaluation that ends before its first result leaves nothing, so that other settings may follow", async () => {
  const path = join(folder, "without", "results.jsonl");
  (await ResultsFile.open(path, { a: 1 })).close();
  expect(existsSync(join(folder, "without"))).toBe(false);
  const kept = await ResultsFile.open(path, { a: 2 });
  await kept.append(result("single-task", 0, 0.5));
  kept.close();
  (await ResultsFile.open(path, { a: 2 })).close();
  expect(readFileSync(path, "utf8")).toContain("single-task");
  // A folder that was there stays.
  const other = join(folder, "there", "results.jsonl");
  mkdirSync(join(folder, "there"));
  (await ResultsFile.open(other, { a: 1 })).close();
  expect([existsSync(other), existsSync(join(folder, "there"))]).toEqual([false, true]);
});

const result = (method: string, replicate: number, nmse: number): CellResult => ({
  method,
  epsilon: null,
  replicate,
  rowsLeftOut: 0,
  chosen: {},
  tuning: "none",
  guarantee: null,
  scores: { nmse, nmsePerTask: nmse, tasksLeftOut: 0 },
});

test("summaries say what share of the way to the best method without privacy a budget keeps", () => {
  const at = (epsilon: number, ...nmse: number[]) =>
    nmse.map((value, k) => ({ ...result("mp-mixed", k, value), epsilon }));
  const open = [
    result("single-task", 0, 0.5),
    result("single-task", 1, 0.9),
    result("pooled", 0, 0.45),
    result("pooled", 1, 0.8),
    result("mixed-model", 0, 0.3),
    result("mixed-model", 1, 0.5),
  ];
  const rows = summarize([...open, ...at(1, 0.35, 0.6), ...at(10, 0.3, 0.5)]);
  // The way is the mean of .2 and .4; at eps 1 they go .15 and .3 of it.
  const [small, large] = rows.slice(-2);
  expect(small).toMatchObject({ reference: "mixed-model" });
  expect(small!.share!.mean).toBeCloseTo(0.75, 12);
  expect(small!.share!.standardError).toBeCloseTo(0.25, 12);
  expect(large!.share!.mean).toBeCloseTo(1, 12);
  expect(rows.slice(0, 3).map(({ share }) => share)).toEqual([null, null, null]);
  expect(summaryTable(rows)).toContain("75 ± 25 %");
  // A share of minus thousands says no more than that it is far behind learning alone.
  expect(summaryTable(summarize([...open, ...at(1, 30, 60)]))).toMatch(/ below -100 % /);
  expect(summaryTable(summarize([...open, ...at(1, 0.6, 1)]))).toContain("-33 ± 0 %");
  // Nothing to gain: the others are behind alone, or ahead by less than a standard error.
  const none = [
    result("single-task", 0, 0.5),
    result("single-task", 1, 0.5),
    result("pooled", 0, 0.3),
    result("pooled", 1, 0.65),
  ];
  expect(summarize([...none, ...at(1, 0.4, 0.4)]).at(-1)).toMatchObject({ share: null });
});

test("one replicate has no standard error", () => {
  const [row] = summarize([result("single-task", 0, 0.5)]);
  expect(row!.metrics["nmse"]).toEqual({ mean: 0.5, standardError: null });
  expect(summaryTable([row!])).not.toContain("±");
});

test("remarks on budgets, on searches that end at an edge, and on a single replicate", () => {
  const tuned = (replicate: number, lambda: number): CellResult => ({
    ...result("trace-norm", replicate, 0.5),
    tuning: "cv",
    chosen: { lambda },
  });
  const grid = { lambda: { from: 10, to: 0.01, points: 4 } };
  const remarks = (cells: CellResult[], m = 3) =>
    evaluationRemarks(cells, {
      ranges: { "trace-norm": grid },
      sizes: { m, d: 5 },
      delta: "papers",
    });
  const edge = remarks([tuned(0, 10), tuned(1, 10), tuned(2, 1)]);
  expect(edge).toEqual([expect.stringMatching(/lambda of trace-norm .* edge .* 10, in 2 of 3/)]);
  expect(remarks([tuned(0, 1), tuned(1, 0.1)])).toEqual([]);
  expect(remarks([tuned(0, 1)])).toEqual([expect.stringContaining("one replicate")]);
  const undefinedFigure = [0, 1].map((k) => {
    const cell = tuned(k, 1);
    return { ...cell, scores: { ...cell.scores, nmse: null } };
  });
  expect(remarks(undefinedFigure)).toEqual([expect.stringContaining("nMSE is not defined")]);
  const budgets = [1, 10].flatMap((epsilon) =>
    [0, 1].map((k) => ({ ...result("mp-mixed", k, 0.5), epsilon })),
  );
  const said = remarks(budgets).join("\n");
  expect(said).toMatch(/keep \d+ % at eps 1, \d+ % at eps 10/);
  expect(said).toContain("epsilon 10 or more");
  expect(said).toContain("one task in three");
  expect(remarks(budgets, 100_000).join()).not.toContain("may be shown whole");
  const guarantee = {
    unit: "record",
    epsilon: 1,
    delta: 0.01,
    mechanism: "gaussian",
    sound: true,
  } as const;
  const ofRecords = (rowsPerTask: number) =>
    evaluationRemarks([{ ...budgets[0]!, guarantee }], {
      ranges: {},
      sizes: { m: 3, d: 5, rowsPerTask },
      delta: 0.01,
    }).join();
  expect(ofRecords(100)).toContain("one record in 100 may be shown whole");
  expect(ofRecords(20)).toContain("one record in 100 may be shown whole");
  expect(ofRecords(20)).not.toContain("on average");
});

test("it says which method auto took at which budget, and why", async () => {
  const { train } = simulate({ pattern: "low-rank", tasks: 60, features: 3, seed: "taken" });
  const run = (epsilon: number, replicate = 0) =>
    runCell({
      method: "auto",
      epsilon,
      replicate,
      seed: "s",
      normalize: "none",
      data: { kind: "table", tasks: taskArrays(train), trainFraction: 0.5 },
      options: { scale: "unit" },
      tuning: { kind: "none" },
    });
  const cells = [await run(10), await run(0.02), await run(0.01), await run(10, 1)];
  expect(evaluationRemarks(cells, { ranges: {} })).toEqual([
    "auto takes mp-mixed at eps 10: 60 tasks with 3 features are a table of grouped rows, with columns that are said to be of about unit size",
    expect.stringMatching(/^auto takes single-task at eps 0\.01, 0\.02: .* at epsilon 0\.02: /),
  ]);
});

test("it says from how many of a table's rows tasks learned", () => {
  const said = (trainFraction: number | undefined, rowsPerTask?: number) =>
    evaluationRemarks(
      [0, 1].map((k) => result("single-task", k, 0.5)),
      { ranges: {}, trainFraction, ...(rowsPerTask ? { sizes: { m: 9, d: 3, rowsPerTask } } : {}) },
    );
  expect(said(undefined)).toEqual([]);
  expect(said(0.3, 2.5)).toEqual([
    expect.stringMatching(/^tasks learned from 30 % of their rows, 2\.5 in the mean, .*0\.7/),
  ]);
  expect(said(0.7)).toEqual([
    "tasks learned from 70 % of their rows, and were scored on the others",
  ]);
});

test("equal values have no standard error", () => {
  expect(estimateOf([0.77, 0.77, 0.77]).standardError).toBe(0);
  expect(estimateOf([0.77, 0.78]).standardError).toBeCloseTo(0.005, 12);
  expect(estimateOf([0.77]).standardError).toBeNull();
});

test("an epsilon of records is said to be none of tasks, for which alone expectations are known", () => {
  const said = (unit: "task" | "record") =>
    evaluationRemarks(
      [0, 1].map((k) => ({
        ...result("mp-mixed", k, 0.5),
        epsilon: 1,
        guarantee: { unit, epsilon: 1, delta: 1e-6, mechanism: "gaussian-mean", sound: true },
      })),
      { ranges: {}, sizes: { m: 60, d: 3 }, delta: 1e-6 },
    );
  expect(said("record")).toEqual([
    "epsilon of mp-mixed is of one record, not of a task: what is true of a whole task is not hidden",
  ]);
  expect(said("task")).toEqual([expect.stringContaining("can be expected to keep")]);
});

test("learning alone that is worse than guessing is remarked on: gains on it say little", () => {
  const cell = (replicate: number, logLoss: number): CellResult => ({
    ...result("single-task", replicate, 0),
    scores: { accuracy: 0.5, logLoss, tasksLeftOut: 0 },
  });
  const said = (losses: number[], classes: number) =>
    evaluationRemarks(
      losses.map((loss, k) => cell(k, loss)),
      {
        ranges: {},
        sizes: { m: 9, d: 2, classes },
      },
    );
  expect(said([1.3, 1.2], 3)).toEqual([
    expect.stringMatching(
      /^single-task has a larger log-loss than guessing among the 3 classes, 1\.099: /,
    ),
  ]);
  expect(said([1.3, 1.2], 4)).toEqual([]);
  expect(said([0.7, 0.72], 2)).toHaveLength(1);
});

test("private methods that guessing beats are named with their budgets; of several classes less of a share is expected", () => {
  const cell = (method: string, epsilon: number, logLoss: number): CellResult => ({
    ...result(method, 0, 0),
    epsilon,
    scores: { accuracy: 0.5, logLoss, tasksLeftOut: 0 },
  });
  const said = (classes: number) =>
    evaluationRemarks(
      [
        cell("pmtl", 1, 1.2),
        cell("pmtl", 3, 0.6),
        cell("private-fedavg", 1, 200),
        cell("private-fedavg", 1, 1),
        cell("pooled", 0, 5),
        ...[cell("pmtl", 1, 1.1)].map((one) => ({ ...one, replicate: 1 })),
      ],
      { ranges: {}, sizes: { m: 200, d: 3, classes }, delta: 1e-6 },
    );
  const shareIn = (remark: string) => Number(/keep (\d+) % at eps 1/.exec(remark)![1]);
  expect(shareIn(said(3)[0]!)).toBeLessThan(shareIn(said(2)[0]!));
  expect(said(3).slice(1)).toEqual([
    expect.stringMatching(
      /^larger log-losses than guessing among the 3 classes, 1\.099: pmtl at eps 1, private-fedavg at eps 1\. /,
    ),
  ]);
});

test("where auto took learning alone, no noise is blamed for being worse than guessing", () => {
  const cell = (method: string): CellResult => ({
    ...result("auto", 0, 0),
    epsilon: 1,
    taken: { method, why: "of sizes" },
    scores: { accuracy: 0.5, logLoss: 1.2, tasksLeftOut: 0 },
  });
  const said = (method: string) =>
    evaluationRemarks([cell(method)], { ranges: {}, sizes: { m: 60, d: 3, classes: 2 } }).join();
  expect(said("mp-mixed")).toContain("auto at eps 1. Their noise outweighs");
  expect(said("single-task")).not.toContain("noise");
});

test("summaries pair each replicate with single-task on the same data", () => {
  const [alone, together] = summarize([
    result("single-task", 0, 0.5),
    result("single-task", 1, 0.9),
    result("trace-norm", 0, 0.4),
    result("trace-norm", 1, 0.6),
  ]);
  expect(alone!.metrics["nmse"]!.mean).toBeCloseTo(0.7, 12);
  expect(together!.gainOnSingleTask!.mean).toBeCloseTo(0.2, 12);
  expect(together!.gainOnSingleTask!.standardError).toBeCloseTo(0.1, 12);
});

test("an evaluation stops where another process wrote to its file, also a line of the same length", async () => {
  const path = join(folder, "same-length.jsonl");
  const file = await ResultsFile.open(path, { a: 1 });
  const cell = (replicate: number) =>
    ({ method: "single-task", epsilon: null, replicate }) as unknown as CellResult;
  await file.append(cell(1));
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace('"replicate":1', '"replicate":7'));
  await expect(file.append(cell(2))).rejects.toThrow("it is not as this process left it");
  file.close();
});
