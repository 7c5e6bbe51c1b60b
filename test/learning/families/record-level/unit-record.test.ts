/** The record-level baselines where the budget is of one record: exact accounts, sensitivities, and what they refuse. */
import { describe, expect, test } from "vitest";
import { Pipeline, TaskSet } from "../../../../src/data/index.js";
import { audit, Auto, DpAggregation, DpTaskRelationship, MpMixed } from "../../../../src/learning/index.js"; // prettier-ignore
import { gaussianEpsilon } from "../../../../src/privacy/index.js";
import type { RandomOptions } from "../../../../src/random/index.js";
import { makeLabelled, makeTasks } from "../../tasks.js";
import { thoroughTest } from "../../../thorough.js";

const [m, n] = [8, 10];
const unit = "record" as const;
const random = { mode: "seeded", seed: "unit" } as const;
const scaled = (tasks: TaskSet) => Pipeline.fit(tasks, [{ kind: "unit-rows" }]).apply(tasks);
const labelled = scaled(makeLabelled({ m, d: 3, rows: () => n }));
const numbers = scaled(makeTasks({ m, d: 3, rows: () => n }));

describe.each([
  ["logistic", labelled],
  ["squared", numbers],
] as const)("%s loss", (loss, tasks) => {
  const base = { unit, loss, epsilon: 1, delta: 1e-5, lambda: 0.5, random } as const;

  test("one release of the average costs what the closed form says, and nothing is lifted", async () => {
    const { guarantee, ledger } = await new DpAggregation(base).fit(tasks);
    expect(guarantee).toMatchObject({ unit: "record", epsilon: 1, delta: 1e-5, sound: true });
    expect(guarantee.record).toBeUndefined();
    expect(ledger!.entries).toHaveLength(1);
    const { sigma } = ledger!.plan![0] as { sigma: number };
    // A mean of losses with slopes within 1 and rows within 1: 2 / (n lambda) of a model, of which the average has 1 / m.
    const exact = gaussianEpsilon(2 / (n * base.lambda) / m / sigma, 1e-5);
    expect(exact).toBeLessThanOrEqual(1);
    expect(exact).toBeGreaterThan(0.999);
    const lifted = await new DpAggregation({ ...base, unit: "task" }).fit(tasks);
    expect((lifted.ledger!.plan![0] as { sigma: number }).sigma).toBeGreaterThan(n * sigma);
  });

  test("another record moves the exact average by at most the sensitivity", async () => {
    const averageOf = async (data: TaskSet) => {
      let found: Float64Array | undefined;
      await new DpAggregation(base).fit(data, {
        observe: ({ stage, values }) => {
          if (stage === "exact") found = Float64Array.from(values);
        },
      });
      return found!;
    };
    const before = await averageOf(tasks);
    for (const row of [0, 4, n - 1]) {
      const other = TaskSet.from(
        [...tasks].map(({ name, x, y }, i) => ({
          name,
          x: Float64Array.from(x, (value, at) =>
            i === 2 && Math.floor(at / 3) === row ? (at % 3 === 1 ? -1 : 0) : value,
          ),
          // Labels of a task set are 0 and 1.
          y: Float64Array.from(y, (value, k) =>
            i === 2 && k === row ? (loss === "logistic" ? 1 - value : 50) : value,
          ),
        })),
      );
      const after = await averageOf(other);
      const moved = Math.hypot(...before.map((value, j) => value - after[j]!));
      expect(moved).toBeGreaterThan(0);
      expect(moved).toBeLessThanOrEqual((2 / (n * base.lambda) / m) * (1 + 1e-5));
    }
  });
});

describe("who is protected from whom", () => {
  const secure = { unit, loss: "logistic", epsilon: 1, random: { mode: "secure" } } as const;
  const of = (
    model: { protection: readonly { of: string; against: string; epsilon: number | null }[] },
    against: string,
  ) =>
    // prettier-ignore
    model.protection.find((line) => line.of === "record" && line.against === against)!.epsilon;

  test("a record from everyone who gets models, but with a fallback not from its own task's", async () => {
    const model = await new DpAggregation(secure).fit(labelled);
    expect(model.guarantee.delta).toBe(1e-5);
    expect(model.recordGuarantee).toMatchObject({ against: "own model", epsilon: 1 });
    for (const against of ["other tasks", "own model", "all models"]) {
      expect(of(model, against)).toBe(1);
      expect(of(model.forTask("task-0"), against)).toBe(1);
    }
    expect(of(model, "curator")).toBeNull();
    const alone = await new DpTaskRelationship({ ...secure, safeguard: true }).fit(labelled);
    expect(of(alone, "other tasks")).toBe(1);
    expect(of(alone, "own model")).toBeNull();
    expect(alone.protection.filter(({ of }) => of === "task").every(({ epsilon }) => epsilon === null)).toBe(true); // prettier-ignore
  });

  test("the default delta is of all records", async () => {
    const { guarantee } = await new DpAggregation({ ...secure, delta: "papers" }).fit(labelled);
    expect(guarantee.delta).toBeCloseTo(1 / (m * n * Math.log(m * n)), 12);
  });
});

describe("what cannot be kept is refused, and named where it can be", () => {
  test("rows that depend on each other, several rows of a person", async () => {
    const tied = Pipeline.fit(numbers, [{ kind: "standardize", scope: "task" }, { kind: "unit-rows" }]).apply(numbers); // prettier-ignore
    const fit = (data: TaskSet) => new DpAggregation({ unit, random }).fit(data);
    await expect(fit(tied)).rejects.toThrow(/^unit "record" protects single records/);
    const persons = TaskSet.from(
      [...numbers].map(({ name, x, y }) => ({
        name,
        x,
        y,
        persons: Array.from(y as ArrayLike<number>, () => "one"),
      })),
    );
    await expect(fit(persons)).rejects.toThrow(/^persons: some person/);
  });

  test("auto and mp-mixed say which method hides records with the logistic loss", () => {
    expect(() => new MpMixed({ unit, loss: "logistic" })).toThrow("dp-aggregation");
    const auto = new Auto({ unit, loss: "logistic", scale: "unit" }).choose(labelled);
    expect(auto.method).toBe("single-task");
    expect(auto.why).toContain("--method dp-aggregation --unit record");
  });
});

describe("audit of single records", () => {
  const audited = (factor: number) =>
    audit({
      estimator: (noise: RandomOptions) => {
        const given = { unit, loss: "logistic", delta: 0.01, lambda: 1, random: noise } as const;
        const honest = new DpAggregation({ ...given, epsilon: 0.5 });
        if (factor === 1) return honest;
        // A planted fault: the noise of a budget so many times as large, under the smaller claim.
        const loud = new DpAggregation({ ...given, epsilon: 0.5 * factor });
        return Object.assign(honest, {
          fit: async (...of: Parameters<typeof loud.fit>) => {
            const model = await loud.fit(...of);
            return model.withGuarantee({ ...model.guarantee, epsilon: 0.5 }, model.ledger!);
          },
        });
      },
      tasks: scaled(makeLabelled({ m: 2, d: 3, rows: () => 3 })),
      trials: 150,
      confidence: 0.999,
      random: { mode: "seeded", seed: "baseline" },
    });

  // Fixed seeds. The audit of a sound fit alarms with probability at most 0.001.
  thoroughTest(
    "a sound fit passes, and noise that is too small is found",
    async () => {
      expect(await audited(1)).toMatchObject({ verdict: "consistent" });
      expect((await audited(200)).verdict).toBe("violated");
    },
    120_000,
  );
});
