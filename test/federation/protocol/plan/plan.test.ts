/** Plans: one text, one hash; what everyone must agree on is checked and shown. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalPlan,
  describePlan,
  FEDERATED_METHODS,
  makePlan,
  parsePlan,
  planHash,
  type PlanInput,
} from "../../../../src/federation/index.js";
import { plainOptions } from "../../../../src/federation/protocol/plan/plan-options.js";
import { anInteger } from "../../../../src/learning/options/kinds.js";
import { option } from "../../../../src/learning/options/option.js";
import { makeEstimator, METHOD_NAMES } from "../../../../src/learning/index.js";

const INPUT: PlanInput = { run: "schools-1", method: "mp-low-rank", features: ["age", "score"] };

describe("a plan", () => {
  test("holds every option after defaults", () => {
    const plan = makePlan(INPUT);
    expect(plan.options).toMatchObject({ epsilon: 1, rounds: 30, random: { mode: "secure" } });
    expect(plan).toMatchObject({ minimumTasks: 3, quorum: 1, deadline: 60, normalize: "none" });
  });

  test("says over how many rounds, also where that follows from the tasks", () => {
    const said = (input: Partial<PlanInput>) =>
      describePlan(makePlan({ ...INPUT, ...input })).join("\n");
    expect(said({})).toContain("over 30 rounds.");
    expect(said({ options: { rounds: 1 } })).toContain("over 1 round.");
    expect(said({ method: "mp-feature-learning" })).toContain(
      "over as many rounds as the public sizes ask for.",
    );
  });

  test("promises of noise in floating point what is proven of it, and of a seed's noise nothing", () => {
    const said = (options: object, more: Partial<PlanInput> = {}) =>
      describePlan(makePlan({ ...INPUT, ...more, options: { ...options } })).join("\n");
    const FLOATS = "its noise is drawn in floating point, for which this is proven of real numbers";
    expect(said({})).not.toContain(FLOATS);
    expect(said({ noise: "float" })).toContain(FLOATS);
    const untrusted = { curator: "untrusted", recordEpsilon: 2 };
    expect(said(untrusted)).toContain("each record is protected from it with epsilon 2.");
    expect(said({ ...untrusted, random: { mode: "seeded", seed: "s" } })).toContain(
      "each record would, with secure noise, be protected from it with epsilon 2.",
    );
  });

  test("says that a model may leave in a vector, and only of rows and targets that they stay", () => {
    const said = describePlan(makePlan(INPUT)).join("\n");
    expect(said).toContain("Rows and targets stay. A round's vector may be all of a task's model.");
    expect(said).not.toContain("models stay");
    const records = { unit: "record", scale: "unit" };
    const ofRecords = makePlan({ ...INPUT, method: "mp-mixed", options: records });
    expect(describePlan(ofRecords).join("\n")).toMatch(
      /vector made of its rows\. Rows and targets stay\.\n/,
    );
  });

  test("has one text and one hash, however it was written down", () => {
    const plan = makePlan({ ...INPUT, options: { clip: 2, epsilon: 0.1 + 0.2 } });
    const other = makePlan({
      options: { epsilon: 0.30000000000000004, clip: 2, rounds: 30 },
      features: ["age", "score"],
      method: "mp-low-rank",
      run: "schools-1",
    });
    expect(canonicalPlan(other)).toBe(canonicalPlan(plan));
    expect(planHash(other)).toBe(planHash(plan));
    expect(planHash(parsePlan(canonicalPlan(plan)))).toBe(planHash(plan));
    expect(planHash(plan)).toMatch(/^[0-9a-f]{64}$/);
  });

  test("is what its text says where it is made, to the sign of a zero, of which the text and its hash say nothing", () => {
    const participants = ["a", "b", "c"].map((name) => ({ name, identity: name.repeat(64) }));
    const options = { epsilon: 1, delta: 1e-5 };
    const plan = makePlan({ ...INPUT, options, aggregation: { participants, colluding: -0 } });
    expect(plan).toEqual(parsePlan(canonicalPlan(plan)));
    expect(plan.aggregation).toMatchObject({ colluding: 0 });
    // What it does not say has no place in its hash.
    expect(plan.aggregation).not.toHaveProperty("relays");
  });

  test("has another hash as soon as anything differs", () => {
    const plan = planHash(makePlan(INPUT));
    const changes: Partial<PlanInput>[] = [
      { run: "schools-2" },
      { method: "mp-group-sparse" },
      { features: ["score", "age"] },
      { options: { epsilon: 1.0000000000000002 } },
      { quorum: 0.9 },
      { deadline: 61 },
      { normalize: "rows" },
      { tasks: [{ name: "a", participant: "north" }] },
    ];
    for (const change of changes)
      expect(planHash(makePlan({ ...INPUT, ...change }))).not.toBe(plan);
  });

  test("survives its text for any names", () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(names, names, (features, tasks) => {
        const plan = makePlan({
          ...INPUT,
          features,
          tasks: tasks.map((name) => ({ name, participant: null })),
        });
        expect(parsePlan(canonicalPlan(plan))).toEqual(plan);
      }),
    );
  });

  test.each<[string, Partial<PlanInput>, string]>([
    ["a run with a dot", { run: "a.b" }, "run: expected"],
    ["no features", { features: [] }, "features: expected"],
    ["too many rounds", { options: { rounds: 1_000_001 } }, "options.rounds: expected at most"],
    ["a feature twice", { features: ["x", "x"] }, "features: expected"],
    ["a method without halves", { method: "dp-aggregation" }, "no halves"],
    ["an unknown method", { method: "magic" }, "method: expected one of"],
    ["a bad option", { options: { epsilon: -1 } }, "epsilon"],
    ["models for an option", { options: { initial: new Float64Array(4) } }, "initial"],
    ["labels nobody agreed on", { options: { loss: "logistic" } }, "classes: the logistic loss"],
    ["labels without a use", { classes: [0, 1] }, "the squared loss has none"],
    ["a quorum above 1", { quorum: 1.5 }, "quorum: expected"],
    ["no deadline", { deadline: 0 }, "deadline: expected"],
    [
      "too few tasks",
      { tasks: [{ name: "a", participant: null }], minimumTasks: 2 },
      "minimumTasks",
    ],
    [
      "a trimmed mean that leaves out none of so few",
      {
        method: "pmtl",
        options: { aggregate: { kind: "trimmed-mean", share: 0.1 } },
        minimumTasks: 3,
      },
      "expected at least 1, and some that are left: 10 tasks or more, or another share",
    ],
    [
      "groups that so few do not fill",
      {
        method: "pmtl",
        options: { aggregate: { kind: "median-of-means", groups: 3 } },
        minimumTasks: 5,
      },
      "options.aggregate: a median of the means of 3 groups needs 6 tasks or more",
    ],
    [
      "an owner that cannot be",
      { tasks: [{ name: "a", participant: "x y" }] },
      "participant's name",
    ],
  ])("with %s is refused", (_what, change, why) => {
    expect(() => makePlan({ ...INPUT, ...change })).toThrow(why);
  });

  test.each([
    [{ kind: "trimmed-mean", share: 0.1 }, 10],
    [{ kind: "trimmed-mean", share: 0.45 }, 3],
    // 49 times as much is rounded to less than 1.
    [{ kind: "trimmed-mean", share: 1 / 49 }, 50],
    [{ kind: "median-of-means", groups: 5 }, 10],
    [{ kind: "mean" }, 3],
  ])("asks for as many tasks as %o needs, where it does not say how many", (aggregate, fewest) => {
    const plan = makePlan({ ...INPUT, method: "pmtl", options: { aggregate } });
    expect(plan.minimumTasks).toBe(fewest);
    const fewer = () => makePlan({ ...plan, minimumTasks: fewest - 1 });
    if (aggregate.kind === "mean") expect(fewer().minimumTasks).toBe(2);
    else expect(fewer).toThrow("with so few");
  });

  test("with a field of another name is refused, and so is what is no plan", () => {
    expect(() => makePlan({ ...INPUT, qourum: 1 } as PlanInput)).toThrow("unknown qourum");
    expect(() => parsePlan("{")).toThrow("expected JSON");
    expect(() => parsePlan("[]")).toThrow("JSON object");
    expect(() => parsePlan('{"format":"mp-mtl-plan","version":2}')).toThrow("version 1");
  });

  test("asks to mind a budget that buys nothing or promises little, as a fit does", () => {
    const tasks = Array.from({ length: 3 }, (_, i) => ({ name: `t${i}`, participant: null }));
    const words = ({ options, ...change }: Partial<PlanInput>) => {
      const input = { ...INPUT, tasks, method: "mp-mixed", ...change };
      return describePlan(makePlan({ ...input, options: { scale: "unit", ...options } })).join(
        "\n",
      );
    };
    const small = words({ options: { epsilon: 1 } });
    expect(small).toMatch(
      /^Mind: at 3 tasks and 2 features a task-level epsilon of 1 buys next to/m,
    );
    const large = words({ options: { epsilon: 50 } });
    expect(large).toMatch(/^Mind: epsilon 10 or more: /m);
    expect(large).not.toContain("next to nothing");
    expect(words({ options: { epsilon: 1, delta: 0.3 } })).toMatch(/^Mind: delta 0\.3 means/m);
    expect(words({ options: { epsilon: 1, unit: "record" } })).not.toContain("Mind:");
    // Small for three tasks, and large for as many rows as there may be.
    expect(words({ options: { epsilon: 1, delta: 3e-4, unit: "record" } })).toMatch(
      /^Mind: delta 0\.0003 means that one record in 3333 may be shown whole/m,
    );
    expect(words({ options: { epsilon: 1, delta: 1e-5, unit: "record" } })).not.toContain("Mind:");
    const many = Array.from({ length: 500 }, (_, i) => ({ name: `t${i}`, participant: null }));
    expect(words({ tasks: many, options: { epsilon: 1 } })).not.toContain("Mind:");
  });

  test("says in words what leaves, what is promised and what is not", () => {
    const words = (change: Partial<PlanInput>) =>
      describePlan(makePlan({ ...INPUT, ...change })).join("\n");
    const plain = words({ options: { epsilon: 0.7, delta: 1e-5, clip: 3 } });
    for (const part of [
      "0.7",
      "0.00001",
      "norm at most 3",
      "The curator is trusted",
      "age, score",
    ]) {
      expect(plain).toContain(part);
    }
    expect(plain).not.toContain("NOT PRIVATE");
    // What is told where owners have epsilons of their own, and what votes are, is told before anyone consents.
    expect(plain).toContain("the sum over all tasks, and the largest);");
    for (const unit of ["record", "both"])
      expect(words({ method: "mp-mixed", options: { unit } })).toContain(
        "if a participant states an epsilon of its own, every task's number of rows and epsilon",
      );
    expect(plain).not.toContain("vote");
    expect(words({ options: { choice: "pooled", clip: 0.1 } })).toMatch(
      /norm at most 0\.1; and after the rounds a vote of norm at most 1/,
    );
    expect(words({ method: "mp-hierarchical" })).toContain("perhaps a vote");
    expect(words({ options: { random: { mode: "seeded", seed: 1 } } })).toContain("NOT PRIVATE");
    expect(words({ options: { curator: "untrusted", recordEpsilon: 4 } })).toContain("not trusted");
    // Nothing that does not hold is called a promise to whoever is asked to consent.
    expect(plain).toMatch(/^Promised: /m);
    expect(words({ options: { random: { mode: "seeded", seed: 1 } } })).not.toMatch(/^Promised/m);
    for (const mechanism of ["wishart", "wishart-older"]) {
      const nominal = words({ options: { mechanism } });
      expect(nominal).toMatch(
        new RegExp(`^NOT PROMISED: the noise "${mechanism}" does not give`, "m"),
      );
      expect(nominal).not.toMatch(/^Promised/m);
    }
    const publicPrior = { coefficients: { age: 1, score: 0 }, source: "census 2011" };
    const prior = words({ method: "mp-mixed", options: { publicPrior, scale: "unit" } });
    expect(prior).toContain("Starts from a prior that the plan declares public (census 2011).");
    const records = words({ method: "pmtl", options: { unit: "record", clip: 3, rounds: 5 } });
    for (const part of [
      "one vector made of its rows",
      "with respect to one record (row) of one task",
      "1/N^2 for the N rows of the tasks",
      "Not promised: protection of what is true of a whole task, and of a record from",
    ]) {
      expect(records).toContain(part);
    }
    expect(records).not.toMatch(/respect to one task|norm at most/);
    const persons = words({ method: "mp-mixed", options: { unit: "record", rowsPerPerson: 3 } });
    expect(persons).toContain("all rows of one person, at most 3 in one task");
    expect(persons).not.toContain("undefined");
    for (const method of FEDERATED_METHODS) {
      // Three tasks cannot learn what nobody declared.
      const options = method === "mp-mixed" ? { scale: "unit" } : {};
      expect(words({ method, options })).toContain(method);
    }
  });

  test("can be made for every method that has halves, and no other", () => {
    const divided = METHOD_NAMES.filter((method) => "halves" in makeEstimator(method, {}));
    expect(FEDERATED_METHODS).toEqual(divided);
  });
});

describe("an option that a later release adds", () => {
  const declarations = {
    rounds: option(anInteger({ min: 1 }), { default: 30, group: "rounds", help: "Rounds." }),
    warmth: option(anInteger({ min: 0 }), {
      default: 0,
      group: "rounds",
      help: "New.",
      later: true,
    }),
  };

  test("does not change a plan that does not set it, and is in one that does", () => {
    // What the release before it made of the same options.
    const before = plainOptions({ rounds: 30 }, { rounds: declarations.rounds });
    expect(plainOptions({ rounds: 30, warmth: 0 }, declarations)).toEqual(before);
    expect(plainOptions({ rounds: 30, warmth: 2 }, declarations)).toEqual({
      rounds: 30,
      warmth: 2,
    });
    // An option that was always there stays, whatever its value: a default may change with a release.
    expect(before).toEqual({ rounds: 30 });
  });
});
