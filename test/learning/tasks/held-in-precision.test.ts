/** Features that Float32 cannot hold end no private fit of rows in Float32: the error would tell of one task's rows. */
import { expect, test } from "vitest";
import { Pmtl, PrivateFedAvg } from "../../../src/learning/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { makeTasks } from "../tasks.js";

const tasks = makeTasks({ m: 5, d: 2, rows: () => 4 });
const LARGEST = Math.fround(3.4028234663852886e38);

/** The tasks with another number in a cell of the first one. */
function withCell(value: number): TaskSet {
  const { x, ...arrays } = tasks.arrays();
  const own = x!.slice();
  own[3] = value;
  return TaskSet.adopt({ ...arrays, x: own });
}

const random = { mode: "seeded", seed: "held" } as const;
const options = { rowPrecision: "float32", rounds: 2, clip: 1, random } as const;

test.each([
  ["pmtl", new Pmtl(options)],
  ["private-fedavg", new PrivateFedAvg(options)],
])("%s takes them for the largest that it can", async (_, estimator) => {
  const [beyond, largest] = [
    await estimator.fit(withCell(-1e39)),
    await estimator.fit(withCell(-LARGEST)),
  ];
  expect(beyond.weights).toEqual(largest.weights);
});
