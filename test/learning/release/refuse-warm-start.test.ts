import { expect, test } from "vitest";
import { OptionError } from "../../../src/core/index.js";
import { isPrivateMethod, makeEstimator, METHOD_NAMES, SingleTask } from "../../../src/learning/index.js"; // prettier-ignore
import { makeTasks } from "../tasks.js";

const tasks = makeTasks({ m: 3, d: 2, rows: () => 4 });

test.each(METHOD_NAMES.filter(isPrivateMethod))("%s starts from no other model", async (method) => {
  const warmStart = await new SingleTask().fit(tasks);
  const fit = makeEstimator(method, {}).fit(tasks, { warmStart });
  await expect(fit).rejects.toThrow(OptionError);
  await expect(fit).rejects.toThrow("warmStart");
});
