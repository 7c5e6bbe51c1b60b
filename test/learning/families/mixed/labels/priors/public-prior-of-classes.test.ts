/** A public multinomial regression as the center of a mixed model of several classes: what it is worth, and what of it is refused. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { main } from "../../../../../../src/cli/run.js";
import { OptionError } from "../../../../../../src/core/index.js";
import { TaskSet } from "../../../../../../src/data/index.js";
import { makePlan } from "../../../../../../src/federation/protocol/plan/plan.js";
import { ClassesExchange } from "../../../../../../src/learning/families/mixed/labels/classes/classes-exchange.js";
import { classesPlan } from "../../../../../../src/learning/families/mixed/labels/classes/classes-plan.js";
import { linesAgainstRest } from "../../../../../../src/learning/families/mixed/labels/classes/public-lines.js";
import {
  type FittedModel,
  Auto,
  fitNewTask,
  MpMixed,
  publicSharedPrior,
  sharedPrior,
  SingleTask,
  type PublicClassesPrior,
  type PublicPrior,
} from "../../../../../../src/learning/index.js";
import { generator } from "../../../../../../bench/uniform-draws.js";
import { testIo } from "../../../../../cli/io.js";
import { temporaryFolder } from "../../../../../temporary.js";
import { thoroughTest } from "../../../../../thorough.js";
import { drawnTasks } from "../drawn-labels.js";
import { expectNeighboursWithinSensitivity, withAnotherLastTask } from "../../neighbours.js";

const LABELS = ["bus", "car", "walk"];
/** Slopes of two features, and intercept, of each class against the first. */
const TRUTH = [
  [0, 0, 0],
  [2.5, -1, 0.3],
  [-2, -2.5, -0.2],
];

/** Probabilities of a multinomial regression at (a, b). */
function probabilities(models: readonly (readonly number[])[], a: number, b: number): number[] {
  const odds = models.map(([u, v, level]) => Math.exp(u! * a + v! * b + level!));
  const whole = odds.reduce((sum, value) => sum + value, 0);
  return odds.map((value) => value / whole);
}

/** Tasks with common slopes and levels of their own, and rows held out. */
function choices(m: number, seed: number) {
  const { uniform, normal } = generator(seed);
  const task = (i: number) => {
    const own = TRUTH.map(([a, b, level]) => [a!, b!, level! + 0.6 * normal()]);
    const rows = (n: number) => {
      const x = Array.from({ length: n }, () => [2 * uniform() - 1, 2 * uniform() - 1]);
      const y = x.map(([a, b]) => {
        let left = uniform();
        const label = probabilities(own, a!, b!).findIndex((part) => (left -= part) < 0);
        return LABELS[label < 0 ? 2 : label]!;
      });
      return { name: `task ${i}`, x, y };
    };
    return { train: rows(4), held: rows(10) };
  };
  return drawnTasks(m, LABELS, task);
}

const { train, held } = choices(80, 5);
/** As a study would state it: against the first class. */
const prior = (factor: number): PublicClassesPrior => ({
  classes: Object.fromEntries(
    LABELS.slice(1).map((label, c) => {
      const [x1, x2, level] = TRUTH[c + 1]!.map((value) => factor * value);
      return [label, { coefficients: { x1: x1!, x2: x2! }, intercept: level! }];
    }),
  ),
  source: "a study",
});
const fit = (epsilon: number, publicPrior: PublicClassesPrior | null) =>
  new MpMixed({
    loss: "softmax",
    epsilon,
    publicPrior,
    delta: 1e-4,
    scale: "unit",
    random: { mode: "seeded", seed: 3 },
  }).fit(train);
/** Fits at eps 1 that several tests look at. */
const [helpedFit, plainFit] = [fit(1, prior(1)), fit(1, null)];

const lossOf = async (made: Promise<FittedModel>) => (await made).score(held).logLoss!;
const alone = new SingleTask({ loss: "softmax" }).fit(train);

test("a good one helps, beyond learning alone", async () => {
  const helped = await lossOf(helpedFit);
  expect(helped).toBeLessThan((await lossOf(plainFit)) - 0.03);
  expect(helped).toBeLessThan((await lossOf(alone)) - 0.1);
});

thoroughTest("a good one is worth most at a small budget; a wrong one is survived", async () => {
  const [plain, helped] = [await lossOf(fit(0.1, null)), await lossOf(fit(0.1, prior(1)))];
  expect(helped).toBeLessThan(plain - 0.15);
  // A class is told what a budget of eps / sqrt(3) would tell it alone.
  expect(await lossOf(fit(20, prior(-1)))).toBeLessThan((await lossOf(alone)) - 0.15);
  const [large, recovered] = [await lossOf(fit(60, null)), await lossOf(fit(60, prior(-1)))];
  expect(recovered).toBeLessThan(large + 0.03);
});

test("the guarantee says that it was declared public, and as much is spent as without it", async () => {
  const [one, other] = [await helpedFit, await plainFit];
  expect(one.guarantee).toMatchObject({
    note: expect.stringContaining("uses a prior declared public (a study)") as string,
  });
  expect(one.ledger!.spent()).toEqual(other.ledger!.spent());
  expect(one.ledger!.entries.map(({ event }) => event)).toEqual(
    other.ledger!.entries.map(({ event }) => event),
  );
  const asked = { loss: "softmax", epsilon: 0.01, delta: 1e-4, scale: "unit" } as const;
  expect(new Auto({ ...asked, publicPrior: prior(1) }).choose(train)).toMatchObject({
    method: "mp-mixed",
    why: expect.stringContaining("public prior") as string,
  });
});

test("which class is the reference, and what is added to all of them, changes nothing", () => {
  const { classes } = prior(1);
  const more = { coefficients: { x1: 0.7, x2: -0.4 }, intercept: 1.5 };
  const moved = Object.fromEntries(
    LABELS.map((label) => {
      const { coefficients, intercept = 0 } = classes[label] ?? { coefficients: { x1: 0, x2: 0 } };
      const { x1, x2 } = coefficients as { x1: number; x2: number };
      return [label, { coefficients: { x1: x1 + 0.7, x2: x2 - 0.4 }, intercept: intercept + 1.5 }];
    }),
  );
  expect(moved["bus"]).toEqual(more);
  const loss = { loss: "softmax" } as const;
  const [one, other] = [prior(1), { classes: moved }].map(
    (given) => publicSharedPrior(given, train, loss).components["fixedEffects"]!,
  );
  expect(one!.shape).toEqual([3, 3]);
  one!.data.forEach((value, k) => expect(value).toBeCloseTo(other!.data[k]!, 8));
});

test("a task never seen is predicted about as the study does, where nothing was fitted", () => {
  const shared = publicSharedPrior(prior(0.8), train, { loss: "softmax" });
  const model = fitNewTask(shared, train.select(["task 0"]));
  const given = TRUTH.map((one) => one.map((value) => 0.8 * value));
  for (const [a, b] of [
    [0.9, -0.5],
    [-0.3, 0.8],
    [0, 0],
  ] as const) {
    // How effects shrink with the spread of tasks is approximate.
    const found = model.predictNew!(Float64Array.of(a, b));
    probabilities(given, a, b).forEach((p, c) =>
      expect(Math.abs(found[c]! - p)).toBeLessThan(0.03),
    );
  }
});

test("lines of each class against the rest say together what the regression does", () => {
  const logits = Float64Array.of(0.3, -1.2, 0.5, 2, 0.1, -0.4, -0.7, 0.9, 1.1);
  const lines = linesAgainstRest(logits, 3);
  for (const [a, b] of [
    [0.4, -0.2],
    [-1, 0.7],
  ] as const) {
    const models = [0, 3, 6].map((from) => [...logits.subarray(from, from + 3)]);
    // As `averagedLogits` has it.
    const again = lines.map((line) => [...line].map((value) => (2 / 3) * value));
    const found = probabilities(again, a, b);
    probabilities(models, a, b).forEach((p, c) => expect(found[c]!).toBeCloseTo(p, 12));
  }
  // At equal odds a class has one part in C, and of two classes the line is the difference.
  linesAgainstRest(new Float64Array(12), 3).forEach(([, , level]) =>
    expect(1 / (1 + Math.exp(-level!))).toBeCloseTo(1 / 4, 12),
  );
  const [, second] = linesAgainstRest(Float64Array.of(1, 2, -0.5, 3), 2);
  [-1.5, 1].forEach((value, j) => expect(second![j]!).toBeCloseTo(value, 12));
});

test("a later task is given its model of the fit, to the bit; without a fit it starts from the prior", async () => {
  const model = await helpedFit;
  const names = ["task 4", "task 60"];
  const later = fitNewTask(sharedPrior(model), train.select(names));
  const x = [[0.4, -0.7]];
  for (const name of names) expect(later.predict(name, x)).toEqual(model.predict(name, x));
  const few = train.splitBy((row) => row < 2).train;
  const own = fitNewTask(publicSharedPrior(prior(1), few, { loss: "softmax" }), few);
  expect(own.guarantee).toMatchObject({ kind: "none" });
  expect(own.classes).toEqual(LABELS);
  const without = await new SingleTask({ loss: "softmax" }).fit(few);
  expect(own.score(held).logLoss!).toBeLessThan(without.score(held).logLoss! - 0.1);
});

const model = { coefficients: { x1: 1, x2: 0 } };
const only: PublicPrior = model;
test.each([
  ["another form than several classes have", only, "expected { classes: { CLASS:"],
  ["a class that nobody has", { classes: { car: model, plane: model } }, 'no class "plane"'],
  ["two classes left out", { classes: { car: model } }, 'nothing on the classes "bus", "walk"'],
  [
    "a feature left out",
    { classes: { car: { coefficients: { x1: 1 } }, walk: model } },
    'class "car": nothing on "x2"',
  ],
  [
    "what is no feature",
    { classes: { car: model, walk: { coefficients: { x1: 1, x2: 0, z: 3 } } } },
    'class "walk": no feature "z"',
  ],
  [
    "what is no number",
    { classes: { car: model, walk: { coefficients: { x1: "2", x2: 0 } } } },
    'class "walk": expected a finite number as the coefficient of "x1", got string',
  ],
  [
    "an intercept that is none",
    { classes: { car: model, walk: { ...model, intercept: NaN } } },
    'class "walk": expected a finite number as the intercept',
  ],
  [
    "numbers beyond all models",
    { classes: { car: model, walk: { coefficients: { x1: 1e61, x2: 0 } } } },
    'class "walk": its coefficients or intercept are beyond',
  ],
  ["no classes", { classes: {} }, "publicPrior: expected {"],
  ["a slip of a name", { classes: { car: { coeficients: {} } } }, "publicPrior: expected {"],
] as const)("%s is refused before anything is spent", async (_what, publicPrior, why) => {
  let released = 0;
  const given = { loss: "softmax", scale: "unit", epsilon: 1, delta: 1e-4 } as const;
  const fitted = async () => {
    const estimator = new MpMixed({ ...given, publicPrior: publicPrior as never });
    await estimator.fit(train, { onRound: () => released++ });
  };
  await expect(fitted()).rejects.toThrow(why);
  await expect(fitted()).rejects.toThrow(OptionError);
  expect(released).toBe(0);
});

test("models of classes are refused of other losses, and of names that a plan does not have", () => {
  const given = { publicPrior: prior(1), scale: "unit" } as const;
  expect(() => new MpMixed({ ...given, loss: "logistic" })).toThrow(/several classes.*logistic/);
  expect(() => publicSharedPrior(prior(1), train)).toThrow(/several classes.*squared/);
  const planned = (classes: readonly string[], features: readonly string[]) =>
    makePlan({
      run: "choices",
      method: "mp-mixed",
      features,
      classes,
      options: { ...given, loss: "softmax", epsilon: 1, delta: 1e-4 },
    });
  expect(planned(LABELS, ["x1", "x2"]).options["publicPrior"]).toEqual(prior(1));
  expect(() => planned(["bus", "car", "tram"], ["x1", "x2"])).toThrow('no class "walk"');
  expect(() => planned(LABELS, ["x1", "x3"])).toThrow('class "car": nothing on "x3"');
});

test("labels of numbers are named as they are written", () => {
  const list = [...train].map(({ name, x, y, n }) => ({
    name,
    x: Array.from({ length: n }, (_, j) => [x[2 * j]!, x[2 * j + 1]!]),
    y: Array.from(y, (label) => 10 * label),
  }));
  const numbered = TaskSet.from(list, { featureNames: ["x1", "x2"] });
  const { car, walk } = prior(1).classes as Record<"car" | "walk", PublicPrior>;
  const of = (given: PublicClassesPrior, tasks: TaskSet) =>
    publicSharedPrior(given, tasks, { loss: "softmax" }).components["fixedEffects"]!.data;
  expect(of({ classes: { 10: car, 20: walk } }, numbered)).toEqual(of(prior(1), train));
});

test("no sum moves by more than its sensitivity if one task is another, whatever the public models", () => {
  const offsets = [0, 1, 4, 9];
  const wild = fc.oneof(
    fc.constantFrom(0, 1, -1, 1e6, -1e6),
    fc.double({ min: -1e3, max: 1e3, noNaN: true }),
  );
  const lists = fc.array(wild, { minLength: 36, maxLength: 36 });
  const lines = fc.array(fc.double({ min: -20, max: 20, noNaN: true }), { minLength: 9, maxLength: 9 }); // prettier-ignore
  const sizes = { m: 3, d: 3, meanRows: 3, classes: 3 };
  const mu = 20;
  const plan = classesPlan(sizes, mu);
  fc.assert(
    fc.property(lists, lists, lines, fc.integer(), (numbers, others, around, seed) => {
      const centers = [0, 3, 6].map((from) => Float64Array.from(around.slice(from, from + 3)));
      const exchangeOf = (list: readonly number[]) => {
        const x = Float64Array.from({ length: 27 }, (_, k) => (k % 3 === 2 ? 1 : list[k]!));
        const y = Float64Array.from(list.slice(27), (value) => Math.abs(Math.round(value)) % 3);
        return new ClassesExchange({ x, y, offsets }, sizes, mu, {}, centers);
      };
      expectNeighboursWithinSensitivity(
        [exchangeOf(numbers), exchangeOf(withAnotherLastTask(numbers, others))],
        plan,
        generator(seed).normal,
        (most, fraction) => most / (mu * Math.sqrt(fraction)),
      );
    }),
    { numRuns: 5, seed: 6 },
  );
});

test("the command reads it from a file", async () => {
  const folder = temporaryFolder();
  const data = join(folder, "t.csv");
  const lines = [...train].flatMap(({ name, y, x, n }) =>
    Array.from({ length: n }, (_, j) => [name, LABELS[y[j]!], x[2 * j], x[2 * j + 1]].join(",")),
  );
  writeFileSync(data, ["task,y,x1,x2", ...lines].join("\n"));
  const file = join(folder, "prior.json");
  const from = ["--data", data, "--task", "task", "--target", "y", "--loss", "softmax"];
  const run = async (content: unknown) => {
    writeFileSync(file, JSON.stringify(content));
    const io = testIo();
    const flags = ["--scale", "unit", "--epsilon", "0.1", "--seed", "1", "--public-prior", file];
    const code = await main(["fit", ...from, ...flags, "--json"], io);
    return { code, out: io.out(), err: io.err() };
  };
  const { code, out, err } = await run(prior(1));
  expect(code, err).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ method: "mp-mixed", choice: { asked: "auto" } });
  expect(out).toContain("uses a prior declared public (a study)");
  const other = { classes: { tram: model, walk: model } };
  expect((await run(other)).err).toContain('no class "tram"');
  expect((await run({ classes: 3 })).err).toContain("--public-prior: expected a JSON file");
});
