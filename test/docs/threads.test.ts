/** The documents' lists of methods that use several threads are what fits on two threads say. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ALL_METHODS } from "../../src/learning/estimators/all.js";
import type { AnyMethod } from "../../src/learning/options/method.js";
import { MpFramework } from "../../src/learning/index.js";
import { channelWorkers } from "../learning/parallel/channel-workers.js";
import { makeTasks } from "../learning/tasks.js";
import { root } from "../package/packed.js";

const tasks = makeTasks({ m: 6, d: 3, rows: () => 6 });

/** Options with which any method fits these tasks in a moment. */
const OPTIONS: Readonly<Record<string, unknown>> = {
  epsilon: 30,
  delta: 1e-4,
  random: { mode: "seeded", seed: 1 },
  clip: 2,
  rounds: 2,
  scale: "unit",
  relationship: Float64Array.from({ length: 36 }, (_, k) => (k % 7 === 0 ? 2 : 1)),
};

function estimatorOf({ name, options, make }: AnyMethod) {
  if (name === "mp-framework") {
    const { random, clip, rounds, epsilon } = OPTIONS as never;
    return new MpFramework({
      random,
      clip,
      rounds,
      epsilon,
      statistic: "diagonal",
      rule: ({ released }) => released.at(-1)!,
      step: ({ model }) => model,
    });
  }
  return make(Object.fromEntries(Object.entries(OPTIONS).filter(([key]) => key in options)));
}

/** Methods in which a fit that is given a second thread uses it. */
async function spreading(): Promise<AnyMethod[]> {
  const found: AnyMethod[] = [];
  const { workers } = channelWorkers(2);
  for (const method of ALL_METHODS) {
    const { threads } = await estimatorOf(method).fit(tasks, { workers, threads: 2 });
    if (threads?.used === 2) found.push(method);
  }
  workers.close();
  return found;
}

/** Names in code type within what a pattern finds on a page. */
function listed(page: string, pattern: RegExp): string[] {
  const text = readFileSync(join(root, "docs", page), "utf8").replace(/\s+/g, " ");
  const [, list] = pattern.exec(text) ?? [];
  expect(list, `${page}: the list is no longer where ${pattern} finds it`).toBeDefined();
  return [...list!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!).sort();
}

test("GUIDE.md and PERFORMANCE-THREADS.md list the methods that use threads", async () => {
  const spread = new Set(await spreading());
  // The guide names private ones by what they do not: the framework, whose options hold code, and the record-level baselines.
  const still = ALL_METHODS.filter((method) => method.privacy && !spread.has(method));
  expect(still.map(({ name }) => name).sort()).toEqual([
    "dp-aggregation",
    "dp-task-relationship",
    "mp-framework",
  ]);
  const others = [...spread].filter(({ privacy }) => !privacy).map(({ name }) => name);
  const guide = /private methods can use threads, except `MpFramework` and the record-level baselines; of the others (.*?) can\./; // prettier-ignore
  expect(listed("GUIDE.md", guide)).toEqual(others.sort());
  const performance = /A private fit, and one of (.*?), spreads its tasks over the threads/;
  expect(listed("PERFORMANCE-THREADS.md", performance)).toEqual(others.sort());
});
