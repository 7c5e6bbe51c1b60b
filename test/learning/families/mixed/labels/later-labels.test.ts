/** Models of later tasks of labels: what the fit gave its own tasks is what it gives them, to the bit. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../../src/data/index.js";
import { simulateFederation } from "../../../../../src/federation/index.js";
import { makePlan } from "../../../../../src/federation/index.js";
import { ClassesExchange } from "../../../../../src/learning/families/mixed/labels/classes/classes-exchange.js";
import { classesPlan } from "../../../../../src/learning/families/mixed/labels/classes/classes-plan.js";
import { LogisticExchange } from "../../../../../src/learning/families/mixed/labels/logistic-exchange.js";
import { logisticPlan } from "../../../../../src/learning/families/mixed/labels/logistic-plan.js";
import {
  batchModels,
  COMPONENTS_BY_TASK,
  sharedComponentsOf,
} from "../../../../../src/learning/families/mixed/model-components.js";
import { givenUnits } from "../../../../../src/learning/families/mixed/units/units.js";
import { scoreNewTasks } from "../../../../../src/learning/fitted/scores/score-new-tasks.js";
import {
  fitNewTask,
  MixedModel,
  MpMixed,
  sharedPrior,
  type FittedModel,
  type SharedPrior,
} from "../../../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../../../src/model/index.js";
import { generator } from "../../../../../bench/uniform-draws.js";
import { drawnTasks } from "./drawn-labels.js";
import { expectNeighboursWithinSensitivity, withAnotherLastTask } from "../neighbours.js";
import { someOf, thorough } from "../../../../thorough.js";

const SETS = { logistic: ["no", "yes"], softmax: ["high", "low", "middle"] } as const;
type Loss = keyof typeof SETS;
// Tasks never seen, of the other loss, are in unseen-labels.test.ts.
const LOSSES = someOf<Loss>(["logistic", "softmax"], 2);

/** Tasks of features far from unit size, with common slopes and own intercepts. */
function labelledTasks(m: number, loss: Loss, seed: number) {
  const { uniform, normal } = generator(seed);
  const task = (i: number) => {
    const level = 2 * normal();
    const rows = (n: number) => {
      const x = Array.from({ length: n }, () => [20 + 9 * uniform(), 4 * uniform() - 2]);
      const y = x.map(([a, b]) => {
        const score = level + (2 / 3) * (a! - 24.5) - b! + normal();
        return loss === "logistic"
          ? SETS.logistic[Number(score > 0)]!
          : score < -1.2
            ? "low"
            : score < 1.2
              ? "middle"
              : "high";
      });
      return { name: `task ${i}`, x, y };
    };
    return { train: rows(3 + (i % 5)), held: rows(20) };
  };
  return drawnTasks(m, SETS[loss], task);
}

const random = { mode: "seeded", seed: 3 } as const;
const options = { epsilon: 8, delta: 1e-3, random } as const;
const fits = Object.fromEntries(
  await Promise.all(
    LOSSES.map(async (loss) => {
      const { train, held } = labelledTasks(130, loss, 6);
      const known = train.select(train.names.slice(0, 100));
      const model = await new MpMixed({ ...options, loss }).fit(known);
      const together = await new MixedModel({ loss }).fit(known);
      return [loss, { train, held, known, fits: [model, together] }] as const;
    }),
  ),
);

/** Everything that a model has of task i, as bits. */
function partsOf(model: FittedModel, name: string): Float64Array[] {
  const i = model.taskNames.indexOf(name);
  const own = (data: Float64Array) => {
    const size = data.length / model.m;
    return data.slice(i * size, (i + 1) * size);
  };
  const named = COMPONENTS_BY_TASK.filter((part) => model.components[part]);
  expect(named).toContain("mixtureCovariances");
  return [
    own(model.weights),
    own(model.intercepts!),
    ...named.map((part) => own(model.components[part]!.data)),
  ];
}

describe.each(LOSSES)("later tasks, %s loss", (loss) => {
  const { train, held, known, fits: models } = fits[loss]!;
  const [model, together] = models as [FittedModel, FittedModel];

  test("whoever was in the fit is given the bits of the fit, with and without noise, whoever comes with it", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...known.names), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(model, together),
        fc.boolean(),
        (names, fitted, whole) => {
          const prior = whole ? fitted : structuredClone(sharedPrior(fitted));
          const later = fitNewTask(prior, known.select(names));
          for (const name of names) expect(partsOf(later, name)).toEqual(partsOf(fitted, name));
          expect(later.classes).toEqual(SETS[loss]);
          const x = Float64Array.of(23, 1, 28, -2);
          expect(later.predict(names[0]!, x)).toEqual(fitted.predict(names[0]!, x));
          expect(later.predictNew!(x)).toEqual(fitted.predictNew!(x));
        },
      ),
      { numRuns: 12, seed: 4 },
    );
  });

  test("own rows improve on what is known of all, and a saved model serves as well", () => {
    const names = train.names.slice(100);
    const [own, after] = [train.select(names), held.select(names)];
    const later = fitNewTask(sharedPrior(model), own);
    expect(later.score(after).logLoss!).toBeLessThan(0.9 * scoreNewTasks(model, after)!.logLoss!);
    expect(later.guarantee).toMatchObject(model.guarantee);
    const again = loadModel(saveModel(later));
    expect(again.score(after)).toEqual(later.score(after));
    expect(again.ledger!.spent()).toEqual(model.ledger!.spent());
    const loaded = fitNewTask(loadModel(saveModel(model)), own);
    expect(loaded.weights).toEqual(later.weights);
    // Who has a model made of it can serve others in turn.
    expect(fitNewTask(later, own).weights).toEqual(later.weights);
  });

  test("a prior that was sent as JSON makes the same models, and what is none is refused", () => {
    const own = train.select(train.names.slice(100));
    const sent = JSON.parse(JSON.stringify(sharedPrior(model))) as SharedPrior;
    expect(fitNewTask(sent, own).weights).toEqual(fitNewTask(model, own).weights);
    const [name] = Object.keys(sent.components);
    const broken = {
      ...sent,
      components: { ...sent.components, [name!]: { shape: [1], data: [null] } },
    };
    expect(() => fitNewTask(broken as never, own)).toThrow(`prior: ${name}: expected numbers`);
    for (const none of [undefined, null, {}, { components: null }]) {
      expect(() => sharedPrior(none as never)).toThrow("prior: expected a fitted model");
      expect(() => fitNewTask(none as never, own)).toThrow("prior: expected a fitted model");
    }
    expect(() => fitNewTask(model, [] as never)).toThrow("tasks: expected a task set");
  });

  test("the shared prior names no task, and older files say that they have none", () => {
    const prior = sharedPrior(model);
    expect(JSON.stringify(prior)).not.toContain("task 7");
    for (const name of COMPONENTS_BY_TASK) expect(prior.components[name]).toBeUndefined();
    const { taskPriorRoots, ...older } = model.components;
    expect(taskPriorRoots).toBeDefined();
    const old = model.withComponents(older);
    expect(() => sharedPrior(old)).toThrow(/saved by a version that kept nothing for later tasks/);
    expect(() => fitNewTask(old, train)).toThrow(/fit it again/);
  });

  test("labels are read by name: some of them, in any order; others are refused by those that were expected", () => {
    const [first, second] = SETS[loss];
    const x = [[22, 0], [27, 1], [20, -1]]; // prettier-ignore
    const of = (y: readonly string[] | readonly number[], labels?: readonly string[]) =>
      TaskSet.from([{ name: "later", x, y }], labels ? { labels } : {});
    const one = of([second, second, second]);
    const turned = of([second, second, second], [second, "unheard of", first]);
    const weights = fitNewTask(model, one).weights;
    expect(fitNewTask(model, turned).weights).toEqual(weights);
    expect(fitNewTask(model, of([first, second, second])).weights).not.toEqual(weights);
    const expected = loss === "logistic" ? '"no", "yes"' : '"high", "low", "middle"';
    expect(() => fitNewTask(model, of([first, "maybe", second]))).toThrow(
      `task "later", row 1: "y" is none of the classes of the prior: expected one of ${expected}`,
    );
    expect(() => fitNewTask(model, of([0, 1, 1]))).toThrow(
      `expected labels, not numbers: one of ${expected}`,
    );
    const heavy = TaskSet.from([{ name: "later", x, y: [first, second, first], weights: [1, 2, 3] }]); // prettier-ignore
    expect(() => fitNewTask(model, heavy)).toThrow(/takes no weights of rows/);
    const wide = TaskSet.from([{ name: "later", x: [[1, 2, 3]], y: [first] }]);
    expect(() => fitNewTask(model, wide)).toThrow(/have 3 features, the prior has 2/);
    const { classes, ...nameless } = sharedPrior(model);
    expect(classes).toEqual(SETS[loss]);
    expect(() => fitNewTask(nameless, one)).toThrow(/does not say what its classes are/);
  });

  test("a federated participant has the prior of the run in its own model", async () => {
    const some = known.select(known.names.slice(0, 9));
    const plan = makePlan({
      run: "labels",
      method: "mp-mixed",
      features: some.featureNames,
      classes: SETS[loss],
      tasks: some.names.map((name) => ({ name, participant: null })),
      options: { loss, epsilon: 5, delta: 1e-3, scale: "unit", random },
    });
    const run = await simulateFederation({ plan, tasks: some });
    const [one, other] = [run.models.get("p0")!, run.models.get("p1")!];
    expect(sharedPrior(one).components).toEqual(sharedPrior(other).components);
    const late = fitNewTask(sharedPrior(one), some.select(other.taskNames));
    expect(late.weights).toEqual(other.weights);
    expect(loadModel(saveModel(late)).guarantee).toMatchObject({ ...run.curator.guarantee });
  });
});

test("the shared prior is the same of tasks that differ in one, and receive the same releases", () => {
  const offsets = [0, 1, 4, 9];
  const number = fc.double({ min: -5, max: 5, noNaN: true });
  const lists = fc.array(number, { minLength: 36, maxLength: 36 });
  fc.assert(
    fc.property(lists, lists, fc.boolean(), fc.integer(), (numbers, others, several, seed) => {
      const sizes = { m: 3, d: 3, meanRows: 3, ...(several ? { classes: 3 } : {}) };
      const mu = 5;
      const plan = several ? classesPlan(sizes, mu) : logisticPlan(sizes, mu);
      const exchangeOf = (list: readonly number[]) => {
        const rows = {
          x: Float64Array.from({ length: 27 }, (_, k) => (k % 3 === 2 ? 1 : list[k]!)),
          y: Float64Array.from(list.slice(27), (value) =>
            several ? Math.floor((value + 5) / 3.4) : value < 0 ? -1 : 1,
          ),
          offsets,
        };
        return several
          ? new ClassesExchange(rows, sizes, mu)
          : new LogisticExchange(rows, sizes, mu, plan);
      };
      const pair = [exchangeOf(numbers), exchangeOf(withAnotherLastTask(numbers, others))] as const;
      expectNeighboursWithinSensitivity(
        pair,
        plan,
        generator(seed).normal,
        (most, fraction) => most / (mu * Math.sqrt(fraction)),
      );
      const [one, other] = pair.map((exchange) => {
        const { components = {} } = batchModels(exchange.solve(), givenUnits(3), {
          m: 3,
        } as TaskSet);
        const shared = sharedComponentsOf("logistic", components);
        expect(shared).toContain("taskPriorRoots");
        return Object.fromEntries(shared.map((name) => [name, components[name]]));
      });
      expect(one).toEqual(other);
    }),
    { numRuns: thorough ? 8 : 2, seed: 9 },
  );
});

test("of one feature, a later task's probabilities are those that quadrature finds under the same priors", async () => {
  const { uniform, normal } = generator(12);
  const tasks = TaskSet.from(
    Array.from({ length: 60 }, (_, i) => {
      const level = normal();
      const x = Array.from({ length: 5 }, () => [2 * uniform() - 1]);
      return { name: `${i}`, x, y: x.map(([a]) => (a! + level + normal() > 0 ? "yes" : "no")) };
    }),
    { labels: ["no", "yes"] },
  );
  const model = await new MpMixed({ ...options, loss: "logistic", scale: "unit" }).fit(tasks);
  const x = [[-0.8], [0.1], [0.5], [0.9]];
  const signs = [-1, 1, 1, 1];
  const y = signs.map((sign) => (sign > 0 ? "yes" : "no"));
  const later = fitNewTask(sharedPrior(model), TaskSet.from([{ name: "later", x, y }]));
  const { taskPriorLogWeights, taskPriorMeans, taskPriorRoots } = model.components;
  const sigma = (z: number) => 1 / (1 + Math.exp(-z));
  for (const row of [-0.9, 0.3]) {
    let [above, below] = [0, 0];
    taskPriorLogWeights!.data.forEach((logWeight, k) => {
      const [slope, level] = taskPriorMeans!.data.subarray(2 * k, 2 * k + 2);
      const [a, b, c] = taskPriorRoots!.data.subarray(3 * k, 3 * k + 3);
      const [steps, reach] = [80, 6];
      for (let i = 0; i <= steps; i++) {
        for (let j = 0; j <= steps; j++) {
          const [u, v] = [i, j].map((at) => reach * ((2 * at) / steps - 1)) as [number, number];
          const [w, w0] = [slope! + a! * u, level! + b! * u + c! * v];
          const likelihood = signs.reduce((p, sign, r) => p * sigma(sign * (w * x[r]![0]! + w0)), 1); // prettier-ignore
          const mass = Math.exp(logWeight - (u * u + v * v) / 2) * likelihood;
          above += mass * sigma(w * row + w0);
          below += mass;
        }
      }
    });
    // Expectation propagation is approximate; so is the mixture of a few normals.
    expect(Math.abs(later.predict("later", [[row]])[0]! - above / below)).toBeLessThan(0.01);
  }
});
