/** What a fit without releases asks of its tasks, in which order, and that they are closed whatever happens. */
import { expect, test } from "vitest";
import { publicSizes } from "../../../src/learning/release/public-sizes.js";
import { fitInBatches } from "../../../src/learning/parallel/fit-in-batches.js";
import { makeTasks } from "../tasks.js";

const data = makeTasks({ m: 3, d: 2, rows: () => 4 });
const models = { weights: new Float64Array(6), intercepts: null };

function owner(calls: string[]) {
  const note = <T>(what: string, value: T) => (calls.push(what), value);
  const half = {
    stages: [],
    broadcastLengths: [],
    rounds: [],
    finish: () => note("finish", undefined),
    models: () => note("models", models),
    losses: () => note("losses", Float64Array.of(1, 2, 3)),
    close: () => note("close", undefined),
  };
  const place = ({ positions }: { positions: readonly number[] }) =>
    note(`place ${positions.join(" ")}`, half);
  return {
    method: "toy",
    options: { loss: "squared" as const },
    statistics: [],
    batches: { work: () => 1, place },
  };
}

const context = { data, sizes: publicSizes(data), classes: null, start: null };

test("places, solves, finishes, takes the models and closes", async () => {
  const calls: string[] = [];
  const fitted = await fitInBatches(owner(calls), context, {}, async () => {
    calls.push("solve");
    await Promise.resolve();
    return 7;
  });
  expect(calls).toEqual(["place 0 1 2", "solve", "finish", "models", "losses", "close"]);
  expect(fitted).toEqual({
    solution: 7,
    models,
    losses: Float64Array.of(1, 2, 3),
    threads: { used: 1, why: "no workers were given" },
  });
});

test("closes tasks whose solver fails", async () => {
  const calls: string[] = [];
  const failed = fitInBatches(owner(calls), context, {}, () => {
    throw new RangeError("no minimum");
  });
  await expect(failed).rejects.toThrow("no minimum");
  expect(calls).toEqual(["place 0 1 2", "close"]);
});
