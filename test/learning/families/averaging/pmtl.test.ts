import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../src/data/index.js";
import {
  MeanRegularized,
  Pmtl,
  PrivateFedAvg,
  PrivateFedProx,
  type FinetuneKind,
  type PmtlOptions,
} from "../../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../../src/model/index.js";
import {
  deltaOf,
  epsilonOf,
  type Guarantee,
  type Sampling,
} from "../../../../src/privacy/index.js";
import { lineModel } from "../../line-model.js";
import { makeClasses, makeLabelled, makeTasks } from "../../tasks.js";
import { thorough } from "../../../thorough.js";

const seeded = { mode: "seeded", seed: "pmtl" } as const;
const tasks = makeTasks({ m: 10, d: 4, rows: (i) => 3 + (i % 4) });
const classes = makeClasses({ m: 6, d: 4, rows: (i) => 6 + i, classes: 3 });
const methods = [
  ["pmtl", Pmtl],
  ["private-fedavg", PrivateFedAvg],
  ["private-fedprox", PrivateFedProx],
] as const;

/** Mean squared-loss gradient of a task at w. */
function gradient(data: TaskSet, name: string, w: Float64Array): number[] {
  const { x, y, n } = data.task(name);
  const d = w.length;
  const g = new Array<number>(d).fill(0);
  for (let j = 0; j < n; j++) {
    let error = -y[j]!;
    for (let k = 0; k < d; k++) error += x[j * d + k]! * w[k]!;
    for (let k = 0; k < d; k++) g[k]! += (error * x[j * d + k]!) / n;
  }
  return g;
}

describe("without noise", () => {
  const silent = {
    intercept: false,
    epsilon: 1e30,
    delta: 1e-5,
    clip: 1e3,
    random: seeded,
    safeguard: false,
  };

  test("PMTL converges to the stationary point of mean-regularised multi-task learning", async () => {
    const lambda = 0.3;
    const model = await new Pmtl({ ...silent, lambda, localSteps: "solve", rounds: 200 }).fit(
      tasks,
    );
    const mean = new Float64Array(4);
    for (const name of tasks.names) {
      model.forTask(name).weights.forEach((w, k) => (mean[k]! += w / tasks.m));
    }
    expect(Array.from(model.components["shared"]!.data)).toEqual(
      Array.from(mean, (w) => expect.closeTo(w, 8) as number),
    );
    for (const name of tasks.names) {
      const { weights } = model.forTask(name);
      // d/dw_k of (1/m) sum {L_k + (lambda/2) ||w_k - mean||^2}, where sum_k (w_k - mean) = 0.
      gradient(tasks, name, weights).forEach((g, k) => {
        expect(Math.abs(g + lambda * (weights[k]! - mean[k]!))).toBeLessThan(1e-8);
      });
    }
    expect(model.history.at(-1)!["movement"]!).toBeLessThan(1e-9);
  });

  test.each(["squared", "logistic"] as const)(
    "PMTL's limit is the non-private counterpart, %s",
    async (loss) => {
      const data = loss === "squared" ? tasks : labelled;
      const options = { ...silent, loss, lambda: 0.4, localSteps: "solve", rounds: 300 } as const;
      const model = await new Pmtl(options).fit(data);
      // The counterpart's penalty is lambda ||.||^2, without the half.
      const counterpart = await new MeanRegularized({
        intercept: false,
        loss,
        lambda: 0.2,
        tolerance: 1e-14,
      }).fit(data);
      model.weights.forEach((w, j) => expect(w).toBeCloseTo(counterpart.weights[j]!, 5));
    },
  );

  test.each(["squared", "logistic", "softmax"] as const)(
    "many local steps are the local solve, %s",
    async (loss) => {
      const data = loss === "squared" ? tasks : loss === "logistic" ? labelled : classes;
      const options = { ...silent, loss, lambda: 0.2, rounds: 4 };
      const solved = await new Pmtl({ ...options, localSteps: "solve" }).fit(data);
      const stepped = await new Pmtl({ ...options, localSteps: 400 }).fit(data);
      solved.weights.forEach((w, j) => expect(stepped.weights[j]!).toBeCloseTo(w, 5));
    },
  );
  const labelled = makeLabelled({ m: 5, d: 4, rows: () => 8 });

  test("the update forms differ: from-local sums a model's moves, from-global its distance", async () => {
    // One task, lambda = 0, eta = 1/L: from-global ends at w~ = w of the round before; so does
    // from-local while no noise is added.
    const one = makeTasks({ m: 1, d: 3, rows: () => 5 });
    const options = { ...silent, lambda: 0, localSteps: 3, rounds: 5 };
    const [global, local] = await Promise.all(
      (["from-global", "from-local"] as const).map((update) =>
        new Pmtl({ ...options, update }).fit(one),
      ),
    );
    global!.weights.forEach((w, j) => expect(local!.weights[j]!).toBeCloseTo(w, 9));
    // With lambda > 0 the local form's w~ drifts by the sum of moves; the two part ways when the
    // clip bites, since only the global form comes back for what was cut.
    const clipped = { ...options, lambda: 0.5, clip: 0.05, rounds: 40 };
    const [corrected, lost] = await Promise.all(
      (["from-global", "from-local"] as const).map((update) =>
        new Pmtl({ ...clipped, update }).fit(one),
      ),
    );
    const alone = await new Pmtl({ ...options, rounds: 200 }).fit(one);
    const apart = (model: typeof alone) =>
      Math.hypot(...model.components["shared"]!.data.map((w, j) => w - alone.weights[j]!));
    expect(apart(corrected!)).toBeLessThan(0.5 * apart(lost!));
  });

  test("FedAvg with one full step a round is gradient descent on the mean loss", async () => {
    const [stepSize, rounds] = [0.4, 6];
    const options = { ...silent, localSteps: 1, stepSize, rounds };
    const model = await new PrivateFedAvg(options).fit(tasks);
    let w = new Float64Array(4);
    for (let round = 0; round < rounds; round++) {
      const next = w.slice();
      for (const name of tasks.names) {
        gradient(tasks, name, w).forEach((g, k) => (next[k]! -= (stepSize * g) / tasks.m));
      }
      w = next;
    }
    for (const name of tasks.names) {
      model.forTask(name).weights.forEach((value, k) => expect(value).toBeCloseTo(w[k]!, 9));
    }
  });

  test("FedProx with lambda 0 is FedAvg; with a large one it hardly moves", async () => {
    const options = { ...silent, rounds: 3 };
    const avg = await new PrivateFedAvg(options).fit(tasks);
    const prox = await new PrivateFedProx({ ...options, lambda: 0 }).fit(tasks);
    expect(prox.weights).toEqual(avg.weights);
    const held = await new PrivateFedProx({ ...options, lambda: 1e4 }).fit(tasks);
    expect(Math.hypot(...held.weights)).toBeLessThan(0.01 * Math.hypot(...avg.weights));
  });

  test("a user's own model and the kernels' linear model learn the same", async () => {
    const options = { ...silent, stepSize: 0.3, batchSize: 2, rounds: 5 };
    const kernels = await new Pmtl(options).fit(tasks);
    const own = await new Pmtl({ ...options, model: lineModel(4) }).fit(tasks);
    own.weights.forEach((w, j) => expect(w).toBeCloseTo(kernels.weights[j]!, 9));
    expect(own.predict("task-1", [[1, 2, 3, 4]])[0]).toBeCloseTo(
      kernels.predict("task-1", [[1, 2, 3, 4]])[0]!,
      8,
    );
  });
});

describe.each(methods)("%s", (method, Method) => {
  const fit = (options: Partial<PmtlOptions> = {}, data = tasks) =>
    new Method({ rounds: 4, random: seeded, ...options }).fit(data);

  test("states its guarantee, and the ledger holds what was released", async () => {
    const model = await fit({ epsilon: 2, delta: 1e-5 });
    expect(model.method).toBe(method);
    expect(model.guarantee).toMatchObject({
      kind: "joint",
      epsilon: 2,
      delta: 1e-5,
      adjacency: "replace",
      mechanism: "gaussian-mean",
      sound: true,
      private: false,
    });
    const { notCharged } = model.guarantee as Guarantee;
    expect(notCharged).toContain("objective");
    const { entries } = model.ledger!;
    expect(entries.map(({ round }) => round)).toEqual([1, 2, 3, 4]);
    for (const { event } of entries) {
      // Exact noise adds the price of the grid to the sensitivity of 2 gamma.
      const { kind, sensitivity } = event as unknown as { kind: string; sensitivity: number };
      expect(kind).toBe("discrete-gaussian");
      expect(sensitivity).toBeGreaterThanOrEqual(2);
      expect(sensitivity).toBeLessThan(2 * (1 + 1e-5));
    }
    expect(
      deltaOf(
        entries.map(({ event }) => event),
        { epsilon: 2 },
      ),
    ).toBeLessThanOrEqual(1e-5);
    expect(model.history.map(({ round }) => round)).toEqual([1, 2, 3, 4]);
    const spent = model.history.map(({ epsilon }) => epsilon!);
    expect(spent.every((epsilon, t) => epsilon > (spent[t - 1] ?? 0))).toBe(true);
    expect(spent.at(-1)).toBeLessThanOrEqual(2);
    expect(Object.keys(model.history[0]!).sort()).toEqual([
      "aboveNoise",
      "epsilon",
      "movement",
      "noiseScale",
      "round",
    ]);
  });

  test.runIf(method === "pmtl")(
    "sensitivity is gamma under zero-out, and samples are accounted as they are drawn",
    async () => {
      const options = {
        adjacency: "zero-out",
        clip: 0.5,
        delta: 1e-4,
        epsilon: 1,
        noise: "float",
      } as const;
      const events = async (sampling: Sampling) =>
        (await fit({ ...options, sampling })).ledger!.entries.map(({ event }) => event);
      const all = await events({ kind: "all" });
      expect(all[0]).toMatchObject({ kind: "gaussian", sensitivity: 0.5, adjacency: "zero-out" });
      expect(await events({ kind: "fixed-size", size: 3 })).toEqual(all);
      const everyone = await fit({ ...options, sampling: { kind: "poisson", rate: 1 } });
      expect(everyone.ledger!.entries.map(({ event }) => event)).toEqual(all);
      expect((everyone.guarantee as Guarantee).why).toContain("without amplification");
      if (!thorough) return;
      const poisson = await events({ kind: "poisson", rate: 0.3 });
      expect(poisson[0]).toMatchObject({
        kind: "subsampled-gaussian",
        sensitivity: 0.5,
        sampling: { kind: "poisson", rate: 0.3 },
      });
      expect(epsilonOf(poisson, { delta: 1e-4 })).toBeLessThanOrEqual(1);
      // Amplification: less noise on the sum for the same budget.
      const sigma = (list: typeof all) => (list[0] as unknown as { sigma: number }).sigma;
      expect(sigma(poisson)).toBeLessThan(sigma(all));
      expect(sigma(poisson)).toBeGreaterThan(0.2 * sigma(all));
    },
  );

  test("delta 0 takes pure noise", async () => {
    const model = await fit({ epsilon: 1, delta: 0 });
    expect(model.guarantee).toMatchObject({
      mechanism: "spherical-laplace",
      delta: 0,
      sound: true,
    });
  });

  test("seeds give the same bits, with mini-batches and sampling too", async () => {
    const options = {
      batchSize: 2,
      sampling: { kind: "fixed-size", size: 4 },
      safeguard: false, // tasks that stay alone have the same model whatever the noise
    } as const;
    const [a, b] = [await fit(options), await fit(options)];
    expect(a.weights).toEqual(b.weights);
    const c = await fit({ ...options, random: { mode: "seeded", seed: "other" } });
    expect(c.weights).not.toEqual(a.weights);
    const secure = await fit({ ...options, random: { mode: "secure" } });
    expect(secure.guarantee).toMatchObject({ private: true, noiseSource: "secure" });
  });

  test.each(["linear", "network"] as const)("%s models survive saving", async (model) => {
    const finetune = { kind: "ewc", steps: 2, stepSize: 1, strength: 1 } as const;
    const options = { loss: "softmax", model, hiddenUnits: 3, finetune } as const;
    const fitted = await fit(options, classes);
    const loaded = loadModel(saveModel(fitted));
    expect(loaded.outputs(classes)).toEqual(fitted.outputs(classes));
    expect(loaded.components["shared"]).toEqual(fitted.components["shared"]);
    expect(loaded.score(classes)).toEqual(fitted.score(classes));
    expect(loaded.ledger!.entries).toEqual(fitted.ledger!.entries);
    const own = loaded.forTask(classes.names[0]!);
    const x = classes.task(classes.names[0]!).x;
    expect(own.predict(x)).toEqual(fitted.predict(classes.names[0]!, x));
    expect(own.predictLabels(x).every((label) => ["a", "b", "c"].includes(String(label)))).toBe(
      true,
    );
  });

  test("intercepts are private: they do not enter what is shared", async () => {
    const shifted = TaskSet.from(
      [...tasks].map(({ name, x, y }) => ({ name, x: x.slice(), y: y.map((v) => v + 50) })),
    );
    const model = await fit({ intercept: true, epsilon: 5, localSteps: 50 }, shifted);
    expect(model.intercepts).toHaveLength(tasks.m);
    expect(model.components["shared"]!.shape).toEqual([4]);
    expect(model.intercepts!.every((b) => Math.abs(b - 50) < 15)).toBe(true);
    if (method === "pmtl") return;
    // One model for all: every task's intercept is the best beside it, also of one never picked.
    const sampled = await fit(
      { intercept: true, rounds: 1, sampling: { kind: "fixed-size", size: 1 } },
      shifted,
    );
    for (const { name, x, y, n } of shifted) {
      const predicted = sampled.predict(name, x.slice());
      const mean = predicted.reduce((sum, p, j) => sum + p - y[j]!, 0) / n;
      expect(Math.abs(mean)).toBeLessThan(1e-4);
    }
  });

  test("one task, one row a task, and labels", async () => {
    const one = makeTasks({ m: 1, d: 3, rows: () => 1 });
    const model = await fit({ delta: 1e-3 }, one);
    expect(model.weights.every(Number.isFinite)).toBe(true);
    await expect(fit({ delta: "papers" }, one)).rejects.toThrow(/at least 3 tasks, found 1/);
    const single = await fit({ batchSize: 8 }, makeTasks({ m: 5, d: 3, rows: () => 1 }));
    expect(single.weights).toHaveLength(15);
    const labelled = makeLabelled({ m: 6, d: 4, rows: () => 12 });
    const classifier = await fit({ loss: "logistic", epsilon: 1e3, rounds: 20 }, labelled);
    expect(classifier.score(labelled).accuracy!).toBeGreaterThan(0.5);
  });

  test("does not change its input, and can be aborted", async () => {
    const before = tasks.x.slice();
    const controller = new AbortController();
    const fitting = new Method({ rounds: 50, random: seeded }).fit(tasks, {
      signal: controller.signal,
      onRound: ({ round }) => {
        if (round === 3) controller.abort(new Error("enough"));
      },
    });
    await expect(fitting).rejects.toThrow("enough");
    expect(tasks.x).toEqual(before);
  });

  test("a local step size that diverges releases nothing that is not a number", async () => {
    // With a lambda it is refused.
    const lambda = method === "private-fedavg" ? {} : { lambda: 0 };
    const model = await fit({ stepSize: 1e200, localSteps: 3, ...lambda });
    expect(model.components["shared"]!.data.every(Number.isFinite)).toBe(true);
    expect(model.weights.every(Number.isFinite)).toBe(true);
  });
});

describe("finetuning", () => {
  const kinds: FinetuneKind[] = ["vanilla", "mean-regularized", "symmetrized-kl", "ewc"];
  const options = {
    loss: "softmax",
    rounds: 3,
    epsilon: 5,
    random: seeded,
    intercept: false,
    safeguard: false,
  } as const;

  test.each(kinds)("%s lowers the tasks' own losses, and keeps the guarantee", async (kind) => {
    const plain = await new PrivateFedAvg(options).fit(classes);
    const finetune = { kind, steps: 15, stepSize: 1, strength: 0.5 };
    const tuned = await new PrivateFedAvg({ ...options, finetune }).fit(classes);
    expect(tuned.objective).toBeLessThan(plain.objective);
    expect(tuned.guarantee).toEqual(plain.guarantee);
    expect(tuned.components["shared"]).toEqual(plain.components["shared"]);
  });

  test.each(kinds.slice(1))("%s with a huge strength stays at the shared model", async (kind) => {
    const far = { kind, steps: 30, stepSize: 1, strength: 1e9 };
    const near = { ...far, strength: 1e-9 };
    const spread = async (finetune: typeof far) => {
      const model = await new PrivateFedAvg({ ...options, finetune }).fit(classes);
      const shared = model.components["shared"]!.data;
      return Math.hypot(...model.weights.map((w, j) => w - shared[j % shared.length]!));
    };
    const free = await spread({ ...near, kind: "vanilla" });
    expect(await spread(far)).toBeLessThan(0.05 * free);
    expect(await spread(near)).toBeCloseTo(free, 4);
  });

  test("mean-regularised finetuning to the end is the local solve", async () => {
    const data = makeTasks({ m: 4, d: 3, rows: () => 6 });
    const common = { rounds: 2, random: seeded, delta: 1e-4, intercept: false, safeguard: false };
    const finetune = { kind: "mean-regularized", steps: 3000, stepSize: 1, strength: 0.2 } as const;
    const tuned = await new PrivateFedAvg({ ...common, finetune }).fit(data);
    const shared = tuned.components["shared"]!.data;
    for (const name of data.names) {
      const w = tuned.forTask(name).weights;
      gradient(data, name, w).forEach((g, k) => {
        expect(Math.abs(g + 0.2 * (w[k]! - shared[k]!))).toBeLessThan(1e-6);
      });
    }
  });

  test("symmetrized-kl needs a pullback", async () => {
    const finetune = { kind: "symmetrized-kl", steps: 1, stepSize: 1, strength: 1 } as const;
    const fitting = new PrivateFedAvg({
      model: lineModel(4),
      finetune,
      intercept: false,
      random: seeded,
    }).fit(tasks);
    await expect(fitting).rejects.toThrow('"line" has no pullback');
  });
});
