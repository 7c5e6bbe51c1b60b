/**
 * A prior declared public: it helps at small budgets where it is right, does little harm where it is wrong and the budget is
 * large, and the guarantee says that it was used.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { publicEffects } from "../../../../src/learning/options/public-prior.js";
import { main } from "../../../../src/cli/run.js";
import { parseSchema, readCsv, tasksFromTable, TaskSet } from "../../../../src/data/index.js";
import {
  Auto,
  fitNewTask,
  MpMixed,
  publicSharedPrior,
  SingleTask,
  type FittedModel,
  type PublicPrior,
} from "../../../../src/learning/index.js";
import { testIo } from "../../../cli/io.js";
import { temporaryFolder } from "../../../temporary.js";
import { mixedTasks } from "./tasks.js";

const EFFECTS = [1.6, -1.2, 0.9];
const { rows, test: held, sizes } = mixedTasks(11, 60, 4, EFFECTS);
const d = EFFECTS.length;

function asTasks({ x, y }: { x: Float64Array; y: Float64Array }): TaskSet {
  const list = Array.from({ length: sizes.m }, (_, i) => {
    const [from, to] = [rows.offsets[i]!, rows.offsets[i + 1]!];
    const row = (k: number) => Array.from(x.subarray(k * d, k * d + d - 1));
    return {
      name: `t${i}`,
      x: Array.from({ length: to - from }, (__, k) => row(from + k)),
      y: Array.from(y.subarray(from, to)),
    };
  });
  return TaskSet.from(list, { featureNames: ["u", "v"] });
}
const [train, after] = [asTasks(rows), asTasks(held)];
const good: PublicPrior = { coefficients: { u: 1.6, v: -1.2 }, intercept: 0.9, source: "a study" };
const bad: PublicPrior = { coefficients: { u: -3.2, v: 2.4 }, intercept: -1.8 };

const fit = (epsilon: number, publicPrior: PublicPrior | null) =>
  new MpMixed({
    epsilon,
    publicPrior,
    delta: 1e-4,
    scale: "unit",
    random: { mode: "seeded", seed: 3 },
  }).fit(train);
const errorOf = (model: FittedModel) => model.score(after).nmse!;

test("a good one is worth most at a small budget; from a bad one a large budget comes back", async () => {
  const alone = errorOf(await new SingleTask().fit(train));
  const [plain, helped] = [errorOf(await fit(0.1, null)), errorOf(await fit(0.1, good))];
  expect(helped).toBeLessThan(0.8 * plain);
  expect(helped).toBeLessThan(alone);
  const [large, recovered] = [errorOf(await fit(10, null)), errorOf(await fit(10, bad))];
  expect(recovered).toBeLessThan(1.15 * large);
  expect(recovered).toBeLessThan(alone);
});

test("the guarantee says that it was declared public, with its source", async () => {
  const { guarantee } = await fit(1, good);
  expect(guarantee).toMatchObject({
    note: expect.stringContaining(
      "uses a prior declared public (a study); nothing is claimed about the data it came from",
    ) as string,
  });
  expect(JSON.stringify((await fit(1, null)).guarantee)).not.toContain("declared public");
});

test("zero everywhere is no prior but for what tasks may choose between", async () => {
  const zero = { coefficients: { u: 0, v: 0 } };
  const [one, other] = [await fit(1, zero), await fit(1, null)];
  one.weights.forEach((value, k) => expect(value).toBeCloseTo(other.weights[k]!, 9));
});

test("coefficients in raw units are taken to declared ranges", async () => {
  const list = [...train].map(({ name, y }) => ({ name, x: Array.from(y, (v) => [v, 1]), y }));
  const shape = { featureNames: ["u", "v"], targetRange: [50, 150] } as const;
  const prior = { coefficients: { u: 16, v: -12 }, intercept: 109 };
  const effects = publicEffects(prior, TaskSet.from(list, shape));
  // The target is (y - 100) / 50.
  [0.32, -0.24, 0.18].forEach((value, k) => expect(effects[k]).toBeCloseTo(value, 12));
  // A feature of 20 to 60 is (x - 40) / 20 there: a slope of 2 is 40, and 2 * 40 goes to the constant.
  const table = await readCsv("task,y,u\na,1,20\na,2,60\nb,3,30\n", { name: "t.csv" });
  const schema = parseSchema({
    format: "mp-mtl-schema",
    version: 1,
    columns: { u: { kind: "number", range: [20, 60] } },
  });
  const { tasks } = tasksFromTable(table, { task: "task", target: "y", schema });
  const own = publicEffects({ coefficients: { u: 2 }, intercept: 1 }, tasks);
  [40, 81].forEach((value, k) => expect(own[k]).toBeCloseTo(value, 12));
});

test("names are checked, and what it cannot start is refused", async () => {
  await expect(fit(1, { coefficients: { u: 1 } })).rejects.toThrow('nothing on "v"');
  await expect(fit(1, { coefficients: { u: 1, v: 1, w: 1 } })).rejects.toThrow('no feature "w"');
  expect(() => new MpMixed({ loss: "softmax", publicPrior: good })).toThrow(
    "the softmax loss has a model for each class",
  );
  expect(() => new MpMixed({ publicPrior: { coefficients: { u: NaN } } })).toThrow("publicPrior");
});

test.each([
  { u: 1e300, v: 0 },
  { u: 0, v: -1e61 },
])(
  "one of which no models can be made is refused before anything is spent: %o",
  async (coefficients) => {
    let released = 0;
    const estimator = new MpMixed({ scale: "unit", publicPrior: { coefficients } });
    const fitted = estimator.fit(train, { onRound: () => released++ });
    await expect(fitted).rejects.toThrow(/publicPrior: its coefficients or intercept are beyond/);
    expect(released).toBe(0);
    expect(() => publicSharedPrior({ coefficients }, train)).toThrow(/beyond all/);
  },
);

test("auto starts from it whatever the budget, or says that nothing can", async () => {
  const options = { epsilon: 0.01, delta: 1e-4, publicPrior: good, scale: "unit" } as const;
  expect(new Auto(options).choose(train)).toMatchObject({ method: "mp-mixed" });
  expect(() => new Auto({ ...options, delta: 0 }).choose(train)).toThrow("publicPrior");
});

test("a task of its own starts from it with nothing fitted at all", async () => {
  const one = after.select(["t0"]);
  const few = train.select(["t0"]).splitBy((row) => row < 2).train;
  const own = fitNewTask(publicSharedPrior(good, few), few);
  expect(own.guarantee).toMatchObject({ kind: "none" });
  expect(errorOfOne(own, one)).toBeLessThan(errorOfOne(await new SingleTask().fit(few), one));
});

function errorOfOne(model: FittedModel, { x, y }: TaskSet): number {
  return model.predict("t0", x).reduce((sum, value, k) => sum + (value - y[k]!) ** 2, 0);
}

test("the command reads it from a file", async () => {
  const folder = temporaryFolder();
  const data = join(folder, "t.csv");
  const lines = [...train].flatMap(({ name, x, y, n }) =>
    Array.from({ length: n }, (_, j) => [name, y[j], x[2 * j], x[2 * j + 1]].join(",")),
  );
  writeFileSync(data, ["task,y,u,v", ...lines].join("\n"));
  const file = join(folder, "prior.json");
  const run = async (content: string) => {
    writeFileSync(file, content);
    const io = testIo();
    const flags = ["--scale", "unit", "--epsilon", "0.1", "--seed", "1", "--public-prior", file];
    const code = await main(
      ["fit", "--data", data, "--task", "task", "--target", "y", ...flags, "--json"],
      io,
    );
    return { code, out: io.out(), err: io.err() };
  };
  const { code, out, err } = await run(JSON.stringify(good));
  expect(code, err).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ method: "mp-mixed", choice: { asked: "auto" } });
  expect(out).toContain("uses a prior declared public (a study)");
  expect((await run("{")).err).toContain("not JSON");
  expect((await run('{"coefficients": 3}')).err).toContain("--public-prior: expected a JSON file");
});
