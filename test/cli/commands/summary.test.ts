/** What `summary --task` says of one task: its own model, and what is promised to its own owner. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../../src/cli/terminal/exit-code.js";
import { main } from "../../../src/cli/run.js";
import { summarizeTask } from "../../../src/learning/fitted/summary/task-summary.js";
import { MpMixed, SingleTask, type FittedModel } from "../../../src/learning/index.js";
import { saveModel } from "../../../src/model/index.js";
import { makeTasks } from "../../learning/tasks.js";
import { readTable } from "../../../src/node/index.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

const tasks = makeTasks({ m: 12, d: 2, rows: () => 6 });
const [first, other] = [tasks.names[0]!, tasks.names[5]!];

async function summary(model: FittedModel, ...flags: string[]) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "model.safetensors"), saveModel(model));
  const io = testIo();
  const code = await main(["summary", "--model", folder, ...flags], io);
  return { code, out: io.out(), err: io.err() };
}

describe("of owners with budgets of their own", async () => {
  const taskEpsilons = { [first]: 0.5 };
  const model = await new MpMixed({ epsilon: 2, scale: "unit", unit: "record", taskEpsilons }).fit(
    tasks,
  );

  test.each([first, other])("the task %s has its own model and its own promise", async (name) => {
    const { code, out } = await summary(model, "--task", name, "--json");
    expect(code).toBe(0);
    const { guarantee, protection } = model.forTask(name);
    expect(JSON.parse(out)).toEqual(
      JSON.parse(
        JSON.stringify({
          ...summarizeTask(model, tasks.names.indexOf(name)),
          guarantee,
          protection,
        }),
      ),
    );
    expect((guarantee as { epsilon: number }).epsilon).toBeCloseTo(name === first ? 0.5 : 2, 2);
  });

  test("in words, with who is protected from whom", async () => {
    const { out } = await summary(model, "--task", first);
    expect(out).toMatch(
      new RegExp(`^mp-mixed: the task "${first}" of 12, 2 features, squared loss\n`),
    );
    expect(out).toMatch(/^ +estimate +from +to$/m);
    expect(out).toContain("joint (0.5, ");
    expect(out).toMatch(/^record against other tasks: \(0\.5, .*\)-DP$/m);
    expect(out).toMatch(/^record against .*own model.*: no promise$/m);
    // Nothing of the others.
    tasks.names.slice(1).forEach((name) => expect(out).not.toContain(`"${name}"`));
  });
});

test("what an auditor reads is printed of the whole model, and one task's text says where", async () => {
  const model = await new MpMixed({ epsilon: 2, scale: "unit" }).fit(tasks);
  const [{ out: own }, { out: all }] = [
    await summary(model, "--task", first),
    await summary(model),
  ];
  for (const line of ["trust: ", "not covered: ", "unit: "]) {
    expect(own).toContain(`\n${line}`);
    expect(all).toContain(`\n${line}`);
  }
  for (const line of ["scope: ", "an attacker ", "gaussian-mean mechanism", "noise source: "]) {
    expect(own).not.toContain(`\n${line}`);
    expect(all).toContain(`\n${line}`);
  }
  expect(own).toContain("--json, or summary without --task\n");
  expect(own).toMatch(/^record or task against curator, own model, all models: no promise$/m);
});

test("a model without a promise says so, of one task too", async () => {
  const { out } = await summary(await new SingleTask().fit(tasks), "--task", first);
  expect(out).toContain("no privacy guarantee");
  expect(out).not.toContain("against");
});

test("a task that the model does not know is refused", async () => {
  const { code, err } = await summary(await new SingleTask().fit(tasks), "--task", "nobody");
  expect(code).toBe(EXIT.data);
  expect(err).toContain('task "nobody" is unknown to this model');
});

describe("--coefficients-out writes CSV that reads back to the figures", async () => {
  const model = await new MpMixed({ epsilon: 2, scale: "unit", random: { mode: "seeded", seed: 1 } }).fit(tasks); // prettier-ignore
  const read = async (of: FittedModel, ...flags: string[]) => {
    const path = join(temporaryFolder(), "coefficients.csv");
    const { code, out } = await summary(of, "--coefficients-out", path, ...flags);
    expect([code, out]).toEqual([0, expect.stringContaining(`coefficients written to ${path}`)]);
    return readTable(path);
  };

  test("of all tasks", async () => {
    const table = await read(model);
    const { coefficients } = model.summary();
    expect(table.columnNames).toEqual(["name", "estimate", "standardError", "betweenTasks"]);
    expect(table.texts("name")).toEqual(coefficients.map(({ name }) => name));
    expect([...table.numbers("estimate")]).toEqual(coefficients.map(({ estimate }) => estimate));
    expect([...table.numbers("standardError")]).toEqual(
      coefficients.map(({ standardError }) => standardError ?? NaN),
    );
  });

  test("of one task, and without what a method does not know", async () => {
    const table = await read(model, "--task", other);
    const { coefficients } = summarizeTask(model, 5);
    expect([...table.numbers("from")]).toEqual(coefficients.map(({ interval }) => interval![0]));
    const alone = await read(await new SingleTask().fit(tasks), "--task", other);
    expect([...alone.numbers("to")]).toEqual(coefficients.map(() => NaN));
  });
});
