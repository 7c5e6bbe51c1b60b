/**
 * The data sets that the page brings along, all simulated here and now.
 * @module
 */
import {
  Pipeline,
  simulate,
  Table,
  tasksFromTable,
  TaskSet,
  type TransformSpec,
} from "../../../src/data/index.js";
import { csvText } from "../../../src/data/csv-text.js";
import { taskArrays } from "../../../src/model/index.js";
import { makeUp, type MadeUpPlan } from "../data/made-up.js";
import { CLINICS, SCHOOLS } from "../data/plans.js";
import type { BuiltInName, LoadedData, TableChoice } from "./messages.js";

const PLANS: Partial<Record<BuiltInName, MadeUpPlan>> = { schools: SCHOOLS, clinics: CLINICS };

/** Of the papers' simulated data, less test rows than they use: enough for three digits. */
const TEST_FACTOR = 3;

/** Part of each task's rows that models are fitted on; the others test them. */
export const TRAIN_FRACTION = 0.5;

/** What a scaling does to the rows; statistics are each task's own. */
export function transformsOf(scaling: TableChoice["scaling"]): readonly TransformSpec[] {
  if (scaling === "none") return [];
  const rows: TransformSpec = { kind: "unit-rows" };
  return scaling === "unit-rows" ? [rows] : [{ kind: "standardize", scope: "task" }, rows];
}

function fromPlan(plan: MadeUpPlan): LoadedData {
  const { header, rows } = makeUp(plan);
  const table = new Table(
    header.map((name, j) => ({ name, values: rows.map((row) => row[j]!) })),
    { name: `made-up ${plan.task}s` },
  );
  const { tasks, encoding } = tasksFromTable(table, { task: plan.task, target: plan.target });
  const words = plan.outcome.kind === "words";
  return split(tasks, {
    transforms: transformsOf("standardize"),
    loss: words ? "logistic" : "squared",
    intercept: true,
    clip: words ? 3 : 20,
    notCharged: encoding.pooled,
    encoding: encoding.toJSON(),
  });
}

/** Splits tasks into training and test rows and scales both by what the training rows say. */
export function split(
  tasks: TaskSet,
  rest: Pick<LoadedData, "loss" | "intercept" | "clip" | "notCharged"> & {
    transforms: readonly TransformSpec[];
    encoding: NonNullable<LoadedData["preprocessing"]>["encoding"];
    dropped?: number;
  },
): LoadedData {
  const { transforms, encoding, dropped = 0, notCharged, loss, intercept, clip } = rest;
  const { train, test } = tasks.split({ trainFraction: TRAIN_FRACTION, seed: "page" });
  const pipeline = Pipeline.fit(train, transforms);
  return {
    train: taskArrays(pipeline.apply(train)),
    test: taskArrays(pipeline.apply(test.select(test.names.filter((name) => train.has(name))))),
    ...{ loss, intercept, clip, dropped },
    notCharged: [...notCharged, ...pipeline.pooled],
    preprocessing: { encoding, pipeline: pipeline.toJSON() },
  };
}

/** Simulates a data set. */
export function loadBuiltIn({ name }: { name: BuiltInName }): LoadedData {
  const plan = PLANS[name];
  if (plan) return fromPlan(plan);
  const pattern = name === "group-sparse" ? "group-sparse" : "low-rank";
  const { train, test } = simulate({ pattern, testFactor: TEST_FACTOR, seed: "playground" });
  return {
    train: taskArrays(train),
    test: taskArrays(test),
    loss: "squared",
    intercept: false, // the papers' data have none
    clip: 20,
    notCharged: [],
    dropped: 0,
    preprocessing: null,
  };
}

/** A data set as a CSV file, to see what such a file looks like. */
export function builtInCsv({ name }: { name: BuiltInName }): string {
  const plan = PLANS[name];
  if (plan) {
    const { header, rows } = makeUp(plan);
    return [...csvText(header, rows)].join("");
  }
  const { train } = loadBuiltIn({ name });
  const tasks = TaskSet.adopt(train);
  const rows = [...tasks].flatMap((task) =>
    Array.from(task.y, (y, row) => [
      task.name,
      y,
      ...task.x.subarray(row * tasks.d, (row + 1) * tasks.d),
    ]),
  );
  return [...csvText(["task", tasks.targetName, ...tasks.featureNames], rows)].join("");
}
