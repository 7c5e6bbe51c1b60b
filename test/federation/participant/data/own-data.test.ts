/** What a method refuses of a participant's own tasks it finds out before it registers. */
import { expect, test } from "vitest";
import { TaskSet } from "../../../../src/data/index.js";
import {
  decodeMessage,
  joinRun,
  makePlan,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  type PlanInput,
} from "../../../../src/federation/index.js";
import { requireOwnTasks } from "../../../../src/federation/participant/data/own-tasks.js";
import { prepareData } from "../../../../src/federation/participant/data/participant-data.js";
import { settle } from "../../runs.js";

const tasksOf = (x = 1, persons?: string[]) =>
  TaskSet.from(
    [{ name: "a", x: [[0.5], [x], [0]], y: [1, 0, 1], ...(persons ? { persons } : {}) }],
    { featureNames: ["age"], targetRange: [0, 1] },
  );
const planOf = (method: string, options: object, input: Partial<PlanInput> = {}) =>
  makePlan({
    run: "test",
    method,
    features: ["age"],
    ...input,
    options: { delta: 1e-3, ...options },
  });

const prior = { coefficients: { height: 1 } };
test.each<[string, string, object, TaskSet, string]>([
  [
    "no range where the method needs one",
    "mp-mixed",
    { scale: "declared" },
    tasksOf(),
    'column "age" has no declared range',
  ],
  [
    "no range where records are hidden",
    "mp-feature-learning",
    { unit: "record" },
    tasksOf(),
    'column "age" has no declared range',
  ],
  ["another public prior", "mp-mixed", { scale: "unit", publicPrior: prior }, tasksOf(), "height"],
  [
    "more rows of a person than the bound",
    "pmtl",
    { unit: "record", clip: 1 },
    tasksOf(1, ["p", "p", "q"]),
    "person",
  ],
  [
    "more rows of a person, mixed model",
    "mp-mixed",
    { unit: "record", scale: "unit" },
    tasksOf(1, ["p", "p", "q"]),
    "person",
  ],
  [
    "a value beyond Float32",
    "pmtl",
    { clip: 1, rowPrecision: "float32" },
    tasksOf(1e39),
    'task "a", row 1, column "age"',
  ],
])("%s is refused (%s)", (_what, method, options, tasks, why) => {
  expect(() => prepareData(tasks, planOf(method, options))).toThrow(why);
});

test("the same rows are taken where nothing forbids them", () => {
  for (const [method, options] of [
    ["mp-mixed", { scale: "unit" }],
    ["mp-feature-learning", {}],
    ["pmtl", { clip: 1, rowPrecision: "float32" }],
  ] as const) {
    expect(prepareData(tasksOf(), planOf(method, options)).data.m).toBe(1);
  }
  // Scaled by the plan, rows are of a size that is known.
  expect(
    prepareData(tasksOf(), planOf("mp-mixed", { scale: "declared" }, { normalize: "rows" })).data.m,
  ).toBe(1);
});

test("a task that the plan gives to another is named", () => {
  const planned = (participant: string | null) => planOf("pmtl", { clip: 1 }, { tasks: [{ name: "a", participant }, { name: "b", participant: "q" }], minimumTasks: 2 }); // prettier-ignore
  expect(() => requireOwnTasks(["a"], "p", planned("q"))).toThrow(
    'task "a": the plan gives it to "q", not to "p"; is this the right table?',
  );
  for (const participant of ["p", null]) requireOwnTasks(["a"], "p", planned(participant));
  // One that comes later, or of a plan that names none.
  requireOwnTasks(["late"], "p", planned("q"));
  requireOwnTasks(["a"], "p", planOf("pmtl", { clip: 1 }));
  const composed = { tasks: [{ name: "caf\u00e9", participant: "p" }] };
  requireOwnTasks(["caf\u00e9"], "p", composed);
  expect(() => requireOwnTasks(["cafe\u0301"], "p", composed)).toThrow("another Unicode form");
});

test("nothing but the question for the plan was sent by then", async () => {
  const plan = planOf("mp-mixed", { scale: "declared" });
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const sent: string[] = [];
  network.watch = ({ from, message }) => {
    if (from === "p") sent.push(decodeMessage(message).type);
  };
  const over = new AbortController();
  const curator = runCurator({
    plan,
    clock,
    store: new MemoryStore(),
    signal: over.signal,
    transport: network.curator(),
  });
  const joined = joinRun({
    run: plan.run,
    participant: "p",
    data: tasksOf(),
    clock,
    agreed: planHash(plan),
    store: new MemoryStore(),
    transport: network.participant("p"),
  });
  await expect(settle(clock, joined)).rejects.toThrow("no declared range");
  expect(new Set(sent)).toEqual(new Set(["hello"]));
  over.abort(new Error("over"));
  await expect(settle(clock, curator)).rejects.toThrow("over");
});
