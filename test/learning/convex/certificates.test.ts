import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binaryLabels } from "../../../src/data/index.js";
import { OptionError } from "../../../src/core/errors.js";
import {
  fitPath,
  GroupSparse,
  lambdaGrid,
  lambdaMax,
  LowRankSparse,
  MeanRegularized,
  MpLowRank,
  SingleTask,
  TaskRelationship,
  taskRelationship,
  TraceNorm,
  type Estimator,
  type FittedModel,
  type LossName,
} from "../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../src/model/index.js";
import { losses, norms, spread } from "../objectives.js";
import { makeLabelled, makeTasks } from "../tasks.js";
import { thorough } from "../../thorough.js";

const sizes = { m: 9, d: 5, rows: (i: number) => 3 + (i % 6), noise: 0.5 };
const regression = makeTasks(sizes);
const labelled = makeLabelled(sizes);
const dataOf = (loss: LossName) => (loss === "squared" ? regression : labelled);
const targets = (loss: LossName) => (loss === "squared" ? regression.y : binaryLabels(labelled).y);

interface Options {
  loss: LossName;
  intercept: boolean;
  tolerance?: number;
}

interface Method {
  name: string;
  make: (options: Options) => Estimator;
  /** The penalty at a model, in plain loops. */
  penalty: (model: FittedModel) => number;
}

const LAMBDA = 0.05;
const part = (model: FittedModel, name: string) => model.components[name]!.data;
const square = (v: Float64Array) => v.reduce((total, value) => total + value * value, 0);

const parts = (["trace", "l21"] as const).flatMap((sharedPenalty) =>
  (["l1", "l12", "frobenius"] as const).map((localPenalty): Method => {
    const lambda2 = localPenalty === "l1" ? 0.03 : 0.04;
    return {
      name: `low-rank-sparse ${sharedPenalty} ${localPenalty}`,
      make: (options) =>
        new LowRankSparse({ ...options, lambda: LAMBDA, lambda2, sharedPenalty, localPenalty }),
      penalty: (model) => {
        const q = part(model, "local");
        const local =
          localPenalty === "frobenius" ? square(q) : norms[localPenalty].value(q, model.d);
        return (
          LAMBDA * norms[sharedPenalty].value(part(model, "shared"), model.d) + lambda2 * local
        );
      },
    };
  }),
);

const methods: Method[] = [
  {
    name: "trace-norm",
    make: (options) => new TraceNorm({ ...options, lambda: LAMBDA }),
    penalty: ({ weights, d }) => LAMBDA * norms.trace.value(weights, d),
  },
  {
    name: "group-sparse",
    make: (options) => new GroupSparse({ ...options, lambda: LAMBDA }),
    penalty: ({ weights, d }) => LAMBDA * norms.l21.value(weights, d),
  },
  {
    name: "lasso",
    make: (options) => new SingleTask({ ...options, lambda: LAMBDA, penalty: "l1" }),
    penalty: ({ weights }) => LAMBDA * norms.l1.value(weights),
  },
  {
    name: "ridge",
    make: (options) => new SingleTask({ ...options, lambda: LAMBDA }),
    penalty: ({ weights }) => (LAMBDA / 2) * square(weights),
  },
  {
    name: "mean-regularized",
    make: (options) => new MeanRegularized({ ...options, lambda: LAMBDA }),
    penalty: ({ weights, d }) => LAMBDA * spread(weights, d),
  },
  {
    name: "task-relationship",
    make: (options) => new TaskRelationship({ ...options, lambda: LAMBDA, lambda2: 0.02 }),
    penalty: ({ weights, d }) =>
      (LAMBDA / 2) * square(weights) + 0.01 * norms.trace.value(weights, d) ** 2,
  },
  {
    name: "task-relationship without a ridge",
    make: (options) => new TaskRelationship({ ...options, lambda: 0, lambda2: 0.02 }),
    penalty: ({ weights, d }) => 0.01 * norms.trace.value(weights, d) ** 2,
  },
  ...parts,
];

describe.each(methods)("$name", ({ make, penalty }) => {
  describe.each([
    { loss: "squared", intercept: false },
    { loss: "squared", intercept: true },
    { loss: "logistic", intercept: false },
    { loss: "logistic", intercept: true },
  ] as const)("$loss loss, intercept $intercept", (options) => {
    const data = dataOf(options.loss);
    const objective = (model: FittedModel) =>
      losses(data, targets(options.loss), options.loss, model).value + penalty(model);

    test("states its objective, and certifies no more than is true", async () => {
      const tight = await make({ ...options, tolerance: 1e-11 }).fit(data);
      const rough = await make({ ...options, tolerance: 0.02 }).fit(data);
      expect(tight.certificate).toMatchObject({ met: true });
      for (const model of [tight, rough]) {
        expect(model.objective).toBeCloseTo(objective(model), 10);
        const excess = (model.objective - tight.objective) / model.objective;
        expect(excess).toBeLessThanOrEqual(model.certificate!.value + 1e-10);
        expect(model.certificate!.value).toBeLessThanOrEqual(0.02);
      }
    });

    test("no change of the models lowers the objective", async () => {
      const model = await make({ ...options, tolerance: 1e-11 }).fit(data);
      const { m, d } = model;
      const direction = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
        minLength: m * d,
        maxLength: m * d,
      });
      const size = fc.constantFrom(1e-3, 0.03, 1);
      fc.assert(
        fc.property(direction, size, (move, by) => {
          const change = (v: Float64Array) => v.map((value, k) => value + by * move[k]!);
          const shared = model.components["shared"];
          const moved = { ...model, m, d, weights: change(model.weights) } as FittedModel;
          const other = shared
            ? {
                ...moved,
                components: {
                  ...model.components,
                  shared: { ...shared, data: change(shared.data) },
                },
              }
            : moved;
          expect(objective(other as FittedModel)).toBeGreaterThan(model.objective * (1 - 1e-9));
        }),
        { numRuns: thorough ? 25 : 12, seed: 7 },
      );
    });

    test("survives saving, components and all", async () => {
      const model = await make(options).fit(data);
      const loaded = loadModel(saveModel(model));
      expect(loaded.components).toEqual(model.components);
      expect(loaded.weights).toEqual(model.weights);
    });
  });
});

describe.each(["squared", "logistic"] as const)("optimality conditions, %s loss", (loss) => {
  const data = dataOf(loss);
  const options = { loss, tolerance: 1e-12 };
  const gradientAt = (model: FittedModel) => losses(data, targets(loss), loss, model).gradient;

  test("trace norm: ||gradient||_2 is lambda and <gradient, W> is -lambda ||W||_*", async () => {
    const model = await new TraceNorm({ ...options, lambda: LAMBDA }).fit(data);
    const gradient = gradientAt(model);
    expect(norms.trace.dual(gradient, model.d)).toBeCloseTo(LAMBDA, 6);
    const along = gradient.reduce((total, g, k) => total + g * model.weights[k]!, 0);
    expect(along).toBeCloseTo(-LAMBDA * norms.trace.value(model.weights, model.d), 8);
  });

  test("low rank + sparse: both dual norms of the gradient are at their bounds", async () => {
    const model = await new LowRankSparse({ ...options, lambda: 0.06, lambda2: 0.03 }).fit(data);
    const gradient = gradientAt(model);
    expect(norms.trace.dual(gradient, model.d)).toBeLessThan(0.06 * (1 + 1e-5));
    expect(norms.l1.dual(gradient)).toBeLessThan(0.03 * (1 + 1e-5));
  });

  test("mean-regularised: the gradients of the tasks sum to zero, each pulls to the mean", async () => {
    const model = await new MeanRegularized({ ...options, lambda: LAMBDA }).fit(data);
    const { m, d, weights } = model;
    const gradient = gradientAt(model);
    for (let k = 0; k < d; k++) {
      let [sum, mean] = [0, 0];
      for (let i = 0; i < m; i++) {
        sum += gradient[i * d + k]!;
        mean += weights[i * d + k]! / m;
      }
      expect(sum).toBeCloseTo(0, 7);
      for (let i = 0; i < m; i++) {
        const pull = 2 * LAMBDA * (weights[i * d + k]! - mean);
        expect(gradient[i * d + k]! + pull).toBeCloseTo(0, 7);
      }
    }
  });
});

test("the relationship is found once, when its data are read, and is written and copied as any component", async () => {
  const model = await new TaskRelationship({ lambda: 0.05, lambda2: 0.02 }).fit(regression);
  const component = model.components["taskRelationship"]!;
  const { get } = Object.getOwnPropertyDescriptor(component, "data")!;
  expect(get).toBeTypeOf("function");
  expect(component.data).toBe(component.data);
  const { m, d, weights } = model;
  expect({ ...component }).toEqual({ shape: [m, m], data: taskRelationship(weights, m, d) });
});

test("the relationship matrix has trace one, is the square root's, and attains the penalty", async () => {
  const model = await new TaskRelationship({ lambda: 0.05, lambda2: 0.02, tolerance: 1e-11 }).fit(
    regression,
  );
  const { m, d, weights } = model;
  const omega = part(model, "taskRelationship");
  const trace = norms.trace.value(weights, d);
  let diagonal = 0;
  for (let i = 0; i < m; i++) diagonal += omega[i * m + i]!;
  expect(diagonal).toBeCloseTo(1, 12);
  // (trace Omega)^2 = W^T W.
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < m; j++) {
      let [product, inner] = [0, 0];
      for (let k = 0; k < m; k++) product += omega[i * m + k]! * omega[k * m + j]!;
      for (let k = 0; k < d; k++) inner += weights[i * d + k]! * weights[j * d + k]!;
      expect(trace * trace * product).toBeCloseTo(inner, 9);
    }
  }
});

describe("lambda paths", () => {
  const free = { intercept: false };
  const cases = [
    [
      "trace-norm",
      (lambda: number, tolerance = 1e-8) => new TraceNorm({ ...free, lambda, tolerance }),
    ],
    [
      "group-sparse",
      (lambda: number, tolerance = 1e-8) => new GroupSparse({ ...free, lambda, tolerance }),
    ],
    [
      "lasso",
      (lambda: number, tolerance = 1e-8) =>
        new SingleTask({ ...free, lambda, tolerance, penalty: "l1" }),
    ],
  ] as const;

  test.each(cases)("%s: at lambdaMax all is zero, just below it is not", async (penalty, make) => {
    const largest = lambdaMax(regression, { ...free, penalty });
    const at = await make(largest * (1 + 1e-9)).fit(regression);
    const below = await make(largest * 0.99).fit(regression);
    expect(at.figures.weightsNorm).toBe(0);
    expect(below.figures.weightsNorm).toBeGreaterThan(0);
  });

  test("with free intercepts lambdaMax is taken at their optimum", async () => {
    const options = { loss: "logistic", intercept: true } as const;
    const largest = lambdaMax(labelled, { penalty: "trace-norm", ...options });
    const at = await new TraceNorm({ lambda: largest * 1.0001, ...options }).fit(labelled);
    const below = await new TraceNorm({ lambda: largest * 0.98, ...options }).fit(labelled);
    expect(at.figures.weightsNorm).toBeLessThan(1e-6);
    expect(below.figures.weightsNorm).toBeGreaterThan(1e-3);
  });

  test.each(cases)(
    "%s: warm starts reach the same solutions in fewer rounds",
    async (penalty, make) => {
      const tolerance = 1e-4;
      const grid = lambdaGrid(lambdaMax(regression, { ...free, penalty }), {
        count: 12,
        ratio: 0.1,
      });
      let [warm, cold, k] = [0, 0, 0];
      for await (const model of fitPath(regression, grid, (lambda) => make(lambda, tolerance))) {
        const alone = await make(grid[k++]!, tolerance).fit(regression);
        expect(Math.abs(model.objective / alone.objective - 1)).toBeLessThan(2 * tolerance);
        warm += model.rounds;
        cold += alone.rounds;
      }
      expect(k).toBe(12);
      expect(warm).toBeLessThan(cold);
    },
  );

  test("a warm start at the solution ends at once, for two parts as well", async () => {
    const make = () => new LowRankSparse({ lambda: 0.05, lambda2: 0.03, tolerance: 1e-7 });
    const model = await make().fit(regression);
    const again = await make().fit(regression, { warmStart: model });
    expect(model.rounds).toBeGreaterThan(40);
    expect(again.rounds).toBeLessThanOrEqual(8);
  });

  test("a model of other tasks is refused, and so is any by a private method", async () => {
    const warmStart = await new TraceNorm().fit(regression.select(["task-0", "task-1", "task-2"]));
    await expect(new TraceNorm().fit(regression, { warmStart })).rejects.toThrow(OptionError);
    const own = await new TraceNorm().fit(regression);
    await expect(new MpLowRank().fit(regression, { warmStart: own })).rejects.toThrow(
      "warmStart: mp-low-rank starts from each task's own model",
    );
  });
});
