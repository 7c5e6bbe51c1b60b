/** What tasks of labels learn alone where sizes of columns were voted on: the same whatever noise made of the votes. */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../../../src/data/index.js";
import { aloneInOwn } from "../../../../../../src/learning/families/mixed/labels/priors/alone-in-own-units.js";
import { LogisticTasks } from "../../../../../../src/learning/families/mixed/labels/logistic-tasks.js";
import {
  packedPriors,
  unpackedPriors,
  type TaskPriors,
} from "../../../../../../src/learning/families/mixed/labels/posterior/task-priors.js";
import { fitNewTask, MpMixed, SingleTask } from "../../../../../../src/learning/index.js";
import { generator } from "../../tasks.js";

/** One slope and the constant; alone around zero, and around 5. */
const prior = (center: number, scale: number) => ({
  mean: Float64Array.of(center, 0),
  root: Float64Array.of(scale, 0, 0, 3),
});
const GIVEN: TaskPriors = {
  priors: [prior(1, 0.5), prior(0, 0.4), prior(0, 6), prior(5, 0.4), prior(5, 6)],
  logWeights: Float64Array.of(-1, -2, -3, -4, -5),
  shared: 1,
  inOwn: 0,
  ownPart: 0.3,
};

describe("priors of learning alone", () => {
  test("around zero are in a task's own units, and last, each with its weight", () => {
    const own = aloneInOwn(2, { voted: [0] }, GIVEN);
    expect(own.priors.map(({ mean, root }) => [mean[0], root[0], root[3]])).toEqual([
      [1, 0.5, 3],
      [5, 0.4, 3],
      [5, 6, 3],
      [0, 0.8, 3],
      [0, 12, 3],
    ]);
    expect([...own.logWeights]).toEqual([-1, -4, -5, -2, -3]);
    expect(own).toMatchObject({ shared: 1, inOwn: 2, ownPart: 0.3 });
    expect(unpackedPriors(packedPriors(own), 2)).toEqual(own);
    expect([...packedPriors(own).kinds]).toEqual([0, 1, 1, 2, 2]);
  });

  test("are as they were where nothing was voted on", () => {
    expect(aloneInOwn(2, { voted: [] }, GIVEN)).toBe(GIVEN);
  });
});

describe("a task that learns alone", () => {
  const next = generator(4);
  const values = Float64Array.from({ length: 16 }, next);
  const labels = values.map((value) => (value + 0.3 * next() > 0 ? 1 : -1));
  const alone = aloneInOwn(
    2,
    { voted: [0] },
    {
      // What is shared counts for nothing.
      priors: [prior(0, 0.4), prior(0, 0.4), prior(0, 6)],
      logWeights: Float64Array.of(-1e3, -1, -1),
      shared: 1,
      inOwn: 0,
      ownPart: 0,
    },
  );
  /** Slope and intercept for features as they are, where these lie at `place` and are so large in the units that were voted for. */
  const learned = (size: number, place = 0) => {
    const x = Float64Array.from({ length: 32 }, (_, k) =>
      k % 2 ? 1 : place + size * values[k / 2]!,
    );
    const tasks = new LogisticTasks({ x, y: labels, offsets: [0, 16] }, 2, { voted: [0] });
    const [slope, level] = tasks.solve(alone).models;
    return [slope! * size, level! + slope! * place] as const;
  };

  test.each([[1000], [20], [1e-3], [1e-6]])(
    "has the same model for a feature of size %d",
    (size) => {
      const [slope, level] = learned(1);
      expect(slope).toBeGreaterThan(1);
      const [otherSlope, otherLevel] = learned(size);
      // The voted size counts as half a row of sixteen.
      expect(otherSlope / slope).toBeGreaterThan(0.9);
      expect(otherSlope / slope).toBeLessThan(1.1);
      expect(Math.abs(otherLevel / level - otherSlope / slope)).toBeLessThan(0.1);
    },
  );

  test("has about the same model wherever the feature lies", () => {
    const [slope, level] = learned(1);
    const [otherSlope, otherLevel] = learned(1, 7);
    // Of few rows the offset counts in a feature's own size.
    expect(otherSlope / slope).toBeGreaterThan(0.7);
    expect(otherSlope / slope).toBeLessThan(1.1);
    expect(Math.abs(otherLevel / level - otherSlope / slope)).toBeLessThan(0.1);
  });
});

test("a feature off the scale of the votes leaves a fit about as good as learning alone, and later tasks their models", async () => {
  const next = generator(9);
  const tasks = TaskSet.from(
    Array.from({ length: 60 }, (_, i) => {
      const level = next();
      const rows = Array.from({ length: 36 }, () => next());
      return {
        name: `task ${i}`,
        x: rows.map((a) => [1e-9 * a]),
        y: rows.map((a) => (2.5 * a + level + next() > 0 ? 1 : -1)),
      };
    }),
  );
  const { train, test: held } = tasks.splitBy((row) => row < 18);
  const alone = (await new SingleTask({ loss: "logistic" }).fit(train)).score(held).logLoss!;
  const random = { mode: "seeded", seed: 3 } as const;
  const options = { loss: "logistic", epsilon: 1, delta: 1e-3, random } as const;
  const model = await new MpMixed(options).fit(train);
  expect(model.score(held).logLoss!).toBeLessThan(1.25 * alone);
  const later = fitNewTask(model, train);
  expect([...later.weights]).toEqual([...model.weights]);
});
