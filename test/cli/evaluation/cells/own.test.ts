/**
 * `evaluate --own`: methods of somebody's own run on the splits of the others, are scored as they are, and promise nothing.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { CellResult } from "../../../../src/cli/evaluation/cells/cell.js";
import { loadOwn } from "../../../../src/cli/evaluation/cells/own-method.js";
import { main } from "../../../../src/cli/run.js";
import { blocksOf } from "../../../docs/code-blocks.js";
import { temporaryFolder } from "../../../temporary.js";
import { testIo } from "../../io.js";
import { someOf } from "../../../thorough.js";

const library = fileURLToPath(new URL("../../../../dist/index.js", import.meta.url));
const program = fileURLToPath(new URL("../../../../dist/cli/main.js", import.meta.url));
const folder = temporaryFolder();

/** Writes a module and names it. */
function module(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A method of ours under another name, by the library as it is built. */
const ours = (name: string, constructed: string, more = "") => `
  import { MeanRegularized, PrivateFedAvg, SingleTask } from ${JSON.stringify(pathToFileURL(library).href)};
  export default { name: "${name}", ${more} fit: (train, { loss, epsilon, delta, adjacency, seed }) => ${constructed}.fit(train) };
`;

/** The program as it is built, since threads run its scripts. */
function run(...args: string[]) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [program, ...args], (error, out, err) => {
      resolve({ code: error ? 1 : 0, out, err });
    });
  });
}

/** What ends before a thread runs needs no process. */
async function runHere(...args: string[]) {
  const io = testIo();
  return { code: await main(args, io), out: io.out(), err: io.err() };
}

function evaluateBy(by: typeof run, out: string, ...rest: string[]) {
  const simulated = ["--simulate", "low-rank", "--tasks", "9", "--replicates", "2"];
  const data = rest.includes("--data") ? ["--replicates", "2"] : simulated;
  // A thread for each core would take longer to start than its cells take.
  const workers = rest.includes("--workers") ? [] : ["--workers", "1"];
  const args = [...data, ...workers, "--tune", "none", "--out", join(folder, out), ...rest];
  return by("evaluate", ...args);
}
const evaluate = (out: string, ...rest: string[]) => evaluateBy(run, out, ...rest);
const planned = (out: string, ...rest: string[]) => evaluateBy(runHere, out, ...rest);

const cells = (out: string) =>
  readFileSync(join(folder, out, "results.jsonl"), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line) as CellResult);

const summaryOf = (out: string) =>
  JSON.parse(readFileSync(join(folder, out, "summary.json"), "utf8")) as {
    summary: { method: string; epsilon: number | null; holds: boolean | null; own?: boolean }[];
    remarks: string[];
    conclusion: string[];
  };

describe.skipIf(!existsSync(program))("--own (skipped where dist/ is not built)", () => {
  test("a method of ours by another name has its scores to the bit, at every budget or once", async () => {
    const alone = module("alone.mjs", ours("my-alone", "new SingleTask({ loss })"));
    const spending = module(
      "spending.mjs",
      ours(
        "my-average",
        'new PrivateFedAvg({ loss, epsilon, delta, adjacency, random: { mode: "seeded", seed: seed.replace("my-average", "private-fedavg") } })',
        "private: true,",
      ),
    );
    const methods = [
      "--methods",
      "single-task,private-fedavg",
      "--epsilon",
      "1,10",
      "--workers",
      "2",
    ];
    const { code, out, err } = await evaluate("same", ...methods, "--own", `${alone},${spending}`);
    expect(code, err).toBe(0);
    const found = cells("same");
    const of = (name: string) => found.filter(({ method }) => method === name);
    const figures = (name: string) =>
      of(name).map(({ epsilon, replicate, scores, taskErrors }) => {
        return { epsilon, replicate, scores, taskErrors };
      });
    expect(of("my-alone")).toHaveLength(2);
    expect(figures("my-alone")).toEqual(figures("single-task"));
    expect(of("my-average")).toHaveLength(4);
    expect(figures("my-average")).toEqual(figures("private-fedavg"));
    // Whatever it is made of, nothing is promised of it.
    for (const { own, guarantee, tuning } of of("my-average")) {
      expect({ own, guarantee, tuning }).toEqual({ own: true, guarantee: null, tuning: "none" });
    }
    expect(out).toMatch(/my-average +10 .*not known/);
    expect(out).toMatch(/my-alone +- .* - +none/);
    const { summary, remarks, conclusion } = summaryOf("same");
    expect(summary.find(({ method }) => method === "my-average")).toMatchObject({
      own: true,
      holds: null,
    });
    expect(remarks.filter((one) => one.startsWith("my-average is not of mp-mtl"))).toHaveLength(1);
    expect(conclusion.join()).not.toContain("my-average");
  });

  test("the method of EVALUATION.md runs as printed, and the report counts its cells", async () => {
    const [block, ...others] = blocksOf("docs/EVALUATION.md");
    expect(others).toEqual([]);
    const path = module("drawn-means.mjs", block!.code);
    const { code, err } = await evaluate("printed", "--methods", "single-task", "--own", path);
    expect(code, err).toBe(0);
    const own = cells("printed").filter(({ method }) => method === "drawn-means");
    expect(own.map(({ scores }) => scores.nmse)).toEqual([expect.any(Number), expect.any(Number)]);
    const report = join(folder, "printed.html");
    await run("report", "--results", join(folder, "printed"), "--out", report);
    const html = readFileSync(report, "utf8");
    expect(html).toContain("drawn-means");
    expect(html).toContain("--own drawn-means.mjs");
    expect(html).not.toContain("Not finished");
  });

  const labels: [name: string, of: (k: number, x: number) => string][] = [
    ["several labels, a logit for each", (k, x) => "cab"[(k + x + 55) % 3]!],
    ["two labels, the log-odds of the later one", (k, x) => (x + (k % 4) > 1 ? "b" : "a")],
  ];
  test.each(someOf(labels, 2))("%s", async (name, labelOf) => {
    const rows = Array.from({ length: 60 }, (_, k) => {
      const x = ((k * 37) % 11) - 5;
      return ["t" + String(k % 3), x, labelOf(k, x)].join(",");
    });
    const table = module("labels.csv", ["task,x,label", ...rows, ""].join("\n"));
    const path = module("labels.mjs", ours("my-own", "new SingleTask({ loss })"));
    const data = ["--data", table, "--task", "task", "--target", "label"];
    const { code, err } = await evaluate(name, ...data, "--methods", "single-task", "--own", path);
    expect(code, err).toBe(0);
    const [own, theirs] = ["my-own", "single-task"].map((method) =>
      cells(name).flatMap((cell) => (cell.method === method ? [cell.scores] : [])),
    );
    expect(own).toEqual(theirs);
    expect(own![0]!.logLoss).toBeGreaterThan(0);
  });

  test("another content is another evaluation", async () => {
    const path = module("changing.mjs", ours("changing", "new SingleTask({ loss })"));
    const args = ["--methods", "single-task", "--own", path] as const;
    expect((await evaluate("changing", ...args)).code).toBe(0);
    const before = readFileSync(join(folder, "changing", "results.jsonl"), "utf8");
    expect((await evaluate("changing", ...args)).code).toBe(0);
    expect(readFileSync(join(folder, "changing", "results.jsonl"), "utf8")).toBe(before);
    writeFileSync(path, `${readFileSync(path, "utf8")}// more\n`);
    const { code, err } = await evaluate("changing", ...args);
    expect(code).not.toBe(0);
    expect(err).toMatch(/results of another configuration \(--own\)/);
  });

  async function expectRefused(by: typeof evaluate, name: string, text: string, message: RegExp) {
    const path = module(`${name.replaceAll(" ", "-")}.mjs`, text);
    const { code, err } = await by(name, "--methods", "single-task", "--own", path);
    expect(code).not.toBe(0);
    expect(err).toMatch(message);
    expect(existsSync(join(folder, name, "summary.json"))).toBe(false);
  }

  const model = (outputs: string) =>
    `export default { name: "bad", fit: () => ({ outputs: (tasks) => ${outputs} }) };`;
  test.each([
    ["no module", "export default {", /--own no-module\.mjs: it cannot be loaded/],
    ["no method", "export default 3;", /expected a default export \{ name, fit \}, got number/],
    ["no export", "export const fit = 1;", /expected a default export .* got undefined/],
    ["a name", 'export default { name: "a b", fit() {} };', /name: expected up to 40 letters/],
    ["ours", 'export default { name: "pooled", fit() {} };', /pooled is a method of mp-mtl/],
    ["no fit", 'export default { name: "bad" };', /fit: expected a function, got undefined/],
    [
      "private",
      'export default { name: "bad", private: 1, fit() {} };',
      /private: expected true or/,
    ],
  ])("refuses before anything runs, saying what is wrong: %s", async (name, text, message) => {
    await expectRefused(planned, name, text, message);
  });

  const unfit: [name: string, text: string, message: RegExp][] = [
    ["nothing", 'export default { name: "bad", fit() {} };', /fit: expected a fitted model or/],
    ["a list", model("[]"), /outputs: expected a Float64Array, got an array/],
    ["too few", model("new Float64Array(1)"), /outputs: expected \d+ numbers, for \d+ rows, got 1/],
    [
      "no numbers",
      model("new Float64Array(tasks.size).fill(NaN, tasks.offsets[1] + 1)"),
      /outputs: expected finite numbers, test row 2 of task "task-2" has another/,
    ],
  ];
  test.each(someOf(unfit.reverse(), 4))(
    "refuses what a fit gives, saying what is wrong: %s",
    async (name, text, message) => {
      await expectRefused(evaluate, name, text, message);
    },
  );

  test("a file that changes while an evaluation runs ends it", async () => {
    const { href: url } = pathToFileURL(
      module("late.mjs", ours("late", "new SingleTask({ loss })")),
    );
    await expect(loadOwn({ url, digest: "of what it was" })).rejects.toThrow(
      "--own late.mjs: the file has changed since the evaluation began",
    );
  });

  describe("before anything runs", () => {
    let path: string;
    beforeAll(() => {
      path = module("fine.mjs", ours("fine", "new SingleTask({ loss })"));
    });

    test("two of one name, a file that is not there, and --model", async () => {
      const twice = await planned("twice", "--own", `${path},${path}`);
      expect(twice.err).toContain("two files name their method fine");
      const nowhere = await planned("nowhere", "--own", join(folder, "none.mjs"));
      expect(nowhere.err).toContain("none.mjs");
      expect(nowhere.code).not.toBe(0);
      const fitted = await planned("fitted", "--model", folder, "--own", path);
      expect(fitted.err).toContain("--own goes without --model");
    });
  });
});
