/**
 * The data sets that the page brings along, all simulated here and now.
 * @module
 */
import { simulate, Table, TableEncoding, TaskSet } from "../../../src/data/index.js";
import { csvText } from "../../../src/data/table/csv-text.js";
import { SCHEMA_FORMAT } from "../../../src/data/schema/schema.js";
import { taskArrays } from "../../../src/model/index.js";
import { makeUp, type MadeUpPlan } from "../data/made-up.js";
import { CLINICS, SCHOOLS } from "../data/plans.js";
import type { BuiltInName, SplitData } from "./messages.js";
import { seedOf, splitOf } from "./split-of.js";

const PLANS: Partial<Record<BuiltInName, MadeUpPlan>> = { schools: SCHOOLS, clinics: CLINICS };

/** Of the papers' simulated data, less test rows than they use: enough for three digits. */
const TEST_FACTOR = 3;

/** A made-up table; its plan is public, and so are its ranges and words. */
function fromPlan(plan: MadeUpPlan, split: number): SplitData {
  const { header, rows } = makeUp(plan);
  const { task, target: column, traits, outcome, scaling } = plan;
  const table = new Table(
    header.map((name, j) => ({ name, values: rows.map((row) => row[j]!) })),
    { name: `made-up ${task}s` },
  );
  const target =
    outcome.kind === "words"
      ? ({ column, kind: "category", levels: outcome.words } as const)
      : ({ column, kind: "number", range: outcome.range } as const);
  const columns = Object.fromEntries(
    traits.map((trait) => {
      const range = trait.kind === "number" ? trait.range : ([0, 1] as const);
      return [trait.name, { kind: "number", range } as const];
    }),
  );
  const encoding = TableEncoding.fit(table, {
    schema: { ...SCHEMA_FORMAT, task, target, columns },
  });
  const loss = outcome.kind === "words" ? "logistic" : "squared";
  return splitOf(encoding, table, { task, split, loss, scaling, clip: plan.clip });
}

/** Simulates a data set: the k-th split of a made-up table, or the k-th draw of the papers' simulations. */
export function loadBuiltIn({ name, split }: { name: BuiltInName; split: number }): SplitData {
  const plan = PLANS[name];
  if (plan) return fromPlan(plan, split);
  const pattern = name === "group-sparse" ? "group-sparse" : "low-rank";
  const seed = split === 0 ? "playground" : `playground/${seedOf(split)}`;
  const { train, test } = simulate({ pattern, testFactor: TEST_FACTOR, seed });
  return {
    train: taskArrays(train),
    test: taskArrays(test),
    loss: "squared",
    scaling: "none",
    clip: 20,
    dropped: 0,
  };
}

/** A data set as a CSV file, to see what such a file looks like. */
export function builtInCsv({ name }: { name: BuiltInName }): string {
  const plan = PLANS[name];
  if (plan) {
    const { header, rows } = makeUp(plan);
    return [...csvText(header, rows)].join("");
  }
  const { train } = loadBuiltIn({ name, split: 0 });
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
