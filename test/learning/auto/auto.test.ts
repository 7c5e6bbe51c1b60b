/**
 * What `auto` takes, from public facts alone, and that it is then that method.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { simulate, TaskSet } from "../../../src/data/index.js";
import { loadModel, saveModel } from "../../../src/model/index.js";
import {
  Auto,
  chooseMethod,
  expectedShare,
  makeEstimator,
  type ChoiceFacts,
} from "../../../src/learning/index.js";
import { gaussianMu, resolveDelta } from "../../../src/privacy/index.js";
import { makePlan, parsePlan, settleMethod } from "../../../src/federation/index.js";
import { makeTasks } from "../tasks.js";

const facts: ChoiceFacts = {
  ...({ loss: "squared", epsilon: 1, delta: "papers", declared: true } as const),
  sizes: { m: 150, d: 4, rows: 3000 },
};
const sized = (m: number, d: number): ChoiceFacts => ({ ...facts, sizes: { m, d, rows: 20 * m } });

describe("models that are to be given away", () => {
  const ownModel = "noisy" as const;

  test.each([
    ["every task learns alone", { m: 3, d: 3 }, {}, "single-task"],
    ["no method hides records with that loss", { m: 3, d: 3 }, { loss: "logistic" }, "single-task"],
    ["the method taken makes models of own rows", { m: 160, d: 30 }, { unit: "task" }, "mp-hierarchical"], // prettier-ignore
  ] as const)("are refused where %s", async (_why, { m, d }, more, taken) => {
    const x = (i: number, k: number) => Array.from({ length: d }, (_, j) => Math.sin(i + 7 * k + j * j)); // prettier-ignore
    const tasks = Array.from({ length: m }, (_, i) => ({
      name: `t${i}`,
      x: Array.from({ length: 4 }, (_, k) => x(i, k)),
      y: Array.from({ length: 4 }, (_, k) => (i + k) % 2),
    }));
    const options = { loss: "squared", unit: "record", ...more } as const;
    expect(new Auto(options).choose(TaskSet.from(tasks)).method).toBe(taken);
    const asked = new Auto({ ...options, ownModel }).fit(TaskSet.from(tasks));
    await expect(asked).rejects.toThrow(`and ${taken}, which auto takes here, makes models of`);
  });

  test("are made where the method taken keeps the promise, and refused in plans where none does", () => {
    const input = { run: "r", method: "auto", features: ["a", "b"], minimumTasks: 400 };
    const options = { unit: "record", scale: "unit", epsilon: 3 };
    expect(settleMethod({ ...input, options: { ...options, ownModel } })).toMatchObject({
      method: "mp-mixed",
      options: { ownModel },
    });
    const many = { ...input, features: Array.from({ length: 30 }, (_, j) => `x${j}`) };
    const undeclared = { ...many, options: { epsilon: 0.5 } };
    expect(settleMethod(undeclared).method).toBe("mp-hierarchical");
    const asked = { ...undeclared, options: { ...undeclared.options, ownModel } };
    expect(() => settleMethod(asked)).toThrow('ownModel: "noisy" hides records');
    const hidden = { ...many, options: { unit: "record", epsilon: 3 } };
    expect(() => settleMethod(hidden)).toThrow("auto finds nothing to federate: nobody declared");
  });
});

describe("the choice", () => {
  test("few columns with declared ranges: the mixed model, for numbers and for two classes", () => {
    expect(chooseMethod(facts)).toMatchObject({ method: "mp-mixed" });
    expect(chooseMethod({ ...facts, loss: "logistic" })).toMatchObject({ method: "mp-mixed" });
  });

  test("many undeclared columns of numbers: hierarchical learning, as tables are; a declared table, labels: the mixed model", () => {
    const undeclared = { ...sized(160, 30), declared: false };
    expect(chooseMethod(undeclared)).toMatchObject({
      method: "mp-hierarchical",
      options: { priorStrength: "wide" },
    });
    expect(chooseMethod({ ...undeclared, unit: "record" }).method).not.toBe("mp-hierarchical");
    // Where all three votes on every column can be paid the mixed model is ahead, unless a task has a row for every two features.
    const paid = { ...undeclared, epsilon: 3 };
    const rows = (perTask: number) => ({ ...paid, sizes: { m: 160, d: 30, rows: 160 * perTask } });
    expect(chooseMethod(rows(14)).method).toBe("mp-mixed");
    expect(chooseMethod(rows(15)).method).toBe("mp-hierarchical");
    expect(chooseMethod({ ...sized(160, 30), epsilon: 3 }).method).toBe("mp-mixed");
    expect(chooseMethod({ ...sized(900, 30), declared: false, loss: "logistic" }).method).toBe(
      "mp-mixed",
    );
  });

  test("three tasks at a small budget: alone, and the sentence says that noise would drown them", () => {
    const { method, why, share } = chooseMethod({ ...sized(3, 8), epsilon: 0.1 });
    expect([method, share]).toEqual(["single-task", 0]);
    expect(why).toContain("3 tasks with 8 features buy next to nothing at epsilon 0.1");
  });

  test("few tasks of many rows: that hiding rows would be worth it, where it would", () => {
    const few = { ...facts, delta: 1e-5, sizes: { m: 3, d: 4, rows: 3000 } };
    const { method, why } = chooseMethod(few);
    expect(method).toBe("single-task");
    const { share } = chooseMethod({ ...few, unit: "record" });
    expect(share).toBeGreaterThan(0.1);
    expect(why).toContain("(--unit record, ");
    expect(why).toContain(`keep about ${Math.round(100 * share)} %`);
    const scarce = { ...few, sizes: { m: 3, d: 4, rows: 12 } };
    for (const unit of ["task", "record"] as const) {
      expect(chooseMethod({ ...scarce, unit }).why).not.toContain("--unit record");
    }
  });

  test.each([
    ["too many numbers", { ...sized(2000, 30), loss: "softmax", classes: 10 }, /: a mixed model of .* more numbers than are kept unasked; take fewer/], // prettier-ignore
    ["its unit", { unit: "record" }, /is for the unit "task"; the unit is record/],
    ["weighted rows", { loss: "logistic", rows: { weighted: true, sparse: false } }, /logistic loss on weighted rows of 4 features/], // prettier-ignore
    ["the delta", { delta: 0 }, /squared loss at this delta/],
  ] as const)(
    "a public prior that nothing can start from is refused for %s",
    (_why, more, says) => {
      const choose = () => chooseMethod({ ...facts, ...more, hasPrior: true });
      expect(choose).toThrow("publicPrior: ");
      expect(choose).toThrow(says);
    },
  );

  test("what hides tasks and single records is not said to hide records alone", () => {
    const why = (unit: "record" | "both") => chooseMethod({ ...facts, unit }).why;
    expect(why("record")).toMatch(/records are hidden one by one\b(?!, beside)/);
    expect(why("both")).toContain("records are hidden one by one, beside whole tasks");
  });

  test("sizes that nobody declared and the budget cannot learn: alone, with the remedy", () => {
    const { method, why } = chooseMethod({ ...sized(20, 10), declared: false });
    expect(method).toBe("single-task");
    expect(why).toContain("--ranges");
  });

  test("only columns whose size is not known count: a wide table with three of them is a table, and the reason has what their votes cost", () => {
    const sizes = { m: 400, d: 30, rows: 4000, undeclared: [0, 7, 30] };
    const { method, why } = chooseMethod({ ...facts, sizes, declared: false });
    expect(method).toBe("mp-mixed");
    const mu = gaussianMu(1, resolveDelta("papers", 400));
    const part = (3.5 * 6) / (mu * 0.12 * 400) ** 2;
    expect(part).toBeGreaterThan(0.06);
    expect(why).toContain(
      `${Math.round(100 * part)} % of the budget going to learn how large columns are`,
    );
    const target = { sizes: { ...sizes, undeclared: [30] }, declared: false };
    expect(chooseMethod({ ...facts, ...target, unit: "record" }).why).toContain(
      "how large one column is",
    );
    // Labels have no size to be learned.
    expect(chooseMethod({ ...facts, ...target, loss: "logistic" }).why).toContain(
      "with declared ranges",
    );
  });

  test("a few columns that were forgotten are said to be what the budget goes to, or why nothing is shared", () => {
    const sizes = { m: 45, d: 17, rows: 700 };
    const forgotten = { ...facts, delta: "auto", sizes: { ...sizes, undeclared: [10] } } as const;
    const declared = { ...facts, delta: "auto", sizes: { ...sizes, undeclared: [] } } as const;
    expect(chooseMethod(declared).method).toBe("mp-mixed");
    const { method, why } = chooseMethod({ ...forgotten, declared: false });
    expect(method).toBe("single-task");
    expect(why).toMatch(/nobody declared how large one column is, and what is left.*--ranges/);
    const paid = chooseMethod({ ...forgotten, declared: false, epsilon: 3 });
    expect(paid.method).toBe("mp-mixed");
    expect(paid.why).toContain("nobody declared ranges of 1 of 18 columns (--ranges)");
    // Where declaring would not help, nobody is told to.
    const few = { ...forgotten, sizes: { ...sizes, m: 4, rows: 80, undeclared: [10] } };
    expect(chooseMethod({ ...few, declared: false }).why).toContain("buy next to nothing at");
  });

  test("ranges are called declared only where they are, and not where columns are said to be of unit size", () => {
    const why = (undeclared: number[], loss: "squared" | "logistic") =>
      chooseMethod({ ...facts, loss, sizes: { ...facts.sizes, undeclared } }).why;
    expect(why([], "squared")).toContain("with declared ranges");
    expect(why([1], "squared")).toContain("with columns that are said to be of about unit size");
    expect(why([4], "squared")).toContain("about unit size");
    expect(why([4], "logistic")).toContain("with declared ranges");
  });

  test("a remedy is only for what it would help: else the sentence is on the noise", () => {
    const drowned = "buy next to nothing at epsilon 1";
    const undeclared = { ...facts, delta: 1e-5, declared: false };
    const few = { m: 3, d: 7, rows: 60 };
    expect(chooseMethod({ ...undeclared, sizes: few }).why).toContain(drowned);
    const records = { unit: "record", sizes: { m: 2, d: 40, rows: 8 } } as const;
    expect(chooseMethod({ ...undeclared, ...records }).why).toContain(
      "noise that hides one record",
    );
    // Many columns speak for feature learning, which is not taken here.
    const wide = { m: 60, d: 300, rows: 1200 };
    expect(chooseMethod({ ...undeclared, sizes: wide }).why).toContain(drowned);
  });

  test("several classes share the budget, and may be too many for their features", () => {
    const of = (classes: number, more: object = {}) =>
      chooseMethod({ ...facts, ...more, loss: "softmax", classes });
    const two = chooseMethod({ ...facts, loss: "logistic" });
    expect(of(3)).toMatchObject({ method: "mp-mixed" });
    expect(of(3).share).toBeLessThan(two.share);
    expect(of(9).share).toBeLessThan(of(3).share);
    const { m, d } = facts.sizes;
    const mu = gaussianMu(facts.epsilon, resolveDelta(facts.delta, m));
    // The budget of each of nine is that of each of three at a third of its square.
    const same = { mu: mu / Math.sqrt(3), m, d, classes: 3, rowsPerTask: 20 };
    expect(of(9).share).toBeCloseTo(expectedShare(same), 12);
    const wide = of(10, { epsilon: 100, sizes: { m: 400, d: 200, rows: 8000 } });
    expect(wide).toMatchObject({ method: "single-task", share: 0 });
    expect(wide.why).toMatch(/10 classes and 200 features .* take fewer features/);
  });

  test("no delta, weights, one task: alone, with the reason", () => {
    expect(chooseMethod({ ...facts, delta: 0 }).why).toContain("goes with delta 0;");
    const weighted = { rows: { weighted: true, sparse: false }, loss: "logistic" } as const;
    expect(chooseMethod({ ...facts, ...weighted }).why).toContain("goes with weights of rows;");
    expect(chooseMethod({ ...sized(1, 3), delta: 1e-5 }).why).toContain("one task only");
  });

  test("the expected share grows with tasks and budget, falls with features, and stays within [0, 1]", () => {
    const signals = [0, 0.1, 0.4, 1, 2, 5, 20, 90, 1e9];
    const shares = signals.map((mu) => expectedShare({ mu, m: 3, d: 2 }));
    shares.forEach((share, k) => {
      expect(share).toBeGreaterThanOrEqual(shares[k - 1] ?? 0);
      expect(share).toBeLessThan(1);
    });
    expect(expectedShare({ mu: 1, m: 100, d: 3 })).toBeGreaterThan(
      expectedShare({ mu: 1, m: 100, d: 30 }),
    );
    expect(expectedShare({ mu: Infinity, m: 1, d: 1 })).toBe(0);
  });

  test("of labels it grows with rows up to six a task too, falls with classes, and is less than of numbers where tasks are many", () => {
    const sizes = fc.record({
      mu: fc.double({ min: 0.02, max: 4, noNaN: true }),
      m: fc.integer({ min: 2, max: 2000 }),
      d: fc.integer({ min: 1, max: 60 }),
      classes: fc.integer({ min: 2, max: 8 }),
      rowsPerTask: fc.double({ min: 1, max: 40, noNaN: true }),
    });
    fc.assert(
      fc.property(sizes, fc.double({ min: 1, max: 3, noNaN: true }), (one, more) => {
        const share = expectedShare(one);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(0.9);
        const better = [{ mu: one.mu * more }, { m: Math.ceil(one.m * more) }, { rowsPerTask: one.rowsPerTask * more }]; // prettier-ignore
        for (const of of better)
          expect(expectedShare({ ...one, ...of })).toBeGreaterThanOrEqual(share);
        for (const of of [{ d: one.d + 3 }, { classes: one.classes + 1 }])
          expect(expectedShare({ ...one, ...of })).toBeLessThanOrEqual(share);
        // Rows beyond six a task make no difference; where nothing is known of them they are four.
        const [six, unknown] = [
          { ...one, rowsPerTask: 6 },
          { ...one, rowsPerTask: undefined },
        ];
        expect(expectedShare({ ...one, rowsPerTask: 6 * more })).toBe(expectedShare(six));
        expect(expectedShare(unknown)).toBe(expectedShare({ ...one, rowsPerTask: 4 }));
      }),
      { seed: 3 },
    );
    const many = { mu: 1, m: 400, d: 5, rowsPerTask: 20 };
    expect(expectedShare({ ...many, classes: 2 })).toBeLessThan(expectedShare(many));
  });

  test("labels of two classes are shared where anything is promised, of several from 3 % on, numbers from a tenth on", () => {
    const at = (loss: "squared" | "logistic" | "softmax", m: number, epsilon: number) =>
      chooseMethod({ ...facts, loss, classes: 3, epsilon, sizes: { m, d: 8, rows: 10 * m } });
    const { method, share } = at("logistic", 40, 0.3);
    expect([method, share < 0.1]).toEqual(["mp-mixed", true]);
    for (const loss of ["logistic", "softmax"] as const) {
      expect(at(loss, 4, 0.05)).toMatchObject({ method: "single-task", share: 0 });
    }
    const several = [20, 30, 40, 60, 80, 120, 200].map((m) => {
      const promised = expectedShare({
        mu: gaussianMu(1, resolveDelta("papers", m)),
        m,
        d: 8,
        classes: 3,
        rowsPerTask: 10,
      });
      return [at("softmax", m, 1).method, promised >= 0.03 ? "mp-mixed" : "single-task"];
    });
    for (const [taken, expected] of several) expect(taken).toBe(expected);
    expect(new Set(several.map(([taken]) => taken)).size).toBe(2);
    const numbers = at("squared", 20, 0.1);
    expect(numbers).toMatchObject({ method: "single-task", share: 0 });
  });
});

test("the choice knows whether rows have weights, never whether these differ", () => {
  const rows = [...makeTasks({ m: 40, d: 3, rows: () => 6 })];
  const weighted = (weightOf: (task: number) => number) =>
    TaskSet.from(
      rows.map(({ name, x, y }, i) => ({
        name,
        x,
        y: y.map((value) => (value > 0 ? 1 : -1)),
        weights: Array.from(y, (_, row) => (row === 0 ? weightOf(i) : 1)),
      })),
    );
  const auto = new Auto({ epsilon: 3, loss: "logistic" });
  const [alike, one] = [weighted(() => 1), weighted((i) => (i === 7 ? 2 : 1))];
  expect(auto.choose(one)).toEqual(auto.choose(alike));
});

test("it fits what it names, to the bit, and the file says why", async () => {
  const { train } = simulate({ pattern: "low-rank", tasks: 60, features: 24, seed: 3 });
  const options = {
    epsilon: 3,
    delta: "papers",
    random: { mode: "seeded", seed: "auto" },
  } as const;
  const model = await new Auto(options).fit(train);
  const named = await makeEstimator("mp-hierarchical", {
    ...options,
    priorStrength: "wide",
  }).fit(train);
  expect(model.weights).toEqual(named.weights);
  expect(model.method).toBe("mp-hierarchical");
  expect(model.choice).toMatchObject({ asked: "auto" });
  expect(loadModel(saveModel(model)).choice).toEqual(model.choice);
  expect(named.choice).toBeNull();
});

test("alone nothing is released, and nothing is promised", async () => {
  const tasks: TaskSet = makeTasks({ m: 3, d: 6, rows: () => 8 });
  const model = await new Auto({ epsilon: 0.1 }).fit(tasks);
  expect(model).toMatchObject({ method: "single-task", guarantee: { kind: "none" } });
});

describe("a federation's plan", () => {
  const input = { run: "r", method: "auto", features: ["a", "b"], minimumTasks: 100 };

  test("holds the method that was found before the start", () => {
    const given = { ...input, options: { epsilon: 3, scale: "declared" } };
    const { method, why } = settleMethod(given);
    expect(method).toBe("mp-mixed");
    expect(why).toContain("declared ranges");
    expect(makePlan(given)).toMatchObject({ method, options: { epsilon: 3, scale: "declared" } });
  });

  test("takes what auto takes where no method is named, also from its text; the plan names the method that was taken", () => {
    const { method: _, ...unnamed } = input;
    expect(settleMethod(unnamed)).toEqual(settleMethod(input));
    expect(settleMethod(unnamed).why).toContain("100 tasks with 2 features");
    const plan = makePlan(unnamed);
    expect(plan).toEqual(makePlan(input));
    expect(plan.method).toBe("mp-mixed");
    expect(parsePlan(JSON.stringify(unnamed))).toEqual(plan);
    // A plan that was made stays what it is, whatever "auto" would take later.
    expect(settleMethod(plan)).toMatchObject({ method: "mp-mixed", why: null });
    const alone = { ...unnamed, minimumTasks: 2, options: { epsilon: 0.1, scale: "unit" } };
    expect(() => makePlan(alone)).toThrow("auto finds nothing to federate");
  });

  test("takes what learns the size of columns that nobody declared, and says what that costs", () => {
    const { method, why } = settleMethod(input);
    expect(method).toBe("mp-mixed");
    expect(why).toMatch(/with \d+ % of the budget going to learn .* ranges in the plan's schema/);
    expect(makePlan(input)).toMatchObject({ method, options: { scale: "auto" } });
  });

  test("is refused where nothing can be had, saying what to do", () => {
    const few = { ...input, minimumTasks: 12, options: { epsilon: 3 } };
    expect(() => makePlan(few)).toThrow('scale: "declared"');
    expect(() =>
      makePlan({ ...input, minimumTasks: 2, options: { epsilon: 0.1, scale: "unit" } }),
    ).toThrow("nothing to federate");
  });
});
