import { expect, test } from "vitest";
import { summaryLines } from "../../../src/cli/fitted/summary-text.js";
import { TaskSet } from "../../../src/data/index.js";
import { MpMixed } from "../../../src/learning/index.js";
import { generator } from "../../learning/families/mixed/tasks.js";

test.each(["squared", "logistic"] as const)(
  "of %s loss people are told how far an effect may be off whose column nobody declared",
  async (loss) => {
    const normal = generator(7);
    const tasks = Array.from({ length: 20 }, (_, i) => {
      const x = Array.from({ length: 4 }, () => [normal()]);
      const y = x.map(([a]) => a! + normal());
      return { name: `${i}`, x, y: loss === "squared" ? y : y.map((value) => +(value > 0)) };
    });
    const model = await new MpMixed({
      loss,
      scale: "unit",
      epsilon: 1,
      delta: 1e-3,
      random: { mode: "seeded", seed: "told" },
    }).fit(TaskSet.from(tasks));
    // Seeded noise hides nothing, and notes are of models that are charged for.
    const text = summaryLines({ ...model.summary(), charged: true }).join("\n");
    const [own, other] = ["by two or three of these standard errors", "several of these"];
    expect(text.includes(own)).toBe(loss === "squared");
    expect(text.includes(other)).toBe(loss === "logistic");
  },
);
