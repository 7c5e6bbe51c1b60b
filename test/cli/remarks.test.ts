/**
 * What a fit remarks on beyond its figures.
 */
import { expect, test } from "vitest";
import { remarksOn } from "../../src/cli/remarks.js";
import { Auto, MpMixed } from "../../src/learning/index.js";
import { makeTasks } from "../learning/tasks.js";

const random = { mode: "seeded", seed: "remarks" } as const;
const tasks = makeTasks({ m: 12, d: 2, rows: () => 8 });

test("what the budget could buy, a large epsilon, and models that are all alone", async () => {
  const options = { scale: "unit", delta: 1e-5, random } as const;
  const model = await new MpMixed({ ...options, epsilon: 20 }).fit(tasks);
  const [share, large] = remarksOn(model);
  expect(share).toMatch(/^at 12 tasks and 2 features .* about \d+ % /);
  expect(large).toContain("epsilon 10 or more");
  const small = remarksOn(await new MpMixed({ ...options, epsilon: 0.01 }).fit(tasks));
  expect(small[0]).toContain("about 0 %");
  expect(small.join()).not.toContain("epsilon 10");
  const alone = { shape: [12], data: new Float64Array(12).fill(0.95) };
  const kept = remarksOn(model.withComponents({ ...model.components, alone }));
  expect(kept.at(-1)).toContain("every task kept its own model");
});

test("auto that shares nothing says so", async () => {
  const model = await new Auto({ epsilon: 0.01, random }).fit(tasks);
  expect(remarksOn(model)).toEqual(["nothing was shared; every task kept its own model"]);
});
