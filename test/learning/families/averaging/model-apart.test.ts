/**
 * A model of the caller's own serves all tasks of a fit in one place. What it is handed for one of them has nothing of another's: given the
 * releases, every other task's model is the same whatever one task's rows are, also where the model is not written as it should be.
 */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import { TaskSet } from "../../../../src/data/index.js";
import {
  Pmtl,
  PrivateFedAvg,
  type DifferentiableModel,
  type PrivateModel,
  type ReleaseJournal,
} from "../../../../src/learning/index.js";
import { AdaptedModel } from "../../../../src/learning/models/adapted-model.js";
import { ResidentTasks } from "../../../../src/learning/tasks/resident-tasks.js";
import { Ledger } from "../../../../src/privacy/index.js";
import { lineModel } from "../../line-model.js";
import { makeTasks } from "../../tasks.js";

const D = 3;
const tasks = makeTasks({ m: 4, d: D, rows: () => 9 });
/** The first task's rows are others. */
const neighbours = TaskSet.from(
  [...tasks].map(({ name, x, y }, i) => ({
    name,
    x: Float64Array.from(x, (value) => (i === 0 ? 3 - value : value)),
    y: i === 0 ? y.map((value) => 50 - value) : y,
  })),
);

/** Two fits, the second with the releases of the first: all that tells tasks of one another. */
async function weightsOfOthers(
  fit: (data: TaskSet, journal: ReleaseJournal) => Promise<PrivateModel>,
) {
  const released = new Map<number, Float64Array>();
  let ledger: Ledger | undefined;
  const journal: ReleaseJournal = {
    openLedger: (options) => (ledger ??= new Ledger(options)),
    read: (release) => released.get(release),
    write: (release, statistic) => void released.set(release, statistic),
  };
  const others = async (data: TaskSet) => (await fit(data, journal)).weights.slice(D);
  return [await others(tasks), await others(neighbours)];
}

const line: DifferentiableModel = {
  ...lineModel(D),
  pullback(_w, x, slopes, gradient) {
    gradient.fill(0);
    slopes.forEach((slope, j) =>
      gradient.forEach((_, k) => (gradient[k]! += slope * x[j * D + k]!)),
    );
  },
};

/** Models as they should not be. */
const CARELESS: Readonly<Record<string, DifferentiableModel>> = {
  "adds to the gradient": {
    ...line,
    valueAndGradient(w, x, y, gradient) {
      const own = new Float64Array(D);
      const value = line.valueAndGradient(w, x, y, own);
      own.forEach((g, k) => (gradient[k]! += g));
      return value;
    },
  },
  "changes the parameters": {
    ...line,
    valueAndGradient(w, x, y, gradient) {
      const value = line.valueAndGradient(w, x, y, gradient);
      w[0]! += y[0]!;
      return value;
    },
  },
};

const options = { rounds: 3, delta: 1e-5, random: { mode: "seeded", seed: "apart" } } as const;

describe.each(Object.entries(CARELESS))("a model that %s", (_, model) => {
  test.each<[string, (data: TaskSet, journal: ReleaseJournal) => Promise<PrivateModel>]>([
    ["pmtl", (data, journal) => new Pmtl({ ...options, model }).fit(data, { journal })],
    [
      "private-fedavg, finetuned",
      (data, journal) =>
        new PrivateFedAvg({
          ...options,
          model,
          choice: "local",
          finetune: { kind: "ewc", steps: 5, stepSize: 0.1, strength: 1 },
        }).fit(data, { journal }),
    ],
    [
      "private-fedavg, finetuned by outputs",
      (data, journal) =>
        new PrivateFedAvg({
          ...options,
          model,
          finetune: { kind: "symmetrized-kl", steps: 5, stepSize: 0.1, strength: 1 },
        }).fit(data, { journal }),
    ],
  ])("tells no task of another's rows: %s", async (_method, fit) => {
    const [one, other] = await weightsOfOthers(fit);
    expect(other).toEqual(one);
  });
});

test("what a model is handed to write to holds zeros, whatever was there", () => {
  const handed: number[][] = [];
  const writes = (into: Float64Array) => {
    handed.push([...into]);
    into.fill(7);
  };
  const placed = new ResidentTasks(openCore(), tasks, tasks.y, {
    loss: "squared",
    lossScale: "mean",
  });
  const model = new AdaptedModel(
    placed,
    {
      ...line,
      predict: (_w, _x, outputs) => writes(outputs),
      valueAndGradient: (_w, _x, _y, gradient) => (writes(gradient), 0),
      pullback: (_w, _x, _slopes, gradient) => writes(gradient),
    },
    1,
  );
  const { arena } = placed.core;
  const [at, out, slopes] = [arena.f64(D), arena.f64(16), arena.f64(16)];
  for (let task = 0; task < 2; task++) {
    model.valueAndGradient(task, at, out);
    model.predict(task, at, out);
    model.pullback(task, at, slopes, out);
  }
  expect(handed).toHaveLength(6);
  expect(handed.flat().every((value) => value === 0)).toBe(true);
});

test.each(["valueAndGradient", "predict"] as const)(
  "a model whose %s answers later is refused",
  async (name) => {
    const later = { ...line, [name]: async () => Promise.resolve(0) };
    await expect(
      new Pmtl({ ...options, model: later, choice: "local" }).fit(tasks),
    ).rejects.toThrow(`model: "line": expected ${name} to answer at once, got a promise`);
  },
);
