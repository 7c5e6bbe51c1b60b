/** More features than a call can take arguments: some hundred thousand. */
import { expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { makeEstimator } from "../../../src/learning/methods.js";

test("the certificate of a group-sparse fit is computed", async () => {
  const d = 150_000;
  const x = {
    indptr: [0, 2, 3],
    indices: [0, d - 1, 7],
    values: [1, 1, 1],
    shape: [2, d],
  } as const;
  const tasks = TaskSet.from(["a", "b"].map((name) => ({ name, x, y: [1, 2] })));
  const model = await makeEstimator("group-sparse", { maxRounds: 2 }).fit(tasks);
  expect(model.certificate?.value).toBeGreaterThanOrEqual(0);
});
