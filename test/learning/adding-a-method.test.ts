/**
 * A method that combines what exists is one file and a line in the list of methods: with these alone every
 * command, the evaluation, federation and audits know it.
 */
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { gridCandidates } from "../../src/cli/tuning/ranges.js";
import { tuningOf } from "../../src/cli/evaluation/plan/tuning.js";
import { main } from "../../src/cli/run.js";
import { FEDERATED_METHODS } from "../../src/federation/index.js";
import {
  audit,
  isPrivateMethod,
  makeEstimator,
  METHOD_NAMES,
  MpGroupSparse,
  selectPrivately,
} from "../../src/learning/index.js";
import { methodNamed } from "../../src/learning/methods.js";
import type { AnyMethod } from "../../src/learning/options/method.js";
import { testIo } from "../cli/io.js";
import { federate, localFit, planFor, shares, taskBits } from "../federation/runs.js";
import { temporaryFolder } from "../temporary.js";
import { makeTasks } from "./tasks.js";

// The line in the list.
vi.mock("../../src/learning/estimators/all.js", async (original) => {
  const { ALL_METHODS } = await original<{ ALL_METHODS: readonly AnyMethod[] }>();
  const { toyMethod } = await import("./toy-method.js");
  return { ALL_METHODS: [...ALL_METHODS, toyMethod] };
});

const name = "toy-emphasis";
const tasks = makeTasks({ m: 6, d: 4, rows: () => 8 });
const random = { mode: "seeded", seed: "toy" } as const;

test("it is a method by its name, with the fit of what it combines", async () => {
  expect(METHOD_NAMES).toContain(name);
  expect(isPrivateMethod(name)).toBe(true);
  const shared = { epsilon: 3, rounds: 5, random };
  const model = await makeEstimator(name, { ...shared, emphasis: 4, lambda: 0.05 }).fit(tasks);
  const same = await new MpGroupSparse({ ...shared, lambda: 0.2 }).fit(tasks);
  expect(model.weights).toEqual(same.weights);
  expect(model.method).toBe(name);
  expect(() => makeEstimator(name, { emphasis: 0 })).toThrow(
    "toy-emphasis: emphasis: expected a number > 0, got 0",
  );
});

test("the command line has its flags, help and errors", async () => {
  const data = join(temporaryFolder(), "t.csv");
  const rows = [...tasks].flatMap(({ name: task, x, y, n }) =>
    Array.from({ length: n }, (_, j) => [task, y[j], ...x.subarray(j * 4, j * 4 + 4)].join(",")),
  );
  writeFileSync(data, ["task,y,a,b,c,d", ...rows].join("\n"));
  const run = async (...args: string[]) => {
    const io = testIo();
    const code = await main(["fit", "--method", name, ...args], io);
    return { code, out: io.out(), err: io.err() };
  };
  const help = await run("--help");
  expect(help.out).toMatch(/--emphasis X +Factor of the penalty\. Default 1\./);
  const columns = ["--data", data, "--task", "task", "--target", "y", "--normalize", "rows"];
  const fitted = await run(...columns, "--emphasis", "2", "--rounds", "3", "--seed", "1", "--json");
  expect(fitted.err).not.toMatch(/^mp-mtl/m);
  expect(JSON.parse(fitted.out)).toMatchObject({ method: name, rounds: 3 });
  const refused = await run(...columns, "--emphasis", "-2");
  expect(refused.err).toContain('--emphasis: expected a number > 0, got "-2".');
  const other = await run(...columns, "--lambda2", "1");
  expect(other.err).toContain("--lambda2: not an option of toy-emphasis; it has --loss");
});

test("its ranges are searched, under the budget too", async () => {
  const { ranges } = methodNamed(name);
  expect(gridCandidates(ranges)).toEqual([{ emphasis: 10 }, { emphasis: 1 }, { emphasis: 0.1 }]);
  const { tuning } = tuningOf(name, ranges, {
    tune: "private",
    trials: undefined,
    folds: 2,
    oneStandardError: false,
    repetitions: "all",
    scoreShare: 0.15,
    seed: "0",
  });
  expect(tuning.kind).toBe("private");
  const { chosen } = await selectPrivately(tasks, {
    method: name,
    candidates: gridCandidates(ranges),
    repetitions: "all",
    folds: 2,
    options: { epsilon: 5, rounds: 2, random },
  });
  expect(Object.keys(chosen)).toEqual(["emphasis"]);
});

test("it runs on several machines, with the bits of the local fit", async () => {
  expect(FEDERATED_METHODS).toContain(name);
  const plan = planFor(tasks, { method: name, options: { rounds: 3, emphasis: 2 } });
  const local = await localFit(plan, tasks);
  const { models } = await federate(plan, tasks);
  for (const [participant, names] of Object.entries(shares(tasks, 3))) {
    for (const task of names) {
      expect(taskBits(models[participant]!, task)).toBe(taskBits(local, task));
    }
  }
});

test("it can be audited", async () => {
  const report = await audit({
    estimator: (noise) => makeEstimator(name, { rounds: 1, random: noise, safeguard: false }),
    tasks,
    trials: 40,
    random,
  });
  expect(report.verdict).not.toBe("violated");
});
