/** What a model comes down to, of one task as of several. */
import { expect, test } from "vitest";
import { modelConclusion } from "../../../src/cli/fitted/model-figures.js";
import { TaskSet } from "../../../src/data/index.js";
import { SingleTask } from "../../../src/learning/index.js";

test.each([
  [1, "made a model for the task from 1 feature"],
  [2, "made a model for each of 2 tasks from 1 feature"],
])("of %i tasks", async (m, words) => {
  const tasks = Array.from({ length: m }, (_, i) => ({ name: `t${i}`, x: [[1], [2]], y: [1, 2] }));
  const model = await new SingleTask().fit(TaskSet.from(tasks));
  expect(modelConclusion(model)[0]).toContain(words);
});
