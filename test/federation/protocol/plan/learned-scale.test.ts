/** Columns that a plan does not declare: which they are, what their sizes cost, and that rows come raw; sums of votes as all others. */
import { describe, expect, test } from "vitest";
import { Pipeline, readCsv, tasksFromTable, type DataSchema } from "../../../../src/data/index.js";
import {
  decodeMessage,
  describePlan,
  makePlan,
  type PlanInput,
} from "../../../../src/federation/index.js";
import { prepareData } from "../../../../src/federation/participant/data/participant-data.js";
import {
  learnedColumns,
  undeclaredColumns,
} from "../../../../src/federation/protocol/plan/learned-scale.js";
import { publicSizes } from "../../../../src/learning/release/public-sizes.js";
import { makeTasks } from "../../../learning/tasks.js";
import { someOf, thoroughTest } from "../../../thorough.js";
import { federate, localFit, planFor, taskBits } from "../../runs.js";
import {
  AGGREGATION,
  planOf as securePlan,
  run as secureRun,
  tasks as secureTasks,
  weightsOf,
} from "../../secure-aggregation/secure-run.js";

const SCHEMA: DataSchema = {
  task: "school",
  target: { column: "score", kind: "number" },
  columns: {
    age: { kind: "number", range: [0, 100] },
    bmi: { kind: "number", missing: "level" },
    dose: { kind: "number" },
    ward: { kind: "category", levels: ["med", "surg"] },
    sex: { kind: "binary", levels: ["f", "m"] },
  },
};
const rows = Array.from({ length: 72 }, (_, i) => {
  const bmi = i % 7 === 0 ? "" : 20 + (i % 9);
  return `s${i % 12},${(11 * i) % 40},${20 + ((7 * i) % 60)},${bmi},${100 * (i % 4)},${i % 3 ? "med" : "surg"},${i % 2 ? "f" : "m"}`;
});
const read = async (schema: DataSchema = SCHEMA) => {
  const table = await readCsv(["school,score,age,bmi,dose,ward,sex", ...rows].join("\n"));
  return tasksFromTable(table, { schema }).tasks;
};
const features = ["age", "bmi", "bmi=missing", "dose", "ward=med", "ward=surg", "sex=m"];
const planOf = (input: Partial<PlanInput> = {}) =>
  makePlan({
    run: "test",
    method: "mp-mixed",
    schema: SCHEMA,
    minimumTasks: 12,
    ...input,
    options: {
      epsilon: 30,
      delta: 1e-3,
      random: { mode: "seeded", seed: 1 },
      ...input.options,
    },
  });
const withTarget = (target: object): DataSchema => ({ ...SCHEMA, target }) as DataSchema;

test("they are those of tasks that were read by the plan", async () => {
  const plan = planOf();
  const tasks = await read();
  expect(plan.features).toEqual(features);
  expect(undeclaredColumns(plan)).toEqual([1, 3, 7]);
  expect(undeclaredColumns(plan)).toEqual(publicSizes(tasks).undeclared);
  const ranged = withTarget({ column: "score", kind: "number", range: [0, 40] });
  expect(undeclaredColumns(planOf({ schema: ranged }))).toEqual([1, 3]);
  expect(publicSizes(await read(ranged)).undeclared).toEqual([1, 3]);
  // Rows that all scale to length 1.
  const scaled = planOf({ normalize: "rows" });
  const unit = Pipeline.fit(tasks, [{ kind: "unit-rows" }]).apply(tasks);
  expect(undeclaredColumns(scaled)).toEqual([7]);
  expect(publicSizes(unit).undeclared).toEqual([7]);
  // Without a schema nobody declares anything, and one of the target alone says nothing of features.
  const raw = planFor(makeTasks({ m: 30, d: 2, rows: () => 5 }), { method: "mp-mixed", options: { epsilon: 9 } }); // prettier-ignore
  expect(undeclaredColumns(raw)).toEqual([0, 1, 2]);
  const alone = planOf({ schema: { ...ranged, columns: {} }, features: ["age", "dose"] });
  expect(undeclaredColumns(alone)).toEqual([0, 1]);
});

test("labels have no size, and where single records are hidden or somebody vouches, none is learned", () => {
  const labels = withTarget({ column: "score", kind: "category", levels: ["no", "yes"] });
  expect(learnedColumns(planOf({ schema: labels, options: { loss: "logistic" } }))).toEqual([1, 3]);
  for (const options of [{ scale: "unit" }, { scale: "declared" }, { unit: "record" }]) {
    expect(learnedColumns(planOf({ options }))).toEqual([]);
  }
  expect(learnedColumns(planOf({ method: "pmtl", options: { clip: 1 } }))).toEqual([]);
});

test("the plan's words say what is learned and what it costs", () => {
  const words = (input: Partial<PlanInput>) => describePlan(planOf(input)).join("\n");
  expect(words({})).toContain(
    'Of 3 columns ("bmi", "dose", "the target") the plan\'s schema declares no range: tasks vote on how large their values are, where ' +
      "they lie and how far they spread (where the first two leave open where they lie, how far they lie apart within tasks; of columns found " +
      "far from zero against their spread both. Where places stay open or prove wrong, tasks share slopes and each keeps a level of its own), each in 3 vectors of norm at most 1 before the others. With 12 tasks of 10 rows these take " +
      "35 % of the budget",
  );
  expect(words({ options: { epsilon: 5 } })).toContain("tasks vote on how far their values lie apart within tasks"); // prettier-ignore
  expect(words({ options: { scale: "unit" } })).not.toContain("tasks vote");
  const all = { schema: null, features: ["a"], minimumTasks: 40 };
  expect(words(all)).toContain("the plan, which has no schema, declares no range");
});

test("a plan whose fewest tasks cannot learn them is refused by name", () => {
  expect(() => planOf({ options: { epsilon: 1 } })).toThrow(
    "plan: options.scale: at epsilon 1 12 tasks (minimumTasks) are too few to learn the size of 3 columns",
  );
  expect(planOf({ options: { epsilon: 1 }, minimumTasks: 200 }).method).toBe("mp-mixed");
});

test("auto takes the mixed model where the budget allows to learn them, and says what for", () => {
  const plan = planOf({ method: "auto", minimumTasks: 400, options: { epsilon: 3 } });
  expect(plan).toMatchObject({ method: "mp-mixed", options: { scale: "auto" } });
  expect(() => planOf({ method: "auto", minimumTasks: 12, options: { epsilon: 1 } })).toThrow(
    "auto finds nothing to federate",
  );
});

describe("rows that an owner scaled itself are refused before anything is sent", () => {
  test.each<[string, Partial<PlanInput>, DataSchema, string]>([
    [
      "a feature",
      { schema: null, features },
      { ...SCHEMA, target: { column: "score", kind: "number" } },
      'column "age": the plan declares nothing of it',
    ],
    [
      "a category that a plan without a schema knows nothing of",
      { schema: null, features },
      { ...SCHEMA, columns: { ...SCHEMA.columns, age: { kind: "number" } } },
      "with 0 and 1, as levels of a category are",
    ],
    [
      "the target",
      {},
      withTarget({ column: "score", kind: "number", range: [0, 40] }),
      "the target: the plan declares nothing of it, so that its size is learned from all owners' raw values, and your rows were prepared " +
        "with the range [0, 40]; nothing was sent",
    ],
    [
      "a feature that a range leaves as it is",
      {},
      { ...SCHEMA, columns: { ...SCHEMA.columns, dose: { kind: "number", range: [-1, 1] } } },
      'column "dose"',
    ],
  ])("%s", async (_what, input, schema, why) => {
    const tasks = await read(schema);
    expect(() => prepareData(tasks, planOf(input))).toThrow(why);
  });

  test("and taken where all declare their own", async () => {
    const ranged = await read({
      ...withTarget({ column: "score", kind: "number", range: [0, 40] }),
      columns: {
        ...SCHEMA.columns,
        bmi: { kind: "number", range: [10, 50], missing: "level" },
        dose: { kind: "number", range: [0, 400] },
      },
    });
    const plan = planOf({ schema: null, features, options: { scale: "declared" } });
    expect(prepareData(ranged, plan).data.m).toBe(12);
    const raw = await read();
    expect(() => prepareData(raw, plan)).toThrow('column "bmi" has no declared range');
  });
});

describe.each(someOf([30, 6], 2))(
  "a run at epsilon %d with columns that some declare",
  (epsilon) => {
    test("has the bits of the local fit, spends what was planned, and takes one message a round", async () => {
      const tasks = await read();
      const plan = planFor(tasks, { method: "mp-mixed", schema: SCHEMA, options: { epsilon } });
      const own = await localFit(plan, tasks);
      const sent = new Map<string, number>();
      const { models, curator, statuses } = await federate(plan, tasks, {
        participants: 4,
        watch: ({ from, message }) => {
          const { type } = decodeMessage(message);
          if (type === "upload") sent.set(from, (sent.get(from) ?? 0) + 1);
        },
      });
      for (const model of Object.values(models)) {
        expect(model.summary().coefficients).toEqual(own.summary().coefficients);
        for (const name of model.taskNames) expect(taskBits(model, name)).toBe(taskBits(own, name));
      }
      const { ledger } = curator;
      expect(ledger.toJSON()).toEqual(own.ledger!.toJSON());
      expect(ledger.entries).toHaveLength(ledger.plan!.length);
      expect(ledger.entries[0]!.label).toBe(
        epsilon > 10 ? "scale: magnitudes" : "scale: differences",
      );
      const rounds = statuses.filter(({ kind }) => kind === "closed").length;
      expect(rounds).toBe(ledger.entries.length);
      // One task of each participant at a time: what all upload is in one message.
      expect([...sent.values()]).toEqual([rounds, rounds, rounds, rounds]);
    });
  },
);

describe("sums whose vectors nobody sees", () => {
  const labels = (entries: readonly { readonly label?: string | undefined }[]) =>
    entries.map(({ label }) => label);

  thoroughTest("secure ones: next to no noise gives the models of the local fit", async () => {
    const options = { epsilon: 1e8, delta: 1e-4 };
    const types = new Set<string>();
    const { models, curator } = await secureRun(securePlan("mp-mixed", options), {
      watch: ({ message }) => types.add(decodeMessage(message).type),
    });
    expect(types).not.toContain("upload");
    const own = await localFit(planFor(secureTasks, { method: "mp-mixed", options }), secureTasks);
    const most = Math.max(...own.weights.map(Math.abs));
    for (const [name, weights] of weightsOf(models)) {
      const i = own.taskNames.indexOf(name);
      weights.forEach((w, j) => {
        expect(Math.abs(w - own.weights[i * own.d + j]!)).toBeLessThan(2e-3 * most);
      });
    }
    expect(labels(curator.ledger.entries)).toContain("scale: locations");
  });

  thoroughTest("gathered by relays: the bits of the flat run, for what was planned", async () => {
    const planned = (relays: readonly string[]) =>
      securePlan("mp-mixed", { epsilon: 15 }, {
        participants: AGGREGATION.participants.map((one, i) => {
          const relay = relays[i];
          return relay === undefined ? one : { ...one, relay };
        }),
      }); // prettier-ignore
    const flat = await secureRun(planned([]));
    const { models, curator } = await secureRun(planned(["west", "west", "east", "east"]));
    expect([...weightsOf(models)].sort()).toEqual([...weightsOf(flat.models)].sort());
    const { ledger } = curator;
    expect(labels(ledger.entries)[0]).toBe("scale: differences");
    expect(ledger.entries).toHaveLength(ledger.plan!.length);
    expect(ledger.spent().epsilon).toBeLessThanOrEqual(15);
  });
});
