/**
 * What users get wrong, from the command line to the exit code: the place is named, nothing is
 * written. And what looks wrong but is legitimate: it works.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { main } from "../../src/cli/run.js";
import { testIo } from "./io.js";
import { temporaryFolder } from "../temporary.js";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});

async function fit(content: string | Uint8Array, args: string[], name = "t.csv") {
  const data = join(folder, name);
  writeFileSync(data, content);
  const io = testIo();
  const roles = ["--task", "task", "--target", "y"];
  const method = args.includes("--method") ? [] : ["--method", "trace-norm"];
  const out = join(folder, "model");
  const code = await main(["fit", "--data", data, ...roles, ...method, ...args, "--out", out], io);
  return { code, out: io.out(), err: io.err(), written: readdirSync(folder).includes("model") };
}

const good = "task,y,u,v\na,1,2,3\na,0,1,3\nb,1,0,2\nb,0,1,1\n";
const mp = ["--method", "mp-low-rank", "--normalize", "rows"];

describe("refused", () => {
  const cases: [string, string, string[], number, string][] = [
    [
      "ragged rows",
      "task,y,u\na,1,2\na,2\n",
      [],
      3,
      "t.csv, line 3 has 2 cells, the header has 3.",
    ],
    [
      "NaN",
      "task,y,u\na,1,NaN\n",
      ["--missing", "refuse"],
      3,
      't.csv, line 2, column "u": the value is missing',
    ],
    [
      "an infinity",
      "task,y,u\na,1,inf\n",
      [],
      3,
      "found an infinity. Correct the cell, or leave it empty",
    ],
    [
      "a feature whose squares sums cannot hold",
      "task,y,u\na,1,1e200\na,2,3\n",
      ["--method", "trace-norm"],
      3,
      'task "a", row 0, column "u": expected a number within +-1e+60, found one that is larger',
    ],
    [
      "one label",
      "task,y,u\na,no,1\na,no,2\nb,no,2\n",
      [],
      3,
      't.csv: the target "y" holds one label',
    ],
    [
      "a target of that kind",
      "task,y,u\na,1e200,1\n",
      ["--method", "trace-norm"],
      3,
      'task "a", row 0, column "y": expected a number within +-1e+60, found one that is larger, whose squares are beyond what sums can hold. Correct it, or use other units.',
    ],
    [
      "semicolons",
      "task;y;u\na;1;2\n",
      [],
      3,
      't.csv: expected "," between cells; the header seems to have ";"',
    ],
    [
      "semicolons, a comma in a header, and quotes",
      'task;y;"u, v"\n"a ""b"" c";1;2\n',
      [],
      3,
      'The header has more of ";" than of ",": if that stands between cells, read the file with --delimiter ";"',
    ],
    [
      "semicolons, a comma in a header, and decimal commas",
      "task;y;u, v\na;1,5;2,5\n",
      [],
      3,
      't.csv, line 2 has 3 cells, the header has 2. The header has more of ";" than of ","',
    ],
    [
      "more rounds than a plan holds",
      good,
      [...mp, "--delta", "0.1", "--rounds", "1e9"],
      2,
      "rounds: expected an integer from 1 to 1000000",
    ],
    [
      "noise for another statistic",
      good,
      [...mp, "--delta", "0.1", "--mechanism", "gaussian-diagonal"],
      2,
      '--mechanism: expected one of auto, gaussian, two-sided-wishart, wishart, wishart-older, got "gaussian-diagonal".',
    ],
    [
      "text as target",
      "task,y,u\na,hi,1\n",
      ["--loss", "squared"],
      3,
      't.csv, line 2, column "y": expected a finite',
    ],
    ["no rows", "task,y,u\n", [], 3, "t.csv has no rows."],
    ["nothing", "", [], 3, "t.csv is empty"],
    ["one class", "task,y,u\na,1,2\nb,1,3\n", ["--loss", "logistic"], 3, '"y" has one class.'],
    [
      "three classes",
      "task,y,u\na,1,2\nb,2,3\na,3,1\n",
      ["--loss", "logistic"],
      3,
      "not two classes",
    ],
    ["an unknown column", good, ["--features", "u,vv"], 3, 'has no column "vv"; it has "task"'],
    ["eps 0", good, [...mp, "--epsilon", "0"], 2, '--epsilon: expected a number > 0, got "0".'],
    ["negative eps", good, [...mp, "--epsilon", "-1"], 2, "--epsilon: expected a number > 0"],
    [
      "delta 1",
      good,
      [...mp, "--delta", "1"],
      2,
      '--delta: expected auto, papers or a number >= 0 and < 1, got "1".',
    ],
    [
      "no delta for two tasks",
      good,
      [...mp, "--delta", "papers"],
      2,
      "--delta papers, 1/(m ln m), needs at least 3 tasks",
    ],
    [
      "rows beyond the bound",
      good,
      ["--method", "mp-low-rank", "--delta", "0.1", "--normalize", "none"],
      3,
      'task "a", row 0',
    ],
    ["an unknown method", good, ["--method", "trace-nrm"], 2, "--method: expected one of"],
  ];
  test.each(cases)("%s", async (_, content, args, code, message) => {
    const result = await fit(content, args);
    expect(result.err).toContain(message);
    expect(result.code).toBe(code);
    expect(result.out).toBe("");
    expect(result.written).toBe(false);
  });

  test("a gzip cut short", async () => {
    const packed = gzipSync(good.repeat(50));
    const { code, err } = await fit(packed.subarray(0, packed.length - 9), [], "t.csv.gz");
    expect(err).toContain("t.csv.gz: the gzip data ends too early or is damaged");
    expect(code).toBe(3);
  });
});

describe("legitimate", () => {
  const cases: [string, string, string[]][] = [
    ["one task", "task,y,u\na,1,2\na,2,1\na,3,0\n", []],
    ["one task, private", "task,y,u\na,1,2\na,2,1\na,3,0\n", [...mp, "--delta", "0.01"]],
    ["more features than rows", "task,y,p,q,r,s\na,1,2,3,1,2\nb,2,1,3,0,1\n", []],
    ["fewer tasks than features, private", good, [...mp, "--delta", "0.01", "--seed", "1"]],
    ["a constant column", "task,y,u,v\na,1,5,1\na,2,5,0\nb,1,5,3\n", []],
    [
      "a constant column and an intercept",
      "task,y,u\na,1,5\na,2,5\nb,1,5\n",
      ["--intercept", "yes"],
    ],
    ["a task with one class", "task,y,u\na,1,2\na,1,3\nb,1,0\nb,0,1\n", ["--loss", "logistic"]],
    ["a task with one row", "task,y,u\na,1,2\nb,1,3\nb,2,1\n", []],
  ];
  test.each(cases)("%s", async (_, content, args) => {
    const result = await fit(content, [...args, "--json"]);
    expect(result.err.replace(/^before anything is spent: .*\n/gm, "")).toBe("");
    expect(result.code).toBe(0);
    expect(result.written).toBe(true);
    const { objective } = JSON.parse(result.out) as { objective: number };
    expect(Number.isFinite(objective)).toBe(true);
  });

  test("a constant target: it fits, and nMSE is null, not NaN", async () => {
    const { code, out } = await fit("task,y,u\na,3,2\na,3,1\nb,3,1\n", [
      "--json",
      "--loss",
      "squared",
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ train: { nmse: null, nmsePerTask: null } });
  });

  test("rows without a target are left out and counted", async () => {
    const content = "task,y,u\na,3,2\na,,1\nb,1,1\n";
    const { out } = await fit(content, ["--missing", "impute", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ samples: 2, droppedRows: 1 });
  });
});
