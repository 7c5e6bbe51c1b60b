import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { main } from "../../../src/cli/run.js";
import type { TaskSet } from "../../../src/data/index.js";
import { FittedModel } from "../../../src/learning/index.js";
import { makeLabelled, makeTasks } from "../../learning/tasks.js";
import { testIo } from "../io.js";
import { run } from "../run.js";
import { temporaryFolder } from "../../temporary.js";
import { thoroughTest } from "../../thorough.js";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

/** A task set as CSV; `labels` are written instead of their positions. */
function csv(tasks: TaskSet): string {
  const lines = [["task", "y", ...tasks.featureNames].join(",")];
  for (const { name, x, y, n } of tasks) {
    for (let row = 0; row < n; row++) {
      const target = tasks.targetLevels?.[y[row]!] ?? y[row]!;
      lines.push([name, target, ...x.subarray(row * tasks.d, (row + 1) * tasks.d)].join(","));
    }
  }
  return `${lines.join("\n")}\n`;
}

const columns = ["--task", "task", "--target", "y"];
const fit = (data: string, ...rest: string[]) =>
  run("fit", "--data", path(data), ...columns, ...rest);

beforeAll(() => {
  const all = makeTasks({ m: 6, d: 4, rows: () => 20 });
  const { train, test: held } = all.split({ trainFraction: 0.5, seed: "csv" });
  writeFileSync(path("train.csv"), csv(train));
  writeFileSync(path("train.csv.gz"), gzipSync(csv(train)));
  writeFileSync(path("cut.csv.gz"), gzipSync(csv(train)).subarray(0, 200));
  writeFileSync(path("test.csv"), csv(held));
  writeFileSync(path("labels.csv"), csv(makeLabelled({ m: 4, d: 4, rows: () => 25 })));
  writeFileSync(path("long.csv"), "task,y,a,b\nu,1,3,4\nu,2,0,1\nv,1,1,0\nw,1,1,1\n");
  writeFileSync(path("ragged.csv"), "task,y,a,b\nu,1,3,4\nu,2,0\n");
  const numbers = Array.from({ length: 12 }, (_, row) => `u,${row + 3},${row / 8},1\n`).join("");
  writeFileSync(path("text.csv"), `task,y,a,b\nu,1,3,4\nu,2,zero,1\n${numbers}`);
  writeFileSync(path("one-class.csv"), "task,y,a\nu,1,0.3\nu,1,0.2\nv,1,0.1\n");
  const dated = Array.from({ length: 16 }, (_, at) => `u,2024-01-${10 + (at % 15)},${at}`);
  writeFileSync(path("dates.csv"), ["task,y,a", ...dated].join("\n"));
  writeFileSync(path("constant.csv"), "task,y,a\nu,5,0.3\nu,5,0.2\nv,5,0.1\n");
  writeFileSync(path("empty.csv"), "task,y,a\n");
});

describe("fit", () => {
  test("without --method the options that the default method takes count all the same", async () => {
    const given = [
      "--scale",
      "unit",
      "--epsilon",
      "7.5",
      "--delta",
      "0.001",
      "--seed",
      "s",
      "--json",
    ];
    const [unasked, asked] = [
      await fit("train.csv", ...given),
      await fit("train.csv", ...given, "--method", "auto"),
    ];
    expect(JSON.parse(unasked.out).guarantee).toMatchObject({ epsilon: 7.5, delta: 0.001 });
    const withoutTime = (out: string) => ({ ...(JSON.parse(out) as object), seconds: 0 });
    expect(withoutTime(unasked.out)).toEqual(withoutTime(asked.out));
    const { code, err } = await fit("train.csv", "--lambda", "3");
    expect(code).toBe(2);
    expect(err).toContain("--lambda");
  });

  test("a schema that declares only a part is to be completed; one that declares all leaves nothing to do", async () => {
    const number = { kind: "number", range: [-5, 5] };
    const declared = { x1: number, x2: number, x3: number, x4: number };
    const schema = { format: "mp-mtl-schema", version: 1, task: "task" };
    const target = { column: "y", ...number };
    const asked = async (name: string, open: object) => {
      const file = path(name);
      writeFileSync(file, JSON.stringify({ ...schema, target, columns: { ...declared, ...open } }));
      const { out, code, err } = await fit("train.csv", "--method", "mp-mixed", "--ranges", file);
      expect(code, err).toBe(0);
      return out;
    };
    const draft = { x1: { ...number, declared: false } };
    expect(await asked("draft.json", draft)).toMatch(/^ {2}complete .*draft\.json with what is/m);
    expect(await asked("whole.json", {})).not.toContain("complete ");
  });

  test("--unit record says who is protected from whom", async () => {
    const given = ["--method", "mp-mixed", "--scale", "unit", "--unit", "record"];
    const { code, out } = await fit("train.csv", ...given, "--own-model", "noisy");
    expect(code).toBe(0);
    expect(out).toMatch(/^ *joint \(.*\)-DP of each record against all others$/m);
    expect(out).toMatch(
      /^ *record against .*own model, all models: \(1, .*\)-DP; task against other tasks, .*: no promise$/m,
    );
  });

  test("--unit record of a method that shares gradients", async () => {
    const given = [
      "--method",
      "pmtl",
      "--unit",
      "record",
      "--record-clip",
      "2",
      "--local-steps",
      "3",
    ];
    const { code, out, err } = await fit("train.csv", ...given, "--own-model", "noisy");
    expect(code, err).toBe(0);
    expect(out).toMatch(/^ *joint \(0\.\d+, .*\)-DP of each record against all others$/m);
    expect(out).toMatch(
      /^ *record against .*own model, all models: \(1, .*\)-DP; task against other tasks, .*: no promise$/m,
    );
    const sampled = await fit("train.csv", ...given, "--record-rate", "0.5");
    expect(sampled.code).toBe(2);
    expect(sampled.err).toMatch(/record-rate: amplification/);
  });

  test.each(["single-task", "trace-norm", "group-sparse", "mp-low-rank", "mp-group-sparse"])(
    "%s prints the document that the design names",
    async (method) => {
      const { code, out, err } = await fit(
        "train.csv.gz",
        ...["--test", path("test.csv"), "--method", method, "--lambda", "0.01", "--json"],
      );
      expect(code, err).toBe(0);
      expect(err.replace(/^before anything is spent: .*\n/gm, "")).toBe("");
      const document = JSON.parse(out) as Record<string, unknown>;
      expect(document).toMatchObject({ method, tasks: 6, features: 4, samples: 60 });
      for (const key of ["rounds", "objective", "rank", "nonzeroRows", "weightsNorm", "seconds"]) {
        expect(document[key]).toBeTypeOf("number");
      }
      expect(document["train"]).toHaveProperty("nmse");
      expect(document["test"]).toHaveProperty("nmsePerTask");
      expect(document["guarantee"]).toHaveProperty("private", method.startsWith("mp-"));
    },
  );

  test("says beforehand that a private model and its ledger will be replaced", async () => {
    const budget = ["--method", "mp-group-sparse", "--lambda", "0.01", "--epsilon", "1"];
    const open = ["--method", "single-task"];
    const warned: boolean[] = [];
    for (const given of [open, [...budget, "--seed", "1"], budget, open, open]) {
      const { code, err } = await fit("train.csv", ...given, "--out", path("replaced"));
      expect(code, err).toBe(0);
      warned.push(/replaced holds a private model, .* ledger .*; name another --out/.test(err));
    }
    expect(warned).toEqual([false, false, false, true, false]);
  });

  test("writes a model that predicts what the fit scored", async () => {
    const model = path("model");
    const common = ["--method", "trace-norm", "--lambda", "0.01", "--normalize", "rows"];
    const fitted = await fit("train.csv", ...common, "--intercept", "yes", "--out", model);
    expect(fitted.code).toBe(0);
    expect(readdirSync(model).sort()).toEqual(["model-card.json", "model.safetensors"]);
    const predicted = await run("predict", "--model", model, "--data", path("test.csv"), "--json");
    const { predictions } = JSON.parse(predicted.out) as {
      predictions: { task: string; prediction: number }[];
    };
    const lines = readFileSync(path("test.csv"), "utf8").trim().split("\n").slice(1);
    expect(predictions.map(({ task }) => task)).toEqual(lines.map((line) => line.split(",")[0]));
    // The pooled nMSE of these predictions is the one a fit with --test prints.
    const y = lines.map((line) => Number(line.split(",")[1]));
    const mean = y.reduce((a, b) => a + b) / y.length;
    const error = y.reduce((sum, value, i) => sum + (value - predictions[i]!.prediction) ** 2, 0);
    const nmse = error / y.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const again = await fit(
      "train.csv",
      ...[...common, "--intercept", "yes", "--test", path("test.csv"), "--json"],
    );
    const document = JSON.parse(again.out) as { test: { nmse: number } };
    expect(nmse).toBeCloseTo(document.test.nmse, 10);
  });

  test("predict writes labels and probabilities of a classifier as CSV", async () => {
    const model = path("classifier");
    await fit("labels.csv", "--loss", "logistic", "--method", "group-sparse", "--out", model);
    const out = path("predictions.csv");
    const { code } = await run(
      ...["predict", "--model", model, "--data", path("labels.csv"), "--out", out],
    );
    expect(code).toBe(0);
    const [header, first] = readFileSync(out, "utf8").split("\n");
    expect(header).toBe("task,probability,label,probability=no,probability=yes");
    expect(first).toMatch(/^task-0,0\.\d+,(yes|no),0\.\d+,0\.\d+$/);
  });

  test("a private fit that was scored says how to see what sharing gained", async () => {
    const alone = "what sharing gained: the same command with --method single-task";
    const asked = ["--method", "mp-low-rank"];
    expect((await fit("train.csv", ...asked, "--test", path("test.csv"))).out).toContain(alone);
    expect((await fit("train.csv", ...asked)).out).not.toContain(alone);
    const own = await fit("train.csv", "--method", "single-task", "--test", path("test.csv"));
    expect(own.out).toContain("test:");
    expect(own.out).not.toContain(alone);
  });

  test("a private fit says what it spent unasked, and that another adds to it", async () => {
    const unasked = "a budget of epsilon 1, the default (--epsilon)";
    const adds = "every further fit of these rows adds to what is spent";
    const asked = ["--method", "mp-mixed", "--scale", "unit"];
    const [by, named] = [await fit("train.csv", ...asked), await fit("train.csv", ...asked, "--epsilon", "1")]; // prettier-ignore
    expect(by.out).toContain(unasked);
    expect(by.out).toContain(adds);
    expect(named.out).not.toContain(unasked);
    const alone = await fit("train.csv", "--method", "single-task");
    expect(alone.out).not.toContain(unasked);
    expect(alone.out).not.toContain(adds);
  });

  test("a seed reproduces a private fit and marks it", async () => {
    const args = ["--method", "mp-low-rank", "--seed", "7", "--json"];
    const [a, b] = [await fit("train.csv", ...args), await fit("train.csv", ...args)];
    const strip = (text: string) => ({ ...(JSON.parse(text) as object), seconds: 0 });
    expect(strip(a.out)).toEqual(strip(b.out));
    expect(strip(a.out)).toMatchObject({ guarantee: { private: false, noiseSource: "seeded" } });
    expect(a.out).not.toContain('"seed"');
  });

  test("does not take up a journal that was begun with a seed: its noise can be subtracted", async () => {
    const args = ["--method", "mp-low-rank", "--clip", "2", "--journal", path("seeded"), "--json"];
    const seeded = await fit("train.csv", ...args, "--seed", "7");
    expect(seeded.code).toBe(0);
    expect(JSON.parse(seeded.out)).toMatchObject({ guarantee: { private: false } });
    const secure = await fit("train.csv", ...args);
    expect(secure.code).not.toBe(0);
    expect(secure.out).not.toContain("guarantee");
    expect(secure.out + secure.err).toContain("this ledger is of seeded noise, this run of secure");
  });

  test("goes on from a journal, with what was released before", async () => {
    const journal = path("journal");
    const args = ["--method", "mp-low-rank", "--clip", "2", "--journal", journal, "--json"];
    const first = JSON.parse((await fit("train.csv", ...args)).out) as {
      weightsNorm: number;
      guarantee: { notCharged: string[] };
    };
    const second = JSON.parse((await fit("train.csv", ...args)).out) as typeof first;
    // Whoever sees its first record can test a guess of one task's data against the digest.
    expect(first.guarantee.notCharged).toContain("the journal's digest of all data");
    expect(second.weightsNorm).toBe(first.weightsNorm);
    const other = await fit("train.csv", ...args, "--rounds", "31");
    expect([other.code, other.err]).toEqual([2, expect.stringContaining("of another fit")]);
    const none = await fit("train.csv", "--method", "trace-norm", "--journal", journal);
    expect([none.code, none.err]).toEqual([2, expect.stringContaining("releases nothing")]);
  });

  test("a journal is not of a table in which names of tasks, or what is known of columns, are others", async () => {
    const number = { kind: "number", range: [-1, 1] };
    const schema = { format: "mp-mtl-schema", version: 1, task: "task" };
    const declared = {
      ...schema,
      target: { column: "y", kind: "number", range: [-20, 20] },
      columns: { x1: number, x2: number, x3: number, x4: number },
    };
    writeFileSync(path("apart.json"), JSON.stringify(declared));
    const rows = readFileSync(path("train.csv"), "utf8");
    const [one, other] = [...new Set(rows.match(/^task[^,]+,/gm))].filter(
      (name) => name !== "task,",
    );
    const exchanged = rows.replace(/^task[^,]+,/gm, (name) =>
      name === one ? other! : name === other ? one! : name,
    );
    writeFileSync(path("exchanged.csv"), exchanged);
    writeFileSync(path("less.json"), JSON.stringify({ [one!.slice(0, -1)]: 0.2 }));
    const args = [
      "--ranges",
      path("apart.json"),
      "--method",
      "mp-mixed",
      "--unit",
      "record",
      "--task-epsilons",
      path("less.json"),
      "--journal",
      path("journal-of-names"),
    ];
    expect((await fit("train.csv", ...args)).code).toBe(0);
    // Its releases have the rows of another owner at a tenth of the weight.
    const { code, err } = await fit("exchanged.csv", ...args);
    expect([code, err]).toEqual([2, expect.stringContaining("of another fit")]);
    expect((await fit("train.csv", ...args)).code).toBe(0);
  });

  test("says when it did not converge, with exit code 5", async () => {
    const { code, out } = await fit(
      "train.csv",
      ...["--method", "trace-norm", "--max-rounds", "3", "--lambda", "0.001"],
    );
    expect(code).toBe(5);
    expect(out).toContain("NOT CONVERGED");
  });

  test("one task with one feature is called so", async () => {
    writeFileSync(path("single.csv"), "task,y,a\nu,5,0.3\nu,4,0.2\nu,6.5,0.1\n");
    const { out } = await fit("single.csv", "--method", "auto", "--out", path("single"));
    expect(out).toMatch(/^single-task: 1 task, 1 feature, 3 rows, 0 rounds/);
    expect(out).toContain("  a model for the task\n");
    const scored = await run("evaluate", "--model", path("single"), "--data", path("single.csv"));
    expect(scored.out).toMatch(/: 1 task, 3 rows\n/);
    const seen = await run("inspect", "--data", path("single.csv"), "--task", "task");
    expect(seen.out).toContain("3 rows, 1 task of 3 rows");
    const asked = await run("account", "--tasks", "1", "--features", "1", "--epsilon", "1");
    expect(asked.out).toContain("for the task with 1 feature; nothing");
  });

  test("a constant target works and has no nMSE", async () => {
    const asked = ["--method", "single-task", "--loss", "squared", "--json"];
    const { code, out } = await fit("constant.csv", ...asked);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ train: { nmse: null } });
    const { out: text } = await fit("constant.csv", ...asked.slice(0, -1));
    expect(text).toContain("nMSE is not defined: the target is the same in all of these rows");
  });
});

describe("fit refuses, and writes nothing", () => {
  const cases: [string, string, string[], number, RegExp][] = [
    ["a missing file", "none.csv", [], 3, /none\.csv: there is no such file/],
    ["gzip cut short", "cut.csv.gz", [], 3, /cut\.csv\.gz/],
    ["ragged rows", "ragged.csv", [], 3, /line 3/],
    ["text where a number belongs", "text.csv", [], 3, /line 3.*"a"/s],
    ["a target constant within tasks", "constant.csv", [], 3, /same in all rows.*--loss squared/s],
    ["a target of dates", "dates.csv", [], 3, /holds dates.*its 15 labels.*--loss softmax/s],
    ["a table without rows", "empty.csv", [], 3, /empty\.csv/],
    ["an unknown column", "train.csv", ["--features", "x1,nope"], 3, /"nope"/],
    ["one class", "one-class.csv", ["--loss", "logistic"], 3, /one class/],
    [
      "rows beyond the bound",
      "long.csv",
      ["--feature-bound", "1"],
      3,
      /task "u", row 0.*--normalize rows/s,
    ],
    ["eps of zero", "train.csv", ["--epsilon", "0"], 2, /--epsilon/],
    ["delta of one", "train.csv", ["--delta", "1"], 2, /--delta/],
    ["an option of another method", "train.csv", ["--penalty", "l1"], 2, /penalty: not an option/],
  ];
  test.each(cases)("%s", async (_what, data, args, expected, message) => {
    const out = path("never");
    const result = await fit(data, "--method", "mp-low-rank", "--out", out, ...args);
    expect(result.err).toMatch(message);
    expect([result.code, result.out, existsSync(out)]).toEqual([expected, "", false]);
    expect(readdirSync(folder).filter((name) => name.startsWith(".never"))).toEqual([]);
  });

  test("when interrupted, with exit code 130", async () => {
    const io = testIo();
    io.interrupt();
    const args = ["fit", "--data", path("train.csv"), ...columns, "--method", "mp-low-rank"];
    expect(await main([...args, "--out", path("never")], io)).toBe(130);
    expect(existsSync(path("never"))).toBe(false);
  });
});

describe("a fit that is paid for is kept", () => {
  test("though no test row can be scored, which is a remark", async () => {
    writeFileSync(path("other.csv"), "task,y,x1,x2,x3,x4\nstranger,1,0,0,0,1\n");
    const asked = ["--method", "single-task", "--test", path("other.csv"), "--out", path("kept")];
    const { code, out } = await fit("train.csv", ...asked);
    expect(code).toBe(0);
    expect(out).toContain(
      'remark: the test rows could not be scored: the test rows: task "stranger" has no training data',
    );
    expect(out).not.toContain("held out");
    expect(out).not.toContain("--test-fraction");
    expect(existsSync(path("kept/model.safetensors"))).toBe(true);
  });

  test("though training rows overflow when they are scored", async () => {
    const score = vi.spyOn(FittedModel.prototype, "score").mockImplementation(() => {
      // Whatever is said after the fit, the model lies there.
      expect(existsSync(path("overflown/model.safetensors"))).toBe(true);
      throw new RangeError("the predictions overflow");
    });
    const asked = ["--method", "mp-low-rank", "--clip", "2", "--out", path("overflown")];
    const { code, out } = await fit("train.csv", ...asked);
    const json = await fit("train.csv", ...asked, "--json");
    expect(score).toHaveBeenCalledTimes(2);
    score.mockRestore();
    expect([code, json.code]).toEqual([0, 0]);
    expect(out).toContain("train: not scored\n");
    expect(out).toContain(
      "remark: the training rows could not be scored: the predictions overflow",
    );
    expect(out).toContain("-DP of each task against all others");
    expect(JSON.parse(json.out)).toMatchObject({
      train: null,
      notScored: { train: "the predictions overflow" },
    });
  });

  test("by its journal, where the model has no place", async () => {
    const [out, journal] = [path("gone/model"), path("gone-journal")];
    const asked = ["--data", path("train.csv"), ...columns, "--method", "mp-low-rank"];
    const args = [...asked, "--clip", "2", "--journal", journal, "--progress", "json"];
    const io = testIo();
    // The place was there when it was looked at, and is taken once rounds are told of.
    const taken = (said: string) => {
      if (said.includes('"done":')) writeFileSync(path("gone"), "");
      io.stderr(said);
    };
    expect(await main(["fit", ...args, "--out", out], { ...io, stderr: taken })).toBe(2);
    const goOn = `${journal} has what was charged so far: the same command goes on from there`;
    expect(io.err()).toContain(goOn);
    const other = await run("fit", ...args, "--rounds", "31");
    expect([other.code, other.err]).toEqual([2, expect.not.stringContaining(goOn)]);
    expect((await run("fit", ...args, "--out", path("found"))).code).toBe(0);
  });
});

thoroughTest("demo compares the methods and prints the same every time", async () => {
  const first = await run("demo", "--json");
  const { methods } = JSON.parse(first.out) as {
    methods: { method: string; nmse: number; holds: boolean | null }[];
  };
  const alone = methods.find(({ method }) => method.startsWith("single-task"))!;
  const together = methods.find(({ method }) => method.startsWith("trace-norm"))!;
  expect(together.nmse).toBeLessThan(0.2 * alone.nmse);
  for (const { method, nmse, holds } of methods) {
    if (method.startsWith("mp-")) expect(nmse).toBeLessThan(alone.nmse);
    expect(holds).toBe(method.includes("papers") ? false : method.startsWith("mp-") ? true : null);
  }
});
