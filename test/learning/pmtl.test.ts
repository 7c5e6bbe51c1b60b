import { describe, expect, test } from "vitest";
import { openCore, OptionError } from "../../src/core/index.js";
import { TaskSet } from "../../src/data/index.js";
import { LinearModel } from "../../src/learning/differentiable/linear-model.js";
import {
  Pmtl,
  PrivateFedAvg,
  PrivateFedProx,
  SingleTask,
  type DifferentiableModel,
  type FinetuneKind,
  type PmtlOptions,
} from "../../src/learning/index.js";
import { FederatedSteps } from "../../src/learning/local/federated-steps.js";
import { ResidentTasks } from "../../src/learning/resident-tasks.js";
import { Participation } from "../../src/learning/round/participation.js";
import { loadModel, saveModel } from "../../src/model/index.js";
import { deltaOf, epsilonOf, type Guarantee, type Sampling } from "../../src/privacy/index.js";
import { makeClasses, makeLabelled, makeTasks } from "./tasks.js";

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

/** A line through the data by hand, as a user would write it. */
function lineModel(d: number): DifferentiableModel {
  return {
    name: "line",
    features: d,
    outputs: 1,
    parameters: d,
    initial: () => new Float64Array(d),
    predict(w, x, out) {
      for (let j = 0; j < out.length; j++) {
        out[j] = w.reduce((sum, value, k) => sum + value * x[j * d + k]!, 0);
      }
    },
    valueAndGradient(w, x, y, g) {
      const out = new Float64Array(y.length);
      this.predict(w, x, out);
      g.fill(0);
      let value = 0;
      for (let j = 0; j < y.length; j++) {
        const error = out[j]! - y[j]!;
        value += (error * error) / 2 / y.length;
        for (let k = 0; k < d; k++) g[k]! += (error * x[j * d + k]!) / y.length;
      }
      return value;
    },
  };
}

describe("without noise", () => {
  const silent = { epsilon: 1e30, delta: 1e-5, clip: 1e3, random: seeded };

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
    for (const { event } of entries) expect(event).toMatchObject({ sensitivity: 2 });
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
      "epsilon",
      "movement",
      "noiseScale",
      "round",
    ]);
  });

  test.runIf(method === "pmtl")(
    "sensitivity is gamma under zero-out, and samples are accounted as they are drawn",
    async () => {
      const options = { adjacency: "zero-out", clip: 0.5, delta: 1e-4, epsilon: 1 } as const;
      const events = async (sampling: Sampling) =>
        (await fit({ ...options, sampling })).ledger!.entries.map(({ event }) => event);
      const all = await events({ kind: "all" });
      expect(all[0]).toMatchObject({ kind: "gaussian", sensitivity: 0.5, adjacency: "zero-out" });
      expect(await events({ kind: "fixed-size", size: 3 })).toEqual(all);
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
  });

  test("one task, one row a task, and labels", async () => {
    const one = makeTasks({ m: 1, d: 3, rows: () => 1 });
    const model = await fit({ delta: 1e-3 }, one);
    expect(model.weights.every(Number.isFinite)).toBe(true);
    await expect(fit({}, one)).rejects.toThrow(/at least 3 tasks, found 1/);
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
    const model = await fit({ stepSize: 1e200, localSteps: 3 });
    expect(model.components["shared"]!.data.every(Number.isFinite)).toBe(true);
    expect(model.weights.every(Number.isFinite)).toBe(true);
  });
});

describe("finetuning", () => {
  const kinds: FinetuneKind[] = ["vanilla", "mean-regularized", "symmetrized-kl", "ewc"];
  const options = { loss: "softmax", rounds: 3, epsilon: 5, random: seeded } as const;

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
    const common = { rounds: 2, random: seeded, delta: 1e-4 };
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
    const fitting = new PrivateFedAvg({ model: lineModel(4), finetune, random: seeded }).fit(tasks);
    await expect(fitting).rejects.toThrow('"line" has no pullback');
  });
});

describe("what a participant shares", () => {
  test("has norm at most gamma whatever its data, and is zero for who was not picked", () => {
    const huge = TaskSet.from(
      [...tasks].map(({ name, x, y }, i) => ({
        name,
        x: x.map((value) => value * 10 ** (40 * i - 100)),
        y: y.map((value) => value * 10 ** (3 * i)),
      })),
    );
    const core = openCore();
    const resident = new ResidentTasks(core, huge, huge.y, { loss: "squared", lossScale: "mean" });
    const participation = new Participation(core, { kind: "fixed-size", size: 6 }, 10, seeded);
    const steps = new FederatedSteps(new LinearModel(resident, 1), {
      shared: 4,
      start: "own",
      lambda: 0.1,
      localSteps: 3,
      steps: new Float64Array(10).fill(1),
      clip: 0.25,
      update: "from-global",
      participation,
      initial: new Float64Array(4),
    });
    for (let round = 1; round <= 5; round++) {
      const shared = core.arena.view(steps.share(), 40);
      const norms = Array.from({ length: 10 }, (_, i) =>
        Math.hypot(...shared.subarray(4 * i, 4 * i + 4)),
      );
      for (const norm of norms) expect(norm).toBeLessThanOrEqual(0.25 * (1 + 1e-12));
      expect(norms.filter((norm) => norm > 0).length).toBeLessThanOrEqual(6);
    }
  });
});

describe("Participation", () => {
  test("Poisson: every task with probability q, independently", () => {
    const [m, rounds, rate] = [40, 2000, 0.3];
    const sampling = { kind: "poisson", rate } as const;
    const participation = new Participation(openCore(), sampling, m, seeded);
    expect(participation.divisor).toBe(12);
    const counts = new Float64Array(m);
    const sizes: number[] = [];
    let both = 0;
    for (let t = 0; t < rounds; t++) {
      const marks = participation.next();
      marks.forEach((mark, i) => (counts[i]! += mark));
      sizes.push(marks.reduce((sum, mark) => sum + mark, 0));
      both += marks[0]! * marks[1]!;
    }
    // 40 task counts and one pair count within 5 standard errors: false alarm below 41 * 6e-7.
    const error = Math.sqrt(rate * (1 - rate) * rounds);
    for (const count of counts) expect(Math.abs(count - rate * rounds)).toBeLessThan(5 * error);
    const pair = rate * rate;
    expect(Math.abs(both - pair * rounds)).toBeLessThan(5 * Math.sqrt(pair * (1 - pair) * rounds));
    // The size is binomial, not fixed: its variance is m q (1 - q) = 8.4 within 5 standard errors
    // (sqrt(2 / rounds) relative, nearly normal): false alarm below 1e-6.
    const mean = sizes.reduce((a, b) => a + b) / rounds;
    const variance = sizes.reduce((sum, size) => sum + (size - mean) ** 2, 0) / rounds;
    expect(Math.abs(variance / (m * rate * (1 - rate)) - 1)).toBeLessThan(
      5 * Math.sqrt(2 / rounds),
    );
  });

  test("fixed size: that many, every task as often", () => {
    const sampling = { kind: "fixed-size", size: 5 } as const;
    const participation = new Participation(openCore(), sampling, 20, seeded);
    expect(participation.divisor).toBe(5);
    const counts = new Float64Array(20);
    for (let t = 0; t < 2000; t++) {
      const marks = participation.next();
      expect(marks.reduce((sum, mark) => sum + mark, 0)).toBe(5);
      marks.forEach((mark, i) => (counts[i]! += mark));
    }
    // 20 counts of mean 500 within 5 standard errors: false alarm below 20 * 6e-7.
    for (const count of counts) {
      expect(Math.abs(count - 500)).toBeLessThan(5 * Math.sqrt(2000 * 0.25 * 0.75));
    }
  });

  test("the sample changes with the seed and does not follow the noise", async () => {
    const draw = (seed: string) => {
      const sampling = { kind: "poisson", rate: 0.5 } as const;
      return new Participation(openCore(), sampling, 64, { mode: "seeded", seed }).next().slice();
    };
    expect(draw("a")).toEqual(draw("a"));
    expect(draw("a")).not.toEqual(draw("b"));
  });
});

describe("refusals", () => {
  const refused: [string, Partial<PmtlOptions>, string][] = [
    [
      "Poisson sampling under replace",
      { sampling: { kind: "poisson", rate: 0.2 } },
      'amplification by Poisson sampling is a theorem for adjacency "zero-out" only',
    ],
    [
      "Poisson sampling with pure noise",
      { sampling: { kind: "poisson", rate: 0.2 }, adjacency: "zero-out", delta: 0 },
      "Poisson sampling is accounted for Gaussian noise only",
    ],
    [
      "a rate above 1",
      { sampling: { kind: "poisson", rate: 2 } },
      "sampling.rate: expected at most 1",
    ],
    [
      "a size of 0",
      { sampling: { kind: "fixed-size", size: 0 } },
      "sampling.size: expected an integer",
    ],
    ["no lambda to solve with", { localSteps: "solve", lambda: 0 }, "lambda > 0"],
    ["solving a network", { localSteps: "solve", model: "network" }, 'model "linear"'],
    ["solving on batches", { localSteps: "solve", batchSize: 4 }, "batchSize"],
    ["an intercept beside a network's", { intercept: true, model: "network" }, "intercept"],
    [
      "a matrix mechanism",
      { mechanism: "gaussian" },
      "mechanism: expected one of auto, gaussian-mean",
    ],
    [
      "an unknown finetuning",
      { finetune: { kind: "l2" } as never },
      "finetune.kind: expected one of",
    ],
    ["something that is no model", { model: {} as never }, "expected"],
    ["a negative clip", { clip: -1 }, "clip: expected clip > 0"],
  ];
  test.each(refused)("%s", (_, options, message) => {
    expect(() => new Pmtl(options)).toThrow(OptionError);
    expect(() => new Pmtl(options)).toThrow(message);
  });

  test("FedAvg has no lambda and no update form", () => {
    expect(() => new PrivateFedAvg({ lambda: 1 } as never)).toThrow("lambda: not an option");
    expect(() => new PrivateFedAvg({ localSteps: "solve" })).toThrow("lambda > 0");
    expect(() => new PrivateFedProx({ update: "from-local" } as never)).toThrow("not an option");
  });

  test("what only the data can show is refused at fit, before any release", async () => {
    const many = new Pmtl({ sampling: { kind: "fixed-size", size: 11 } });
    await expect(many.fit(tasks)).rejects.toThrow("at most the number of tasks, 10, got 11");
    const wide = new Pmtl({ model: lineModel(7) });
    await expect(wide.fit(tasks)).rejects.toThrow("model.features: the data and the loss need 4");
    const single = await new SingleTask().fit(tasks);
    await expect(new Pmtl().fit(tasks, { warmStart: single })).rejects.toThrow(/warmStart/);
    const own = await new Pmtl({ model: lineModel(4), random: seeded }).fit(tasks);
    expect(() => loadModel(saveModel(own))).toThrow('own model "line" with 4 parameters; pass it');
    const loaded = loadModel(saveModel(own), { architecture: lineModel(4) });
    expect(loaded.outputs(tasks)).toEqual(own.outputs(tasks));
    expect(() => loadModel(saveModel(own), { architecture: lineModel(5) })).toThrow(/with 5/);
  });
});
