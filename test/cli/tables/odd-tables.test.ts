import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readSource } from "../../../src/cli/evaluation/plan/source.js";
import type { Cell } from "../../../src/cli/evaluation/cells/cell.js";
import { runCell } from "../../../src/cli/evaluation/cells/run-cell.js";
import { main } from "../../../src/cli/run.js";
import { fillGaps, TaskSet } from "../../../src/data/index.js";
import { SingleTask } from "../../../src/learning/index.js";
import { seededUniforms } from "../../../src/data/split/shuffle.js";
import { csvText } from "../../../src/data/table/csv-text.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";
import { LEFT_OUT, someOf, thorough } from "../../thorough.js";

const folder = temporaryFolder();
const program = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

type Value = string | number;

interface Shape {
  readonly m?: number;
  readonly rows?: (task: number) => number;
  readonly target?: (score: number, task: number, row: number) => Value;
  readonly change?: (row: Value[], at: number) => Value[];
  readonly header?: string[];
}

/** A table whose tasks differ, written as CSV, gzipped where its name says so. */
function table(name: string, shape: Shape): string {
  const { m = 6, rows = () => 12, target = (score) => score, change = (row) => row } = shape;
  const uniform = seededUniforms("odd", name);
  const lines: Value[][] = [];
  for (let task = 0; task < m; task++) {
    const w = [uniform() - 0.5, uniform() - 0.5];
    for (let row = 0; row < rows(task); row++) {
      const x = [uniform() - 0.5, uniform() - 0.5];
      const score = w[0]! * x[0]! + w[1]! * x[1]! + 0.1 * (uniform() - 0.5);
      lines.push(change([`task ${task}`, target(score, task, row), ...x], lines.length));
    }
  }
  const text = [...csvText(shape.header ?? ["task", "y", "a", "b"], lines)].join("");
  const path = join(folder, name);
  writeFileSync(path, name.endsWith(".gz") ? gzipSync(text) : text);
  return path;
}

const yes = (score: number) => (score > 0 ? "yes" : "no");

const odd: [string, Shape, RegExp[]][] = [
  ["text-labels.csv", { target: yes }, [/loss logistic/]],
  ["zero-one.csv.gz", { target: (score) => (score > 0 ? 1 : 0) }, [/loss logistic/]],
  [
    "one-class-tasks.csv",
    {
      target: (score, task) => (task < 2 ? "yes" : yes(score)),
      rows: (task) => (task === 3 ? 1 : 9),
    },
    [/loss logistic/],
  ],
  [
    "rare-class.csv",
    { target: (_score, task, row) => (task === 0 && row === 0 ? "rare" : row % 2 ? "u" : "v") },
    [/loss softmax/],
  ],
  [
    "gaps.csv",
    {
      change: ([task, y, a, b], at) => [
        task!,
        at % 11 ? y! : "",
        at % 5 ? a! : "NA",
        at % 7 ? b! : "",
      ],
    },
    [
      /missing values filled in by the mean of their task's training rows: "a", "b"/,
      /7 rows without a target left out/,
    ],
  ],
  [
    "categories.csv",
    { change: ([task, y, a], at) => [task!, y!, a!, ["red", "green", ""][at % 3]!] },
    [/text columns taken as categories: "b"/],
  ],
  [
    "free-text.csv",
    { m: 8, change: ([task, y, a], at) => [task!, y!, a!, `note ${at}`] },
    [/more than 50 different texts left out: "b"/],
  ],
  [
    "missing-text.csv",
    { change: ([task, y, a], at) => [task!, y!, at % 5 ? a! : "", ["u", "v", ""][at % 3]!] },
    [/training rows: "a"\n/, /missing values taken for a category of their own: "b"/],
  ],
  [
    "cases.csv",
    { change: ([task, y, a], at) => [task!, y!, a!, 7000 + at] },
    [
      /"b" has another whole number in every row, as numbers of cases are.*identifiers \(--ranges\)/,
    ],
  ],
  [
    "tiny.csv",
    { change: ([task, y, a], at) => [task!, y!, a!, (1 + (at % 7)) * 1e-6] },
    [/"b" holds only numbers below 1e-4.*declare its range \(--ranges\)/],
  ],
  [
    "many-dates.csv",
    {
      change: ([task, y, a], at) => [
        task!,
        y!,
        a!,
        `2024-${String((at % 12) + 1).padStart(2, "0")}-${10 + Math.floor(at / 12)}`,
      ],
    },
    [/more than 50 different dates left out: "b"; written as numbers/],
  ],
  ["constant-column.csv", { change: ([task, y, a]) => [task!, y!, a!, 7] }, []],
  ["zeros.csv", { change: ([task, y]) => [task!, y!, 0, 0] }, []],
  ["single-rows.csv", { rows: (task) => (task < 3 ? 1 : 6) }, []],
  ["two-tasks.csv", { m: 2 }, []],
  ["one-task.csv", { m: 1, rows: () => 20 }, []],
  ["two-rows-each.csv", { m: 4, rows: () => 2 }, []],
  [
    "quotes.csv",
    {
      header: ["the, task", 'a "target"', "x,1", "x\n2"],
      change: ([task, ...rest]) => [`"${task}", 'quoted'`, ...rest],
    },
    [],
  ],
];

test("a column of weights is not said to be left out", async () => {
  const weighted: Shape = { change: ([task, y, a], at) => [task!, y!, a!, 1 + (at % 3)] };
  const source = await readSource({
    data: table("weights.csv", weighted),
    task: "task",
    target: "y",
    weights: "b",
    features: undefined,
    missing: "impute",
    simulate: undefined,
    tasks: undefined,
    loss: "auto",
    trainFraction: 0.5,
  } as Parameters<typeof readSource>[0]);
  expect(source.notes.join("\n")).not.toContain('"b"');
});

describe("evaluate and report run unattended on odd tables", () => {
  test.each(odd)("%s", async (name, shape, notes) => {
    const [task, target] = shape.header ?? ["task", "y"];
    const source = await readSource({
      data: table(name, shape),
      task,
      target,
      features: undefined,
      missing: "impute",
      simulate: undefined,
      tasks: undefined,
      loss: "auto",
      trainFraction: 0.5,
    } as Parameters<typeof readSource>[0]);
    for (const note of notes) expect(source.notes.join("\n")).toMatch(note);
    const methods =
      source.loss === "softmax" ? ["single-task", "pmtl"] : ["single-task", "mp-low-rank"];
    for (const method of methods) {
      for (const kind of someOf(["none", "cv", "private"] as const, 2)) {
        if (kind === "private" && method === "single-task") continue;
        const candidates = [{ lambda: 1 }, { lambda: 0.01 }];
        const budget =
          method === "single-task" ? {} : { delta: source.m < 3 ? 0 : "auto", rounds: 2 };
        const cell: Cell = {
          method,
          epsilon: method === "single-task" ? null : 2,
          replicate: 0,
          data: source.data,
          seed: "s",
          normalize: "rows",
          options: { loss: source.loss, ...budget },
          tuning:
            kind === "none"
              ? { kind }
              : kind === "cv"
                ? { kind, candidates, folds: 5, oneStandardError: false }
                : { kind, candidates, folds: 5, repetitions: "all", scoreShare: 0.2 },
        };
        const { scores, guarantee } = await runCell(cell);
        for (const score of [scores.nmse, scores.auc, scores.accuracy]) {
          expect(score === undefined || score === null || Number.isFinite(score)).toBe(true);
        }
        if (guarantee) expect(guarantee).toMatchObject({ epsilon: 2, sound: true });
      }
    }
  });

  test("tasks without any target are counted, not lost in silence", async () => {
    const data = table("no-target.csv", {
      change: ([task, y, ...rest], at) => [task!, at < 24 ? "" : y!, ...rest],
    });
    const { notes, m } = await readSource({
      data,
      task: "task",
      target: "y",
      features: undefined,
      missing: "impute",
      simulate: undefined,
      tasks: undefined,
      loss: "auto",
      trainFraction: 0.5,
    } as Parameters<typeof readSource>[0]);
    expect(m).toBe(4);
    expect(notes.join("\n")).toContain(
      "24 rows without a target left out, among them all rows of 2 tasks, for which there will be no model",
    );
  });

  test("a target that never changes is refused with what to do", async () => {
    const data = table("constant-target.csv", { target: () => 5 });
    const source = readSource({
      data,
      task: "task",
      target: "y",
      features: undefined,
      missing: "impute",
      simulate: undefined,
      tasks: undefined,
      loss: "auto",
      trainFraction: 0.5,
    } as Parameters<typeof readSource>[0]);
    await expect(source).rejects.toThrow(
      'constant-target.csv: the target "y" is the same in all of its 72 rows: whatever predicts that value is right, so ' +
        "there is nothing to compare. Is it the right column (--target)",
    );
  });

  test.skipIf(!thorough || !existsSync(program))(
    `the whole path, by the built program ${LEFT_OUT}`,
    () => {
      const data = table("whole.csv", {
        target: yes,
        change: ([task, y, a], at) => [task!, y!, at % 5 ? a! : "", ["p", "q"][at % 2]!],
      });
      const run = (...args: string[]) =>
        spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
      const out = join(folder, "whole");
      const report = join(folder, "whole.html");
      const args = ["--data", data, "--task", "task", "--target", "y", "--epsilon", "1"];
      const some = ["--methods", "single-task,mp-feature-learning", "--replicates", "2"];
      const evaluated = run("evaluate", ...args, ...some, "--workers", "1", "--out", out);
      expect(evaluated.status, evaluated.stderr).toBe(0);
      expect(evaluated.stdout).toMatch(/data: text columns taken as categories: "b"/);
      const reported = run("report", "--results", out, "--out", report);
      expect(reported.status, reported.stderr).toBe(0);
      expect(readFileSync(report, "utf8")).toContain("Data: text columns taken as categories");
    },
  );
});

test("evaluate's numbers are those of fit on the same rows", async () => {
  const data = table("agree.csv", { m: 5, rows: () => 14 });
  const source = await readSource({
    data,
    task: "task",
    target: "y",
    missing: "impute",
    features: undefined,
    simulate: undefined,
    tasks: undefined,
    loss: "auto",
    trainFraction: 0.5,
  } as Parameters<typeof readSource>[0]);
  if (source.data.kind !== "table") throw new TypeError("expected a table");
  const all = TaskSet.adopt(source.data.tasks);
  const { train, test: held } = all.split({ trainFraction: 0.5, seed: "s/data/3" });
  const write = (name: string, tasks: TaskSet) => {
    const lines = [...tasks].flatMap(({ name: task, x, y, n }) =>
      Array.from({ length: n }, (_, row) => [task, y[row]!, x[2 * row]!, x[2 * row + 1]!]),
    );
    writeFileSync(join(folder, name), [...csvText(["task", "y", "a", "b"], lines)].join(""));
    return join(folder, name);
  };
  const files = [
    "--data",
    write("agree-train.csv", train),
    "--test",
    write("agree-test.csv", held),
  ];
  for (const [method, epsilon] of [
    ["single-task", null],
    ["trace-norm", null],
    ["mp-low-rank", 2],
    ["mp-hierarchical", 2],
    ["pmtl", 2],
    ["dp-aggregation", 2],
  ] as const) {
    const { scores } = await runCell({
      method,
      epsilon,
      replicate: 3,
      data: source.data,
      seed: "s",
      normalize: "rows",
      options: { loss: source.loss },
      tuning: { kind: "none" },
    });
    const io = testIo();
    const columns = ["--task", "task", "--target", "y", "--normalize", "rows", "--json"];
    const budget =
      epsilon === null
        ? []
        : ["--epsilon", String(epsilon), "--seed", `s/noise/${method}/${epsilon}/3`];
    const code = await main(["fit", ...files, ...columns, "--method", method, ...budget], io);
    expect(code, io.err()).toBe(0);
    expect((JSON.parse(io.out()) as { test: unknown }).test).toEqual(scores);
  }
});

test("fit makes of a raw table what evaluate makes of it", async () => {
  const data = table("raw.csv", {
    m: 5,
    rows: () => 9,
    target: yes,
    change: ([task, y, a, b], at) => [
      task!,
      at % 11 ? y! : "",
      at % 4 ? a! : "",
      Number(b) > 0 ? "u" : "v",
    ],
  });
  const source = await readSource({
    data,
    task: "task",
    target: "y",
    missing: "impute",
    features: undefined,
    simulate: undefined,
    tasks: undefined,
    loss: "auto",
    trainFraction: 0.5,
  } as Parameters<typeof readSource>[0]);
  if (source.data.kind !== "table") throw new TypeError("expected a table");
  const open = TaskSet.adopt(source.data.tasks);
  const tasks = fillGaps({ train: open, test: open }).train;
  expect(tasks.featureNames).toEqual(["a", "b=v"]);
  const model = await new SingleTask({ loss: source.loss }).fit(tasks);
  const io = testIo();
  const columns = ["--task", "task", "--target", "y", "--method", "single-task", "--json"];
  expect(await main(["fit", "--data", data, ...columns], io), io.err()).toBe(0);
  const document = JSON.parse(io.out()) as { train: unknown; notes: string[] };
  expect(document.train).toEqual(model.score(tasks));
  expect(document.notes).toEqual(source.notes);
});
