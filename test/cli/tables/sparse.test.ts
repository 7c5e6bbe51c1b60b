/** Sparse rows on the command line: from a table of ratings and from a file in SVMlight's form, through every command. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { taskReader } from "../../../src/cli/participant/task-reader.js";
import { readCsv, readSvmlight } from "../../../src/data/index.js";
import { loadModel } from "../../../src/model/index.js";
import { run } from "../run.js";
import { temporaryFolder } from "../../temporary.js";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

const model = (name: string) =>
  loadModel(new Uint8Array(readFileSync(join(path(name), "model.safetensors"))));
const last = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => Number(line.split(",").at(-1)));

const ITEMS = 12;
const ratings = Array.from({ length: 60 }, (_, k) => ({
  user: 1 + (k % 5),
  item: 1 + ((k * 7 + Math.floor(k / 12)) % ITEMS),
  rating: 1 + ((k * k + 3 * k) % 9) / 2,
}));
const table = ["--task", "user", "--target", "rating", "--categorical", "item"];
const method = ["--method", "pmtl", "--loss", "squared", "--seed", "s", "--clip", "1"];

beforeAll(() => {
  const rows = ratings.map(({ user, item, rating }) => `${user},${item},${rating}`);
  writeFileSync(path("ratings.csv"), `user,item,rating\n${rows.join("\n")}\n`);
  const sparse = ratings.map(({ user, item, rating }) => `${rating} qid:${user} ${item}:1`);
  writeFileSync(path("ratings.svmlight"), `${sparse.join("\n")}\n`);
  writeFileSync(path("many.svmlight"), `${sparse.join("\n")}\n1 qid:1 400:1\n`);
});

describe("ratings", () => {
  test("give one model as a dense table, as a sparse one and as sparse rows", async () => {
    const fit = async (out: string, ...args: string[]) => {
      const { code, err } = await run("fit", ...args, ...method, "--out", path(out));
      expect(code, err).toBe(0);
    };
    const csv = ["--data", path("ratings.csv"), ...table];
    await fit("dense", ...csv);
    await fit("sparse", ...csv, "--sparse", "yes");
    await fit("rows", "--data", path("ratings.svmlight"));
    const predictions = await Promise.all(
      (["dense", "sparse", "rows"] as const).map(async (name) => {
        const data = path(name === "rows" ? "ratings.svmlight" : "ratings.csv");
        const out = path(`${name}.csv`);
        const { code, err } = await run(
          "predict",
          "--model",
          path(name),
          "--data",
          data,
          "--out",
          out,
        );
        expect(code, err).toBe(0);
        return last(readFileSync(out, "utf8")).slice(1);
      }),
    );
    expect(predictions[0]).toHaveLength(60);
    predictions[0]!.forEach((value, row) => expect(predictions[1]![row]).toBeCloseTo(value, 8));
    expect(model("sparse").featureNames).toEqual(model("dense").featureNames);
    // Of the levels, sparse rows of numbers know no missing one.
    expect(model("rows").featureNames).toEqual(
      Array.from({ length: ITEMS }, (_, k) => `x${k + 1}`),
    );
    for (const name of ["sparse", "rows"]) {
      const data = path(name === "rows" ? "ratings.svmlight" : "ratings.csv");
      const { code, out, err } = await run("evaluate", "--model", path(name), "--data", data);
      expect(code, err).toBe(0);
      expect(out).toContain("5 tasks, 60 rows");
    }
  });

  test("auto says why it shares nothing, and other methods that they take no sparse rows", async () => {
    const data = ["--data", path("many.svmlight")];
    const { code, out } = await run("fit", ...data, "--test-fraction", "0.3");
    expect(code).toBe(0);
    expect(out).toContain("takes no sparse rows of 400 features; by name pmtl");
    const refused = await run("fit", ...data, "--method", "mp-mixed");
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain(
      "mp-mixed takes no sparse rows of more than 256 features, got 400, because ",
    );
  });

  test("are taken by mp-mixed where they have few features, with intervals at predict", async () => {
    const ratings = path("ratings.svmlight");
    const mixed = ["--method", "mp-mixed", "--loss", "squared", "--scale", "unit", "--seed", "s"];
    const fit = await run("fit", "--data", ratings, ...mixed, "--out", path("mixed"));
    expect(fit.code, fit.err).toBe(0);
    const predicted = ["--data", ratings, "--out", path("mixed.csv"), "--interval", "0.9"];
    const { code, err } = await run("predict", "--model", path("mixed"), ...predicted);
    expect(code, err).toBe(0);
    expect(readFileSync(path("mixed.csv"), "utf8").trim().split("\n")).toHaveLength(61);
  });

  test("are inspected, and fitted with a journal", async () => {
    const { out } = await run("inspect", "--data", path("ratings.svmlight"));
    expect(out).toContain("12 sparse features, x1 to x12, 60 entries");
    const journal = ["--journal", path("journal")];
    const first = await run("fit", "--data", path("ratings.svmlight"), ...method, ...journal);
    expect(first.code, first.err).toBe(0);
  });

  test("are told from what is none", async () => {
    writeFileSync(path("alone.svmlight"), "1 1:1\n2 2:1\n");
    const alone = await run("fit", "--data", path("alone.svmlight"));
    expect(alone.err).toContain("its rows name no tasks; write qid:NUMBER");
    const split = await run(
      "split",
      "--data",
      path("ratings.svmlight"),
      "--test-fraction",
      "0.3",
      "--out",
      path("x"),
    );
    expect(split.err).toContain("fit --test-fraction");
  });
});

test("a participant whose rows have some features only reads those of the plan", async () => {
  const values = {
    task: undefined,
    target: "target",
    missing: "refuse",
    sparse: true,
  };
  const plan = (features: string[]) => ({ features, classes: null, options: {} }) as never;
  const svm = await readSvmlight("1 2:5\n2 3:1\n");
  const own = taskReader(svm, values as never, "ann").read(plan(["x1", "x2", "x3", "x4"]));
  expect([...own.featureNames]).toEqual(["x1", "x2", "x3", "x4"]);
  expect([...[...own][0]!.x]).toEqual([0, 5, 0, 0, 0, 0, 1, 0]);
  const csv = await readCsv("item,target\nb,1\nd,2\n");
  const levels = ["item=a", "item=b", "item=c", "item=d"];
  const tasks = taskReader(csv, { ...values, categorical: ["item"] } as never, "ann").read(
    plan(levels),
  );
  expect([...tasks.featureNames]).toEqual(levels);
  expect(tasks.sparse).toBeDefined();
  expect([...[...tasks][0]!.x]).toEqual([0, 1, 0, 0, 0, 0, 0, 1]);
});
