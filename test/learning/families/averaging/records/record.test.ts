/** PMTL, FedAvg and FedProx that hide single records: one step by hand, limits, and models made of releases. */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../../src/core/index.js";
import { binaryLabels, type TaskSet } from "../../../../../src/data/index.js";
import { ClippedGradients } from "../../../../../src/learning/families/averaging/records/clipped-gradients.js";
import { RecordGradients } from "../../../../../src/learning/families/averaging/records/record-gradients.js";
import { fromNoisyGradients } from "../../../../../src/learning/families/averaging/records/record-models.js";
import { RowSamples } from "../../../../../src/learning/families/averaging/records/row-samples.js";
import { LinearModel } from "../../../../../src/learning/models/linear-model.js";
import { Pmtl, PrivateFedAvg } from "../../../../../src/learning/index.js";
import type { OwnRelease } from "../../../../../src/learning/release/own-release.js";
import { ResidentTasks } from "../../../../../src/learning/tasks/resident-tasks.js";
import { makeClasses, makeLabelled, makeTasks } from "../../../tasks.js";
import { thoroughTest } from "../../../../thorough.js";

const norm = (v: Iterable<number>) => Math.hypot(...v);

const sizes = { m: 5, d: 3, rows: (i: number) => 4 + i };
const tasks = makeTasks(sizes);
const random = { mode: "seeded", seed: "records" } as const;

/** Steps from zero by hand: each eta times the mean over all rows of the clipped gradients. */
function stepsByHand(
  set: TaskSet,
  y: ArrayLike<number>,
  loss: string,
  { k, clip, rounds = 1 }: { k: number; clip: number; rounds?: number },
) {
  const d = set.d + 1;
  const w = new Float64Array(d * k);
  const slopesOf = (z: number[], target: number) => {
    if (loss === "squared") return [z[0]! - target];
    if (loss === "logistic") return [-target / (1 + Math.exp(target * z[0]!))];
    const total = z.reduce((sum, v) => sum + Math.exp(v), 0);
    return z.map((v, c) => Math.exp(v) / total - (target === c ? 1 : 0));
  };
  for (let round = 0; round < rounds; round++) {
    const at = w.slice();
    for (let row = 0; row < set.size; row++) {
      const x = [...set.x.subarray(row * set.d, (row + 1) * set.d), 1];
      const z = Array.from({ length: k }, (_, c) => x.reduce((sum, v, j) => sum + v * at[j * k + c]!, 0)); // prettier-ignore
      const gradient = x.flatMap((v) => slopesOf(z, y[row]!).map((s) => v * s));
      const part = Math.min(1, clip / norm(gradient));
      gradient.forEach((g, j) => (w[j]! -= (0.5 * part * g) / set.size));
    }
  }
  return w;
}

describe("models", () => {
  const quiet = { unit: "record", epsilon: 1e9, delta: 1e-4, random, rounds: 1, serverStepSize: 0.5, recordClip: 0.7 } as const; // prettier-ignore
  const labelled = makeLabelled(sizes);
  const classes = makeClasses({ ...sizes, classes: 3 });
  test.each([
    ["squared", tasks, tasks.y, 1],
    ["logistic", labelled, binaryLabels(labelled).y, 1],
    ["softmax", classes, classes.y, 3],
  ] as const)("%s: without noise rounds are steps by hand", async (loss, set, y, k) => {
    const options = { ...quiet, loss, ownModel: "noisy", rounds: 3 } as const;
    const model = await new PrivateFedAvg(options).fit(set);
    const expected = stepsByHand(set, y, loss, { k, clip: 0.7, rounds: 3 });
    const { shape, data } = model.components["shared"]!;
    expect(shape).toEqual([4 * k]);
    data.forEach((w, j) => expect(w).toBeCloseTo(expected[j]!, 4));
    for (let i = 0; i < set.m; i++) {
      const own = model.weights.subarray(i * 3 * k, (i + 1) * 3 * k);
      expect([...own]).toEqual([...data.subarray(0, 3 * k)]);
      expect([...model.intercepts!.subarray(i * k, (i + 1) * k)]).toEqual([
        ...data.subarray(3 * k),
      ]);
    }
  });

  thoroughTest("samples of rows count as the rate says, and step as far in the mean", async () => {
    const core = openCore();
    const samples = new RowSamples(core, random, 0.3);
    const draws = Array.from({ length: 400 }, (_, t) => samples.draw(t + 1, 2, 20));
    const share = draws.reduce((sum, one) => sum + one.reduce((a, b) => a + b, 0), 0) / 8000;
    // Six deviations: a false alarm in 1e9.
    expect(Math.abs(share - 0.3)).toBeLessThan(6 * Math.sqrt(0.21 / 8000));
    expect(draws[0]).toEqual(samples.draw(1, 2, 20));
    expect(draws[0]).not.toEqual(samples.draw(1, 3, 20));
    expect(draws[0]).not.toEqual(draws[1]);
    const sampled = {
      ...quiet,
      adjacency: "zero-out",
      recordRate: 0.5,
      ownModel: "noisy",
    } as const;
    const mean = new Float64Array(4);
    for (let seed = 0; seed < 200; seed++) {
      const model = await new PrivateFedAvg({ ...sampled, random: { mode: "seeded", seed } }).fit(
        tasks,
      );
      model.components["shared"]!.data.forEach((w, j) => (mean[j]! += w / 200));
    }
    const expected = stepsByHand(tasks, tasks.y, "squared", { k: 1, clip: 0.7 });
    // A mean of 35 rows of at most .35 each, half of them drawn, over 200 runs.
    mean.forEach((w, j) => expect(Math.abs(w - expected[j]!)).toBeLessThan(0.03));
    expect(norm(mean)).toBeGreaterThan(0.05);
  });

  test("pmtl solves from the shared model on its own rows: the optimality condition", async () => {
    const lambda = 0.4;
    const model = await new Pmtl({ ...quiet, lambda, localSteps: "solve", safeguard: false }).fit(
      tasks,
    );
    const shared = model.components["shared"]!.data;
    tasks.names.forEach((name, i) => {
      const [from, to] = [tasks.offsets[i]!, tasks.offsets[i + 1]!];
      const { weights: w, intercepts } = model.forTask(name);
      const gradient = [0, 1, 2].map((j) => lambda * (w[j]! - shared[j]!));
      let free = 0;
      for (let row = from; row < to; row++) {
        const x = tasks.x.subarray(row * 3, row * 3 + 3);
        const error = x.reduce((sum, v, j) => sum + v * w[j]!, intercepts![0]! - tasks.y[row]!);
        x.forEach((v, j) => (gradient[j]! += (v * error) / (to - from)));
        free += error / (to - from);
      }
      expect(norm([...gradient, free])).toBeLessThan(1e-8);
    });
  });

  test("noisy steps without noise are gradient steps", async () => {
    const lambda = 0.4;
    const options = { ...quiet, epsilon: 1e10, recordClip: 30, lambda, localSteps: 2, stepSize: 0.3, ownModel: "noisy" } as const; // prettier-ignore
    const model = await new Pmtl(options).fit(tasks);
    const shared = model.components["shared"]!.data;
    tasks.names.forEach((name, i) => {
      const [from, to] = [tasks.offsets[i]!, tasks.offsets[i + 1]!];
      const w = shared.slice();
      for (let step = 0; step < 2; step++) {
        const gradient = w.map((v, j) => (j < 3 ? lambda * (v - shared[j]!) : 0));
        for (let row = from; row < to; row++) {
          const x = [...tasks.x.subarray(row * 3, row * 3 + 3), 1];
          const error = x.reduce((sum, v, j) => sum + v * w[j]!, -tasks.y[row]!);
          x.forEach((v, j) => (gradient[j]! += (v * error) / (to - from)));
        }
        gradient.forEach((g, j) => (w[j]! -= 0.3 * g));
      }
      const own = model.forTask(name);
      [...own.weights, own.intercepts![0]!].forEach((v, j) => expect(v).toBeCloseTo(w[j]!, 3));
    });
  });

  test("where models are made of releases, other rows change nothing but through these", () => {
    const modelsOf = (y: (value: number) => number) => {
      const core = openCore();
      const resident = new ResidentTasks(core, tasks, tasks.y.map(y), { loss: "squared", lossScale: "mean" }); // prettier-ignore
      const model = new LinearModel(resident, 1);
      const gradients = new ClippedGradients(model, { clip: 1, factor: 0.2 });
      let [draws, asked] = [0, 0];
      const own = {
        deviation: 0.3,
        // What a task releases to itself, the same in both worlds.
        draw(exact: Float64Array) {
          asked += norm(exact);
          draws++;
          return Float64Array.from(exact, (_, k) => Math.sin(k + draws));
        },
      } as unknown as OwnRelease;
      const steps = { steps: 3, stepSize: "auto", most: 0.2, lambda: 0.1, shared: 2 } as const;
      const conclusion = fromNoisyGradients({ own, gradients, factor: 0.2, clip: 1, ...steps });
      const positions = [0, 1, 2, 3, 4];
      const half = new RecordGradients(model, { gradients, positions, initial: new Float64Array(3), conclusion }); // prettier-ignore
      half.upload(1);
      half.receive(core.arena.copyOf(Float64Array.of(0.1, -0.2, 0.3)));
      for (const _ of half.conclude()) continue;
      return { models: [...half.checkpoint().models], draws, asked };
    };
    const [one, other] = [modelsOf((v) => v), modelsOf((v) => 2 - v)];
    expect(one.draws).toBe(3);
    expect(one.asked).not.toBe(other.asked);
    expect(one.models).toEqual(other.models);
    expect(new Set(one.models).size).toBe(15);
  });
});
