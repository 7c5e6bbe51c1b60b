/**
 * Every switch that restores a printed algorithm, held to that algorithm written down from the text on plain arrays: at one
 * and five rounds, with a budget at which noise is below rounding.
 *
 * Not the defaults: docs/DEVIATIONS.md lists in what these differ from the papers, and why.
 */
import { describe, expect, test } from "vitest";
import {
  MpGroupSparse,
  MpLowRank,
  MpLowRankSparse,
  Pmtl,
  PrivateFedAvg,
} from "../../src/learning/index.js";
import { makeTasks } from "../learning/tasks.js";
import {
  apply,
  clip,
  covariance,
  dot,
  eigen,
  norm,
  plus,
  times,
  type Matrix,
  type Vector,
} from "./plain-algebra.js";

const [m, d, K, eta, lambda] = [6, 4, 1.2, 0.7, 0.3];
const tasks = makeTasks({ m, d, rows: (i) => 5 + i, noise: 0.2 });
const data = [...tasks].map(({ x, y }) => ({
  x: Array.from(y, (_, j) => Array.from(x.subarray(j * d, (j + 1) * d))),
  y: Array.from(y),
}));

/** Gradient of (1 / n) sum (x w - y)^2 / 2. */
function gradient(i: number, w: Vector): Vector {
  const { x, y } = data[i]!;
  return x.reduce<Vector>(
    (sum, row, j) => plus(sum, row, (dot(row, w) - y[j]!) / y.length),
    times(0, w),
  );
}

/** Some of norm below K, some above, so that clipping is seen. */
const start: Matrix = Array.from({ length: m }, (_, i) =>
  Array.from({ length: d }, (__, j) => Math.sin(3 * i + j + 1) * (0.3 + 0.4 * i)),
);

const beta = (t: number) => (t - 1) / (t + 2);

/** Singular values shrunk: diag(s) in the eigenbasis of S, or of its diagonal. */
const lowRank = (models: Matrix, threshold = eta * lambda) => {
  const { values, u } = eigen(covariance(models));
  const s = values.map((value) => (value > 0 ? Math.max(0, 1 - threshold / Math.sqrt(value)) : 0));
  return (w: Vector): Vector => {
    const along = s.map(
      (factor, k) => factor * u.reduce((sum, row, j) => sum + row[k]! * w[j]!, 0),
    );
    return apply(u, along);
  };
};
const groupSparse = (models: Matrix) => {
  const squares = models[0]!.map((_, j) => models.reduce((sum, w) => sum + w[j]! ** 2, 0));
  return (w: Vector): Vector =>
    w.map((value, j) => Math.max(0, 1 - (eta * lambda) / Math.sqrt(squares[j]!)) * value);
};

/** Algorithms 2 and 3, as the text has them: w^(T) is the output. */
function projected(T: number, rule: (models: Matrix) => (w: Vector) => Vector): Matrix {
  let iterate = start;
  let before: Matrix = [];
  let output: Matrix = [];
  for (let t = 1; t <= T; t++) {
    const clipped = iterate.map((w) => clip(w, K));
    const map = rule(clipped);
    before = t === 1 ? clipped : output;
    output = clipped.map(map);
    iterate = output.map((w, i) => {
      const z = plus(w, plus(w, before[i]!, -1), beta(t));
      return plus(z, gradient(i, z), -eta);
    });
  }
  return output;
}

/** Algorithm 4 with lambda2 on Q by l1: P from W(0). */
function lowRankSparse(T: number, lambda2: number, startQ: Matrix): Matrix {
  let [p, q] = [start, startQ];
  let [outP, outQ]: [Matrix, Matrix] = [[], startQ];
  const soft = (w: Vector) =>
    w.map((value) => Math.sign(value) * Math.max(0, Math.abs(value) - eta * lambda2));
  for (let t = 1; t <= T; t++) {
    const clipped = p.map((w) => clip(w, K));
    const map = lowRank(clipped);
    const [oldP, oldQ] = [t === 1 ? clipped : outP, t === 1 ? q : outQ];
    [outP, outQ] = [clipped.map(map), q.map(soft)];
    const zp = outP.map((w, i) => plus(w, plus(w, oldP[i]!, -1), beta(t)));
    const zq = outQ.map((w, i) => plus(w, plus(w, oldQ[i]!, -1), beta(t)));
    const slopes = zp.map((w, i) => gradient(i, plus(w, zq[i]!)));
    p = zp.map((w, i) => plus(w, slopes[i]!, -eta));
    q = zq.map((w, i) => plus(w, slopes[i]!, -eta));
  }
  return outP.map((w, i) => plus(w, outQ[i]!));
}

/** PMTL's rounds of E steps, everyone taking part; or FedAvg's, where every task starts from the shared model. */
function averaged(
  T: number,
  {
    E,
    gamma,
    form,
    restart,
  }: { E: number; gamma: number; form: "from-global" | "from-local"; restart: boolean },
): { own: Matrix; shared: Vector } {
  let shared: Vector = new Array<number>(d).fill(0);
  let own: Matrix = Array.from({ length: m }, () => shared);
  for (let t = 0; t < T; t++) {
    const updates = own.map((old, i) => {
      let w = restart ? shared : old;
      for (let e = 0; e < E; e++) {
        const pull = restart ? times(0, w) : times(lambda, plus(w, shared, -1));
        w = plus(w, plus(gradient(i, w), pull), -eta);
      }
      return { w, update: clip(plus(w, form === "from-global" ? shared : old, -1), gamma) };
    });
    own = updates.map(({ w }) => w);
    shared = updates.reduce((sum, { update }) => plus(sum, update, 1 / m), shared);
  }
  return { own, shared };
}

/** Budgets so large that noise is below rounding, and what restores the text. */
const noiseless = { epsilon: 1e40, delta: 1e-6, random: { mode: "seeded", seed: 1 } } as const;
const plain = { safeguard: false, intercept: false, featureBound: 1.01, stepSize: eta } as const;
const asPrinted = {
  ...noiseless,
  ...plain,
  clip: K,
  lambda,
  clipIterate: true,
  acceleration: "convex" as const,
  initial: Float64Array.from(start.flat()),
  shift: 0,
} as const;

async function expectModels(
  estimator: { fit(data: typeof tasks): Promise<{ weights: Float64Array }> },
  printed: Matrix,
): Promise<void> {
  const { weights } = await estimator.fit(tasks);
  const flat = printed.flat();
  expect(norm(flat)).toBeGreaterThan(0.1);
  weights.forEach((value, at) => expect(value).toBeCloseTo(flat[at]!, 9));
}

describe.each([1, 5])("as printed, %i rounds", (rounds) => {
  test.each(["gaussian", "wishart", "wishart-older", "two-sided-wishart"] as const)(
    "Algorithm 2 with %s noise",
    (mechanism) =>
      expectModels(new MpLowRank({ ...asPrinted, mechanism, rounds }), projected(rounds, lowRank)),
  );

  test.each(["gaussian-diagonal", "wishart", "wishart-older"] as const)(
    "Algorithm 3 with %s noise",
    (mechanism) =>
      expectModels(
        new MpGroupSparse({ ...asPrinted, mechanism, rounds }),
        projected(rounds, groupSparse),
      ),
  );

  test.each(["zeros", "initial"] as const)("Algorithm 4, Q from %s", (initialLocal) => {
    const q = initialLocal === "initial" ? start : start.map((w) => times(0, w));
    const estimator = new MpLowRankSparse({ ...asPrinted, lambda2: 0.2, rounds, initialLocal });
    return expectModels(estimator, lowRankSparse(rounds, 0.2, q));
  });

  test.each(["from-global", "from-local"] as const)("PMTL, updates %s", (update) =>
    expectModels(
      new Pmtl({
        ...noiseless,
        safeguard: false,
        intercept: false,
        stepSize: eta,
        lambda,
        clip: 0.4,
        rounds,
        update,
        localSteps: 3,
        lastSteps: false,
      }),
      averaged(rounds, { E: 3, gamma: 0.4, form: update, restart: false }).own,
    ),
  );

  test("FedAvg", async () => {
    const { shared } = averaged(rounds, { E: 3, gamma: 0.4, form: "from-global", restart: true });
    const estimator = new PrivateFedAvg({
      ...noiseless,
      safeguard: false,
      intercept: false,
      stepSize: eta,
      clip: 0.4,
      rounds,
      localSteps: 3,
    });
    await expectModels(
      estimator,
      Array.from({ length: m }, () => shared),
    );
  });
});
