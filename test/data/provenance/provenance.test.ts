import { describe, expect, test } from "vitest";
import {
  Pipeline,
  readCsv,
  tasksFromTable,
  TaskSet,
  type TableSchema,
} from "../../../src/data/index.js";
import {
  DpAggregation,
  makeEstimator,
  MpFramework,
  MpLowRank,
  Pmtl,
  selectPrivately,
  TraceNorm,
} from "../../../src/learning/index.js";
import { METHODS } from "../../../src/learning/methods.js";
import { lineModel } from "../../learning/line-model.js";
import { runFitJob, loadModel, taskArrays } from "../../../src/model/index.js";
import type { Guarantee } from "../../../src/privacy/index.js";

const random = { mode: "seeded", seed: "p" } as const;
const options = { epsilon: 1, delta: 0.01, rounds: 2, featureBound: 10, random };

async function encoded(cells: (task: number, row: number) => string, schema: Partial<TableSchema>) {
  const lines = ["school,score,s"];
  for (let task = 0; task < 4; task++) {
    for (let row = 0; row < 3; row++) lines.push(`t${task},${task + row},${cells(task, row)}`);
  }
  const table = await readCsv(lines.join("\n"), { name: "t.csv" });
  return tasksFromTable(table, { task: "school", target: "score", ...schema }).tasks;
}

async function uncharged(tasks: TaskSet, more: object = {}): Promise<string> {
  const model = await new MpLowRank({ ...options, ...more }).fit(tasks);
  return (model.guarantee as Guarantee).notCharged.join("\n");
}

/** Two classes in every task. */
const twoClasses = (y: readonly (string | number)[]) =>
  ["a", "b", "c"].map((name) => ({
    name,
    x: [
      [1, 0],
      [0, 1],
    ],
    y: y as string[],
  }));

describe("every private fit lists by itself what was learned from several tasks", () => {
  test("imputing decides between one column and two by any owner's cell: listed whatever came out", async () => {
    // One cell of one owner: 2 instead of 1, and the column stays one column.
    const two = await encoded((_, row) => (row === 2 ? "" : String(row)), { missing: "impute" });
    const one = await encoded(
      (task, row) => (task === 3 && row === 1 ? "2" : row === 2 ? "" : String(row)),
      { missing: "impute" },
    );
    expect([two.featureNames, one.featureNames]).toEqual([["s=1", "s=missing"], ["s"]]);
    for (const tasks of [two, one]) {
      expect(await uncharged(tasks)).toContain('two values and gaps in the columns "s"');
    }
    const declared = await encoded(() => "1", {
      missing: "impute",
      kinds: { s: { kind: "number", range: [0, 2] } },
    });
    expect(await uncharged(declared)).not.toContain('"s"');
  });

  test("kinds and levels found by looking, not those declared", async () => {
    const cells = (task: number) => (task > 1 ? "m" : "f");
    const looked = await uncharged(await encoded(cells, { undeclared: "auto" }));
    expect(looked).toContain('kinds of the columns "s", found by looking');
    expect(looked).toContain('levels of the column "s" observed over all tasks');
    const schema = { columns: { s: { kind: "category", levels: ["f", "m"] } } } as const;
    const declared = await uncharged(await encoded(cells, { undeclared: "auto", schema }));
    expect(declared).not.toContain('"s"');
  });

  test("a pipeline with pooled statistics, through splits and selections of tasks", async () => {
    const tasks = await encoded((task, row) => String(task * row + 1), {});
    for (const [scope, listed] of [
      ["pooled", true],
      ["task", false],
    ] as const) {
      const scaled = Pipeline.fit(tasks, [{ kind: "standardize", scope }]).apply(tasks);
      const part = scaled.split({ trainFraction: 0.7, seed: 1 }).train.select(["t0", "t1", "t2"]);
      for (const set of [scaled, part]) {
        const found = (await uncharged(set)).includes("measured over all tasks' rows");
        expect(found).toBe(listed);
      }
    }
  });

  test("statistics travel into worker threads and private selections", async () => {
    const tasks = await encoded((task, row) => String(task * row + 1), {});
    const scaled = Pipeline.fit(tasks, [{ kind: "standardize", scope: "pooled" }]).apply(tasks);
    const job = { method: "mp-low-rank", options, train: taskArrays(scaled) };
    const { guarantee } = loadModel((await runFitJob(job)).model);
    expect((guarantee as Guarantee).notCharged.join()).toContain("over all tasks' rows");
    const { model } = await selectPrivately(scaled, {
      method: "mp-low-rank",
      options,
      repetitions: "all",
      candidates: [{ lambda: 1 }, { lambda: 0.1 }],
    });
    expect((model.guarantee as Guarantee).notCharged.join()).toContain("over all tasks' rows");
  });

  test("record-level methods too", async () => {
    const tasks = await encoded((task, row) => String(task * row + 1), {});
    const scaled = Pipeline.fit(tasks, [{ kind: "standardize", scope: "pooled" }]).apply(tasks);
    const model = await new DpAggregation({
      epsilon: 5,
      delta: 0.01,
      featureBound: 10,
      random,
    }).fit(scaled);
    expect((model.guarantee as Guarantee).notCharged.join()).toContain("over all tasks' rows");
  });

  test("models to start from, whatever they were learned from", async () => {
    const tasks = await encoded((task, row) => String(task * row + 1), {});
    const pooled = await new TraceNorm({ lambda: 0.1 }).fit(tasks);
    expect(await uncharged(tasks, { initial: pooled.weights })).toContain("initial models given");
    expect(await uncharged(tasks, { initial: "zeros" })).not.toContain("initial models given");
  });

  test.each(
    METHODS.filter(({ options: known, privacy }) => privacy && "initial" in known).map(
      ({ name }) => name,
    ),
  )("models to start from are listed by every method that takes them: %s", async (method) => {
    const tasks = await encoded((task, row) => String(task * row + 1), {});
    const { weights: initial } = await new TraceNorm({ lambda: 0.1 }).fit(tasks);
    const budget = { epsilon: 1, delta: 0.01, featureBound: 10, random };
    const fit = async (more: object) => {
      const model = await makeEstimator(method, { ...budget, ...more }).fit(tasks);
      return (model.guarantee as Guarantee).notCharged.join();
    };
    expect(await fit({ initial })).toContain("initial models given");
    expect(await fit({ initial: "zeros" })).not.toContain("initial models given");
  });

  test("a model of the caller's own, whose starting point may be learned", async () => {
    const tasks = await encoded((task, row) => String(task * row + 1), {});
    const said = async (model: "linear" | ReturnType<typeof lineModel>) => {
      const pmtl = new Pmtl({ epsilon: 1, delta: 0.01, rounds: 2, random, model });
      const { guarantee } = await pmtl.fit(tasks);
      return (guarantee as Guarantee).notCharged.join();
    };
    expect(await said(lineModel(tasks.d))).toContain("starting point of the given model");
    expect(await said(lineModel(tasks.d))).toContain(
      "what the given model keeps of one task's rows",
    );
    expect(await said("linear")).not.toContain("the given model");
  });

  test("a step of the caller's own, which may keep what it was handed", async () => {
    const tasks = await encoded((task, row) => String(task * row + 1), {});
    const method = new MpFramework({
      epsilon: 1,
      delta: 0.01,
      random,
      statistic: "diagonal",
      rule: ({ released }) => released.at(-1)!,
      step: ({ upload }) => upload,
    });
    const { guarantee } = await method.fit(tasks);
    expect((guarantee as Guarantee).notCharged).toContain(
      "what the given step keeps of one task's rows for another's, if anything",
    );
  });

  test("labels that occur, of which one owner's may be the only one; not those declared", async () => {
    const inputs = twoClasses(["no", "yes"]);
    const loss = { loss: "logistic" } as const;
    const listed = 'labels of the target "y" observed over all tasks';
    expect(await uncharged(TaskSet.from(inputs), loss)).toContain(listed);
    expect(await uncharged(TaskSet.from(twoClasses([0, 1])), loss)).toContain(listed);
    const labels = ["no", "yes"];
    expect(await uncharged(TaskSet.from(inputs, { labels }), loss)).not.toContain(listed);
  });
});

describe("declared labels", () => {
  test("are the model's whether or not they occur, in their order", async () => {
    const labels = ["yes", "no"];
    const all = twoClasses(["no", "no"]);
    const one = TaskSet.from(all, { labels });
    const model = await new MpLowRank({ ...options, loss: "logistic" }).fit(one);
    expect(model.classes).toEqual(labels);
    expect(model.forTask("a").predictLabels([[1, 0]])).toEqual(["no"]);
    await expect(
      new MpLowRank({ ...options, loss: "logistic" }).fit(TaskSet.from(all)),
    ).rejects.toThrow("has one class");
  });

  test("others are refused by place, and so are labels as numbers", async () => {
    expect(() => TaskSet.from(twoClasses(["no", "maybe"]), { labels: ["no", "yes"] })).toThrow(
      'task "a", row 1: y: not one of the 2 declared labels.',
    );
    const tasks = TaskSet.from(twoClasses(["low", "mid"]));
    const refused = 'the target "y" holds labels, not numbers: use the loss "logistic"';
    await expect(new TraceNorm({ lambda: 1 }).fit(tasks)).rejects.toThrow(refused);
    await expect(new MpLowRank(options).fit(tasks)).rejects.toThrow(refused);
  });
});
