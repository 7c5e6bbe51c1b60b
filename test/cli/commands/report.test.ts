import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ResultsFile } from "../../../src/cli/evaluation/cells/results-file.js";
import { promiseOf } from "../../../src/cli/evaluation/findings/promise.js";
import type { CellResult } from "../../../src/cli/evaluation/cells/cell.js";
import { runCell } from "../../../src/cli/evaluation/cells/run-cell.js";
import { main } from "../../../src/cli/run.js";
import { simulate } from "../../../src/data/index.js";
import { MpLowRank } from "../../../src/learning/index.js";
import { saveModel } from "../../../src/model/index.js";
import { downloads } from "../../report/downloads.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

const folder = temporaryFolder();
const configuration = {
  simulate: "low-rank",
  tasks: null,
  methods: ["single-task", "mp-low-rank"],
  epsilon: [1, 10],
  replicates: 2,
  tune: "cv",
  oneStandardError: false,
  settings: {},
};

const cell = (method: string, epsilon: number | null, replicate: number, nmse: number) => ({
  method,
  epsilon,
  replicate,
  rowsLeftOut: 0,
  chosen: {},
  tuning: "cv",
  scores: { nmse, nmsePerTask: nmse, tasksLeftOut: 0 },
  guarantee:
    epsilon === null
      ? null
      : { unit: "task" as const, epsilon, delta: 1e-3, mechanism: "gaussian", sound: true },
});

async function results(name: string, cells: readonly object[]): Promise<string> {
  const directory = join(folder, name);
  const file = await ResultsFile.open(join(directory, "results.jsonl"), configuration);
  for (const one of cells) await file.append(one as CellResult);
  return directory;
}

const complete = [
  cell("single-task", null, 0, 0.5),
  cell("single-task", null, 1, 0.7),
  cell("mp-low-rank", 1, 0, 0.41),
  cell("mp-low-rank", 1, 1, 0.43),
  cell("mp-low-rank", 10, 0, 0.3),
  cell("mp-low-rank", 10, 1, 0.2),
];

async function report(...args: string[]) {
  const io = testIo();
  const code = await main(["report", ...args], io);
  return { code, io };
}

describe("what a report says that eps promises", () => {
  const hiding = (unit: "task" | "record" | "person", method: string) => ({
    ...cell(method, 1, 0, 0.4),
    guarantee: { unit, epsilon: 1, delta: 1e-6, mechanism: "gaussian-mean", sound: true },
  });
  const says = (...cells: ReturnType<typeof hiding>[]) =>
    promiseOf(cells as unknown as CellResult[]).join("\n");

  test("is of tasks, records or persons, as the fits were", () => {
    expect(says(hiding("task", "pmtl"))).toContain("whatever one task's data had been");
    for (const [unit, words] of [
      ["record", "whatever one record (row) of one task had been"],
      ["person", "whatever the rows of one person had been"],
    ] as const) {
      const said = says(hiding(unit, "pmtl"));
      expect(said).toContain(words);
      expect(said).toContain("what is true of a whole task is not hidden");
      expect(said).not.toContain("one task's data");
    }
  });

  test("is of tasks that add nothing in the other world where that is what was compared", () => {
    const zero = hiding("task", "pmtl");
    const stated = { ...zero, guarantee: { ...zero.guarantee, adjacency: "zero-out" } };
    const said = says(stated);
    expect(said).toContain("whether one task adds what it does or nothing");
    expect(said).not.toContain("data had been");
    expect(says(stated, hiding("task", "mp-mixed"))).toContain("whatever one task's data had been");
  });

  test("is nothing where no noise that is sound was compared, and never called certain but for delta", () => {
    const papers = { ...hiding("task", "mp-low-rank") };
    papers.guarantee = { ...papers.guarantee, mechanism: "wishart", sound: false };
    expect(says(papers)).not.toContain("promises what eps says");
    const both = says(papers, hiding("task", "pmtl"));
    expect(both).toContain("A fit of pmtl without a seed promises what eps says");
    expect(both).toContain("would have seen nearly the same where eps is small: whatever they see");
    expect(both).toContain("at most e^eps times as likely, plus delta (at most 0.000001 here)");
    expect(both).not.toContain("except with probability delta");
  });

  test("names the methods where they differ", () => {
    const said = says(hiding("task", "mp-low-rank"), hiding("record", "pmtl"));
    expect(said).toMatch(/A fit of mp-low-rank .* one task's data .*\nA fit of pmtl .* one record/);
  });
});

test("the report's numbers are those of the results file", async () => {
  const directory = await results("complete", complete);
  const out = join(folder, "complete.html");
  const { code, io } = await report("--results", directory, "--out", out, "--json");
  expect(code, io.err()).toBe(0);
  const { figures } = JSON.parse(io.out()) as { figures: string[] };
  expect(figures).toEqual(["privacy-accuracy-nmse", "privacy-accuracy-nmsepertask"]);
  const html = readFileSync(out, "utf8");
  const csv = downloads(html);
  expect(csv).toContain("mp-low-rank,1,0.42,0.01");
  expect(html).toContain('<td class="number">0.42</td>');
  expect(html).toContain("--simulate low-rank --methods single-task,mp-low-rank --epsilon 1,10");
  expect(html).toContain("Not charged to eps: hyper-parameters of mp-low-rank");
  expect(html).not.toContain("Not finished");
});

test("traced runs give curves over releases and maps before, in the open and protected", async () => {
  const cells: CellResult[] = [];
  for (const [method, epsilon, options] of [
    ["single-task", null, {}],
    ["trace-norm", null, {}],
    ["mp-low-rank", 1, { rounds: 4, clip: 5 }],
    ["mp-low-rank", 10, { rounds: 4, clip: 5 }],
  ] as const) {
    const data = {
      kind: "simulation",
      options: { pattern: "low-rank", tasks: 6, features: 4 },
    } as const;
    const common = {
      replicate: 0,
      seed: "r",
      normalize: "rows",
      tuning: { kind: "none" },
    } as const;
    cells.push(await runCell({ method, epsilon, data, options, traced: true, ...common }));
  }
  const directory = await results("traced", cells);
  const out = join(folder, "traced.html");
  const { code, io } = await report("--results", directory, "--out", out, "--json");
  expect(code, io.err()).toBe(0);
  expect((JSON.parse(io.out()) as { figures: string[] }).figures).toEqual([
    "privacy-accuracy-nmse",
    "privacy-accuracy-nmsepertask",
    "noise-to-signal",
    "eps-over-rounds",
    "models",
    "task-relationships",
  ]);
  const html = readFileSync(out, "utf8");
  const csv = downloads(html);
  const { trace, sketch } = cells[2]!;
  expect(trace!.spent.length).toBe(4);
  // The whole plan is charged with the last release.
  expect(trace!.spent.at(-1)).toBeCloseTo(1, 3);
  trace!.noiseToSignal.forEach((ratio, k) => {
    expect(csv).toContain(`"mp-low-rank, eps 1",${k + 1},${ratio}`);
  });
  const feature3 = sketch!.tasks.map((_, i) => sketch!.values[4 * i + 2]);
  expect(csv).toContain(`"protected: mp-low-rank, eps 1",3,${feature3.join(",")}\n`);
  expect(csv).toContain("before: single-task,1,");
  const errors = cells[2]!.taskErrors!;
  const worse = errors.filter((error, i) => error! > cells[0]!.taskErrors![i]!).length;
  expect(html).toContain(`; ${worse} of 6 tasks fared worse than alone (first replicate).`);
});

test("results of a table and their report are for whoever may see its rows, and the report has no digest of these", async () => {
  const of = async (name: string, more: object) => {
    const directory = join(folder, name);
    const given = { ...configuration, ...more };
    const file = await ResultsFile.open(join(directory, "results.jsonl"), given);
    for (const one of complete) await file.append(one as CellResult);
    file.close();
    const out = join(folder, `${name}.html`);
    expect((await report("--results", directory, "--out", out)).code).toBe(0);
    return { html: readFileSync(out, "utf8"), paths: [join(directory, "results.jsonl"), out] };
  };
  const table = await of("of-rows", { simulate: null, dataDigest: "d1935".repeat(12) });
  expect(table.html).toContain("This report is for whoever may see all rows");
  expect(table.html).not.toContain("d1935");
  const simulated = await of("of-nobody", {});
  expect(simulated.html).not.toContain("may see all rows");
  if (process.platform === "win32") return;
  const open = (path: string) => statSync(path).mode & 0o077;
  expect(table.paths.map(open)).toEqual([0, 0]);
  expect(simulated.paths.map(open)).not.toContain(0);
});

test("a sweep is drawn against its values", async () => {
  const swept = { ...configuration, sweep: "tasks:20,80" };
  const directory = join(folder, "sweep");
  const file = await ResultsFile.open(join(directory, "results.jsonl"), swept);
  for (const variant of [20, 80]) {
    for (const one of complete) await file.append({ ...(one as CellResult), variant });
  }
  const out = join(folder, "sweep.html");
  const { code, io } = await report("--results", directory, "--out", out, "--json");
  expect(code, io.err()).toBe(0);
  expect((JSON.parse(io.out()) as { figures: string[] }).figures[0]).toBe("tasks-nmse");
  const html = readFileSync(out, "utf8");
  expect(html).not.toContain("Not finished");
  expect(downloads(html)).toContain('"mp-low-rank, eps 1",80,0.42,0.01');
});

test("an unfinished evaluation is reported as such", async () => {
  const directory = await results("unfinished", complete.slice(0, 4));
  const out = join(folder, "unfinished.html");
  expect((await report("--results", directory, "--out", out)).code).toBe(0);
  expect(readFileSync(out, "utf8")).toContain("Not finished: 4 of 6 cells");
});

describe("a damaged results directory is refused with exit code 3 and the place", () => {
  const damaged: [string, (path: string) => void, RegExp][] = [
    [
      "a line that is no JSON",
      (path) => {
        appendFileSync(path, "{broken}\n");
      },
      /line 8 is damaged: not JSON/,
    ],
    [
      "a score that is a text",
      (path) => {
        const one = { ...cell("trace-norm", null, 0, 1), scores: { nmse: "x", tasksLeftOut: 0 } };
        appendFileSync(path, `${JSON.stringify(one)}\n`);
      },
      /line 8 is damaged: scores\.nmse/,
    ],
    [
      "half a line",
      (path) => {
        appendFileSync(path, '{"method":"tr');
      },
      /line 8 is incomplete.*goes on/,
    ],
    [
      "a cell twice",
      (path) => {
        appendFileSync(path, `${JSON.stringify(complete[0])}\n`);
      },
      /line 8 repeats/,
    ],
    [
      "another kind of file",
      (path) => {
        writeFileSync(path, '{"format":"else"}\n');
      },
      /line 1 is damaged/,
    ],
    [
      "an empty file",
      (path) => {
        writeFileSync(path, "");
      },
      /line 1 is damaged/,
    ],
  ];
  test.each(damaged)("%s", async (name, damage, message) => {
    const directory = await results(`damaged ${name}`, complete);
    damage(join(directory, "results.jsonl"));
    const out = join(folder, "never.html");
    const { code, io } = await report("--results", directory, "--out", out);
    expect(io.err()).toMatch(message);
    expect(code).toBe(3);
    expect(existsSync(out)).toBe(false);
  });

  test("no results at all", async () => {
    const { code, io } = await report("--results", folder, "--out", join(folder, "never.html"));
    expect(code).toBe(3);
    expect(io.err()).toMatch(/results\.jsonl does not exist/);
  });
});

test("a model's report shows its eps over rounds, models and relationships", async () => {
  const { train } = simulate({ pattern: "low-rank", tasks: 6, features: 4, seed: "r" });
  const model = await new MpLowRank({
    epsilon: 1,
    rounds: 3,
    clip: 5,
    random: { mode: "seeded", seed: "n" },
  }).fit(train);
  const directory = join(folder, "model");
  mkdirSync(directory);
  writeFileSync(join(directory, "model.safetensors"), saveModel(model));
  const out = join(folder, "model.html");
  const { code, io } = await report("--model", directory, "--out", out, "--json");
  expect(code, io.err()).toBe(0);
  expect((JSON.parse(io.out()) as { figures: string[] }).figures).toEqual([
    "eps-over-rounds",
    "models",
    "task-relationships",
  ]);
  const html = readFileSync(out, "utf8");
  expect(html).toContain("for the curator only");
  if (process.platform !== "win32") expect(statSync(out).mode & 0o777).toBe(0o600);
  const csv = downloads(html);
  for (const [j, name] of model.featureNames.entries()) {
    const row = model.taskNames.map((_, i) => Number(model.weights[4 * i + j]!.toPrecision(5)));
    expect(csv).toContain(`mp-low-rank,${name},${row.join(",")}\n`);
  }
  // The relationships are symmetric: nothing below the diagonal.
  expect(csv).toMatch(/mp-low-rank,task-6,,,,,,[\d.]+\n/);
});

test("a name that is not of an HTML file is refused before anything is read", async () => {
  const { code, io } = await report("--model", "nowhere", "--out", join(folder, "report.pdf"));
  expect(code).toBe(2);
  expect(io.err()).toContain("--out: expected a name that ends in .html");
});

test("without results or model there is nothing to report", async () => {
  const { code, io } = await report("--out", join(folder, "never.html"));
  expect(code).toBe(2);
  expect(io.err()).toMatch(/--results or --model needed/);
});
