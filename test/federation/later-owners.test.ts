/** An owner who comes after a federated run: a model of its own from the shared prior of any participant, and from its own rows. */
import { expect, test } from "vitest";
import { tableFrom, tasksFromTable, TaskSet, type DataSchema } from "../../src/data/index.js";
import { fitNewTask, sharedPrior, SingleTask, type SharedPrior } from "../../src/learning/index.js";
import type { Guarantee } from "../../src/privacy/index.js";
import { generator } from "../../bench/uniform-draws.js";
import {
  makePlan,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  runCurator,
} from "../../src/federation/index.js";
import { federate, joinAll, localFit, planFor, settle, taskBits } from "./runs.js";
import { someOf } from "../thorough.js";

const LABELS = ["no", "yes"] as const;

/** Tasks with two slopes that are nearly common, and levels of their own; of numbers or of two labels. */
function drawn(m: number, loss: "squared" | "logistic", seed: number) {
  const { uniform, normal } = generator(seed);
  const task = (name: string) => {
    const [a, b, level] = [0.9 + 0.05 * normal(), -0.6 + 0.05 * normal(), 0.3 * normal()];
    const rows = (n: number) => {
      const x = Array.from({ length: n }, () => [2 * uniform() - 1, 2 * uniform() - 1]);
      const score = x.map(([u, v]) => level + a * u! + b * v!);
      const y =
        loss === "squared"
          ? score.map((value) => value + 0.3 * normal())
          : score.map((value) => LABELS[Number(uniform() < 1 / (1 + Math.exp(-4 * value)))]!);
      return { name, x, y };
    };
    return { train: rows(5), held: rows(40) };
  };
  const all = Array.from({ length: m }, (_, i) => task(`owner ${i}`));
  const setOf = (part: "train" | "held") =>
    TaskSet.from(
      all.map((one) => one[part]),
      loss === "squared" ? {} : { labels: [...LABELS] },
    );
  return { train: setOf("train"), held: setOf("held") };
}

/** What is sent to an owner: text. */
const sent = (prior: SharedPrior) => {
  const text = JSON.stringify(prior, (_, value: unknown) =>
    value instanceof Float64Array ? Array.from(value) : value,
  );
  return { text, received: JSON.parse(text) as SharedPrior };
};

test.each(someOf(["squared", "logistic"] as const, 2))(
  "%s loss: whichever participant gives the prior, it is the local fit's model; better than learning alone, with the run's guarantee",
  async (loss) => {
    const { train, held } = drawn(90, loss, 12);
    const inRun = train.select(train.names.slice(0, 60));
    const later = train.names.slice(60);
    const own = train.select(later);
    const options = { epsilon: 8, scale: "unit", loss };
    const plan = planFor(inRun, {
      method: "mp-mixed",
      options,
      ...(loss === "logistic" ? { classes: [...LABELS] } : {}),
    });
    const { models } = await federate(plan, inRun);
    const priors = Object.values(models).map((model) => sent(sharedPrior(model)));
    expect(new Set(priors.map(({ text }) => text)).size).toBe(1);
    // Nothing of who gave it.
    for (const name of inRun.names) expect(priors[0]!.text).not.toContain(JSON.stringify(name));

    const model = fitNewTask(priors[0]!.received, own);
    const local = fitNewTask(sharedPrior(await localFit(plan, inRun)), own);
    for (const name of later) expect(taskBits(model, name)).toBe(taskBits(local, name));
    // The same solve as in the run: of a task of p1 with what p0 gives.
    const [name] = models["p1"]!.taskNames;
    const again = fitNewTask(priors[0]!.received, inRun.select([name!]));
    expect(taskBits(again, name!)).toBe(taskBits(models["p1"]!, name!));

    const { epsilon, delta } = models["p0"]!.guarantee as { epsilon: number; delta: number };
    expect(model.guarantee).toMatchObject({ epsilon, delta });
    expect(model.guarantee.later).toBeDefined();
    const alone = await new SingleTask({ loss }).fit(own);
    const after = held.select(later);
    const error = loss === "squared" ? "nmse" : "logLoss";
    expect(model.score(after)[error]!).toBeLessThan(0.9 * alone.score(after)[error]!);
  },
);

test("a prior of tables names nobody who gave it, and says which ranges its giver's own rows told", async () => {
  const { uniform, normal } = generator(5);
  // As `join` reads a table without a column of tasks: all rows are its owner's.
  const read = (owner: string, declared: boolean) => {
    const age = Array.from({ length: 6 }, () => 20 + 60 * uniform());
    const table = tableFrom({ age, score: age.map((x) => x / 50 - 1 + 0.3 * normal()) });
    const [least, most] = [Math.min(...age), Math.max(...age)];
    const range: [number, number] = declared ? [18, 90] : [least, most];
    const schema: DataSchema = {
      target: { column: "score", kind: "number", range: [-3, 3] },
      columns: { age: { kind: "number", range, ...(declared ? {} : { declared: false }) } },
    };
    return tasksFromTable(table, { task: { name: owner }, schema }).tasks;
  };
  const owners = Array.from({ length: 12 }, (_, i) => `owner-${i}`);
  const sets = owners.map((owner, i) => read(owner, i > 0));
  const plan = makePlan({
    run: "test",
    method: "mp-mixed",
    features: ["age"],
    tasks: owners.map((name) => ({ name, participant: null })),
    options: {
      epsilon: 8,
      scale: "declared",
      delta: 1e-3,
      random: { mode: "seeded", seed: "later" },
    },
  });
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const curator = runCurator({
    plan,
    transport: network.curator(),
    store: new MemoryStore(),
    clock,
  });
  const tasks = Object.fromEntries(owners.map((name, i) => [name, sets[i]!]));
  const [, models] = await settle(
    clock,
    Promise.all([curator, Promise.all(joinAll({ plan, clock, network, tasks }))]),
  );
  const what = 'range of the column "age" observed over all tasks';
  models.forEach((model, i) => {
    const { text, received } = sent(sharedPrior(model));
    expect(text).not.toContain(owners[i]!);
    for (const { guarantee } of [model, received]) {
      expect((guarantee as Guarantee).notCharged.includes(what)).toBe(i === 0);
    }
    expect(model.summary().notCharged).toEqual(i === 0 ? [what] : []);
  });
});
