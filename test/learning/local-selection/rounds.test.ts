/**
 * Local selection in Algorithms 2 to 4: the single-task fallback and the choice of a checkpoint.
 */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { makeEstimator, type RoundView } from "../../../src/learning/index.js";
import { placeTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { BroadcastLog } from "../../../src/learning/local-selection/broadcast-log.js";
import { ready, replayOnFolds } from "../../../src/learning/local-selection/fold-replay.js";
import { HeldOutRows } from "../../../src/learning/local-selection/held-out-rows.js";
import { fixedMomentum } from "../../../src/learning/steps/momentum.js";
import { diagonalProjection } from "../../../src/learning/steps/projection.js";
import { ProximalGradient } from "../../../src/learning/steps/proximal-gradient.js";
import { ridgeModels } from "../../../src/learning/tasks/solves/ridge.js";
import { checkpointsOf } from "../../../src/learning/local-selection/candidates.js";
import type { TaskSet } from "../../../src/data/index.js";
import { makeLabelled, makeTasks } from "../tasks.js";

const random = { mode: "seeded", seed: "safe" } as const;
const tasks = makeTasks({ m: 8, d: 4, rows: (i) => 1 + 3 * i, noise: 0.02 });
const METHODS = ["mp-low-rank", "mp-group-sparse", "mp-low-rank-sparse"] as const;

test("checkpoints halve the rounds", () => {
  expect(checkpointsOf(30)).toEqual([1, 2, 4, 8, 15, 30]);
  expect(checkpointsOf(1)).toEqual([1]);
  expect(checkpointsOf(3)).toEqual([1, 2, 3]);
});

describe.each(METHODS)("%s", (method) => {
  // So much shrinking that every shared model is zero, or nearly so.
  const ruinous = {
    delta: 1e-3,
    epsilon: 1,
    rounds: 4,
    clip: 2,
    lambda: 1e4,
    lambda2: 1e4,
    random,
  };
  const fit = (options: object, data = tasks) => {
    const given: Record<string, unknown> = { ...ruinous, ...options };
    if (method !== "mp-low-rank-sparse") delete given["lambda2"];
    return makeEstimator(method, given).fit(data);
  };

  test("tasks that are clearly better off alone have the model they started with", async () => {
    const model = await fit({ initialPenalty: 1e-4 });
    const alone = await makeEstimator("single-task", { lambda: 1e-4 }).fit(tasks);
    const bare = await fit({ initialPenalty: 1e-4, safeguard: false });
    const row = (of: { weights: Float64Array }, i: number) => [
      ...of.weights.subarray(4 * i, 4 * i + 4),
    ];
    for (let i = 4; i < tasks.m; i++) expect(row(model, i)).toEqual(row(alone, i));
    // One row tells nothing.
    expect(row(model, 0)).toEqual(row(bare, 0));
    expect(row(bare, 7).every((value) => value === 0)).toBe(true);
    if (method === "mp-low-rank-sparse") {
      const { shared, local } = model.components;
      expect([...local!.data.subarray(28)]).toEqual(row(alone, 7));
      expect(shared!.data.subarray(28).every((value) => value === 0)).toBe(true);
    }
  });

  test("local selection releases nothing", async () => {
    const released = async (options: object) => {
      const views: number[][] = [];
      const observe = ({ stage, values }: RoundView) => {
        if (stage === "released") views.push([...values]);
      };
      const given: Record<string, unknown> = { ...ruinous, lambda: 0.1, lambda2: 0.1, ...options };
      if (method !== "mp-low-rank-sparse") delete given["lambda2"];
      const model = await makeEstimator(method, given).fit(tasks, { observe });
      return { views, ledger: model.ledger!.toJSON() };
    };
    const bare = await released({ safeguard: false });
    expect(await released({})).toEqual(bare);
    expect(await released({ choice: "local" })).toEqual(bare);
  });

  test("a task finds the round that did it good", async () => {
    // Shrunk a little more each round.
    const options = {
      lambda: 0.3,
      lambda2: 0.3,
      rounds: 32,
      safeguard: false,
      clip: 20,
      epsilon: 1e6,
    };
    const many = makeTasks({ m: 30, d: 6, rows: () => 24, noise: 0.05 });
    const { train, test } = many.split({ trainFraction: 0.5, seed: 1 });
    const last = (await fit(options, train)).score(test).nmse!;
    const local = (await fit({ ...options, choice: "local" }, train)).score(test).nmse!;
    const pooled = (await fit({ ...options, choice: "pooled" }, train)).score(test).nmse!;
    expect(local).toBeLessThan(0.9 * last);
    expect(pooled).toBeLessThan(0.9 * last);
  });

  test("a pooled choice is charged after the rounds, in the same budget", async () => {
    const model = await fit({ choice: "pooled", lambda: 0.1, lambda2: 0.1 });
    const { entries, plan } = model.ledger!;
    expect(entries.map(({ event }) => event)).toEqual(plan);
    expect(entries).toHaveLength(5);
    expect(entries.at(-1)!.label).toBe("choice");
    expect(model.ledger!.spent().epsilon).toBeLessThanOrEqual(1);
    expect(model.ledger!.spent().epsilon).toBeGreaterThan(0.99);
    await expect(fit({ choice: "pooled", curator: "untrusted" })).rejects.toThrow("choice");
  });

  test("labels, intercepts and an untrusted curator", async () => {
    const labelled = makeLabelled({ m: 5, d: 3, rows: (i) => 2 + 2 * i });
    const options = { loss: "logistic", intercept: true, choice: "local", curator: "untrusted" };
    const model = await fit(options, labelled);
    expect(model.weights.every(Number.isFinite)).toBe(true);
    expect(model.intercepts!.every(Number.isFinite)).toBe(true);
  });
});

test("a pooled choice replays in turns: an abort arrives before anything is released for it", async () => {
  // So many that the replay takes several turns.
  const many = makeTasks({ m: 600, d: 20, rows: () => 40, noise: 0.1 });
  const options = { rounds: 60, clip: 2, lambda: 0.1, choice: "pooled", random } as const;
  const controller = new AbortController();
  const released: string[] = [];
  const fitting = makeEstimator("mp-low-rank", options).fit(many, {
    signal: controller.signal,
    observe: ({ stage, statistic }) => void (stage === "released" && released.push(statistic)),
    onRound: ({ round, rounds }) => {
      if (round === rounds) setImmediate(() => controller.abort(new Error("enough")));
    },
  });
  await expect(fitting).rejects.toThrow("enough");
  expect(released).toEqual(new Array(60).fill("covariance"));
  const all: string[] = [];
  await makeEstimator("mp-low-rank", options).fit(many, {
    observe: ({ stage, statistic }) => void (stage === "released" && all.push(statistic)),
  });
  expect(all).toHaveLength(61);
});

test("held-out losses are those of models that never saw the row", () => {
  const core = openCore();
  const options = { loss: "squared", lossScale: "mean", intercept: false } as const;
  const place = (data: TaskSet) => placeTasks(data, options, { core }).tasks;
  const resident = place(tasks);
  const { d } = resident;
  const steppers = (of: typeof resident) =>
    new ProximalGradient(of, {
      clip: 1e6,
      clipIterate: false,
      steps: new Float64Array(of.m).fill(0.5),
      strongConvexity: 0,
      momentum: fixedMomentum("none", 0, 1),
      projection: diagonalProjection(core, of.m, d),
      initial: new Float64Array(of.m * d),
      initialIntercepts: new Float64Array(of.m),
    });
  const log = new BroadcastLog(core, steppers(resident), d, () => undefined);
  const messages = [Float64Array.of(1, 0.5, 0.25, 1), Float64Array.of(0.5, 1, 1, 0.125)];
  messages.forEach((message, k) => {
    log.upload(k + 1);
    log.receive(core.arena.copyOf(message), k + 1, k === 1);
  });
  const replay = replayOnFolds({
    core,
    data: tasks,
    log,
    candidates: [1, 2].map((round) => ({ round, strength: 1 })),
    open: (batch) => {
      const fold = place(batch.data);
      const participants = steppers(fold);
      const held = new HeldOutRows(resident, batch);
      return {
        participants,
        singleTask: () =>
          ready([{ weights: core.arena.copyOf(ridgeModels(fold, 0.01).weights), intercepts: 0 }]),
        candidate: () => ready(participants),
        score: held.score.bind(held),
      };
    },
  });
  let step = replay.next();
  while (!step.done) step = replay.next();
  const { shared, singleTask } = step.value;
  const alone = singleTask[0]!;
  // By hand, for the last task: from 0, scaled, one gradient step, scaled.
  const i = resident.m - 1;
  const [from, to] = [tasks.offsets[i]!, tasks.offsets[i + 1]!];
  for (let j = from; j < to; j++) {
    const kin = Array.from({ length: to - from }, (_, k) => k).filter(
      (k) => k % 5 !== (j - from) % 5,
    );
    const w = new Float64Array(d);
    for (const k of kin) {
      for (let c = 0; c < d; c++) {
        w[c]! += (0.5 / kin.length) * tasks.y[from + k]! * tasks.x[(from + k) * d + c]!;
      }
    }
    let margin = 0;
    for (let c = 0; c < d; c++) margin += w[c]! * messages[1]![c]! * tasks.x[j * d + c]!;
    expect(shared[0]![j]).toBeCloseTo(tasks.y[j]! ** 2, 12);
    expect(shared[1]![j]).toBeCloseTo((margin - tasks.y[j]!) ** 2, 10);
    expect(alone[j]).toBeGreaterThan(0);
  }
  // A task's only row is never held out.
  expect([shared[1]![0], alone[0]]).toEqual([0, 0]);
});
