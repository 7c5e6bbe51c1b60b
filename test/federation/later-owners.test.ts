/** An owner who comes after a federated run: a model of its own from the shared prior of any participant, and from its own rows. */
import { expect, test } from "vitest";
import { TaskSet } from "../../src/data/index.js";
import { fitNewTask, sharedPrior, SingleTask, type SharedPrior } from "../../src/learning/index.js";
import { generator } from "../learning/uniform-draws.js";
import { federate, localFit, planFor, taskBits } from "./runs.js";

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

test.each(["squared", "logistic"] as const)(
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
