/** Owners who come after the start: places, what an empty one costs, records, and what is refused. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  describePlan,
  makePlan,
  planHash,
  simulateFederation,
  type Plan,
} from "../../src/federation/index.js";
import { Registry } from "../../src/federation/curator/members/registry.js";
import { decodeRecord } from "../../src/federation/protocol/records.js";
import { makeTasks } from "../learning/tasks.js";
import { Desk, plan as four, said } from "./desk.js";

const { tasks: _named, ...rest } = four;
/** Three tasks start it, and two may follow. */
const plan = makePlan({ ...rest, tasks: null, latecomers: { tasks: 2, rows: 4 } });

function begun(agreed: Plan = plan): Desk {
  const desk = new Desk(agreed);
  desk.register("north", "a", "b");
  desk.register("south", "c");
  desk.take({ type: "begin" });
  return desk;
}

function round(desk: Desk, number: number): void {
  desk.push("north", number, [0, 1], [0.1, 0, 0, 0.1]);
  desk.push("south", number, [2], [0.1, 0]);
}

const statistics = (desk: Desk) =>
  desk
    .records()
    .map((record) => decodeRecord(record))
    .flatMap((record) => (record.type === "release" ? [[...record.statistic]] : []));

describe("a run with places for latecomers", () => {
  test("tells the sizes with every place from the start, and waits for nobody who is not there", () => {
    const desk = begun();
    const [start] = said(desk.effects).filter(({ type }) => type === "start");
    expect(start).toMatchObject({ m: 5, rows: 20, mostRows: 4, positions: [0, 1] });
    round(desk, 1);
    expect(desk.statuses("closed")).toMatchObject([{ round: 1, present: 3, expected: 5 }]);
  });

  test("takes who comes late into the next free places, kept before it is told, and uses its vectors", () => {
    const desk = begun();
    round(desk, 1);
    const effects = desk.register("east", "z");
    expect(said(effects)).toMatchObject([
      { type: "start", m: 5, rows: 20, round: 2, positions: [3] },
      { type: "call", round: 2, positions: [3] },
    ]);
    const order = effects.map(({ type }) => type);
    expect(order.indexOf("append")).toBeLessThan(order.indexOf("send"));
    expect(desk.statuses("joined")).toEqual([{ kind: "joined", participant: "east", tasks: 1 }]);
    desk.say("east", { type: "pull", round: 1 });
    round(desk, 2);
    desk.push("east", 2, [3], [0, 0.3]);
    // The next round waits for it as for everyone, until the deadline.
    round(desk, 3);
    expect(desk.releases()).toBe(2);
    desk.take({ type: "timer", name: "deadline" });
    expect(desk.statuses("closed").map(({ present }) => present)).toEqual([3, 4, 3]);
  });

  test("has the bits of a run where the late owner was there from the start and silent", () => {
    const late = begun();
    round(late, 1);
    late.register("west", "z");
    const silent = new Desk(makePlan({ ...plan, latecomers: { tasks: 1, rows: 4 } }));
    for (const [who, ...tasks] of [
      ["north", "a", "b"],
      ["south", "c"],
      ["west", "z"],
    ] as const) {
      silent.register(who, ...tasks);
    }
    silent.take({ type: "begin" });
    round(silent, 1);
    silent.take({ type: "timer", name: "deadline" });
    for (const desk of [late, silent]) {
      desk.push("west", 2, [3], [0.2, -0.2]);
      round(desk, 2);
    }
    expect(statistics(late)).toHaveLength(2);
    expect(statistics(late)).toEqual(statistics(silent));
  });

  test("knows its latecomers again after it was killed, at their places", () => {
    const desk = begun();
    round(desk, 1);
    desk.register("east", "z");
    const again = new Desk(plan, desk.records());
    expect(said(again.register("east", "z"))).toMatchObject([
      { type: "start", m: 5, rows: 20, positions: [3] },
      { type: "call", round: 2 },
    ]);
    expect(again.statuses("joined")).toEqual([]);
    expect(said(again.register("west", "y"))[0]).toMatchObject({ type: "start", positions: [4] });
    for (const one of [again, desk]) {
      one.push("east", 2, [3], [0.2, 0]);
      round(one, 2);
    }
    again.take({ type: "timer", name: "deadline" });
    expect(statistics(again)).toEqual(statistics(desk).slice(1));
  });

  test("refuses by name what has no place", () => {
    const reasons = (desk: Desk, who: string, ...tasks: { name: string; rows: number }[]) =>
      said(desk.say(who, { type: "register", tasks })).map((message) =>
        message.type === "refused" ? message.reason : message.type,
      );
    const z = { name: "z", rows: 4 };
    const desk = begun();
    expect(reasons(desk, "east", { ...z, rows: 5 })).toEqual(["no-place"]);
    expect(reasons(desk, "east", { ...z, epsilon: 0.1 } as never)).toEqual(["no-place"]);
    expect(reasons(desk, "east", { name: "a", rows: 4 })).toEqual(["task-taken"]);
    expect(reasons(desk, "south", { name: "c", rows: 4 }, z)).toEqual(["already-started"]);
    const three = ["x", "y", "z"].map((name) => ({ name, rows: 1 }));
    expect(reasons(desk, "east", ...three)).toEqual(["no-place"]);
    expect(reasons(desk, "east", ...three.slice(1))).toEqual(["start", "call"]);
    expect(reasons(desk, "west", three[0]!)).toEqual(["no-place"]);
    const closed = begun(makePlan({ ...rest, tasks: null }));
    expect(reasons(closed, "east", z)).toEqual(["already-started"]);
    // Nobody joins a run whose last round was published.
    const over = begun();
    for (let k = 1; k <= 3; k++) round(over, k);
    expect(reasons(over, "east", z)).toEqual(["already-started"]);
  });

  test("of the plan's own tasks takes those that were not there", () => {
    const named = makePlan({ ...four, latecomers: { tasks: 1, rows: 9 }, registration: 5 });
    const desk = new Desk(named);
    desk.register("north", "a", "b");
    desk.register("south", "d");
    desk.take({ type: "timer", name: "registration" });
    expect(said(desk.register("east", "q"))).toMatchObject([{ reason: "not-in-plan" }]);
    expect(said(desk.register("east", "c"))[0]).toMatchObject({ type: "start", positions: [3] });
  });
});

test("whoever joins, in whatever order, sizes stay and every task has one place", () => {
  const arrivals = fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 3 })), { maxLength: 8 });
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 6 }), (list, places) => {
      const agreed = makePlan({ ...rest, tasks: null, latecomers: { tasks: places, rows: 7 } });
      const registry = new Registry(agreed);
      registry.register("first", [
        { name: "a", rows: 3 },
        { name: "b", rows: 9 },
      ]);
      registry.arrange();
      const before = registry.sizes();
      expect(before).toMatchObject({ m: 2 + places, rows: 12 + 7 * places, mostRows: 9 });
      const taken = new Set([0, 1]);
      for (const [who, count] of list) {
        const tasks = Array.from({ length: count }, (_, k) => ({ name: `${who}-${k}`, rows: 2 }));
        const joined = registry.join(`late-${who}`, tasks);
        if (typeof joined === "string") continue;
        for (const at of joined.positions) {
          expect(taken.has(at)).toBe(false);
          taken.add(at);
          expect(registry.ownerOf(at)).toBe(`late-${who}`);
        }
        expect(registry.sizes()).toEqual(before);
      }
      expect(Math.max(...taken)).toBe(taken.size - 1);
      expect(registry.awaited).toBe(taken.size);
      expect(taken.size).toBeLessThanOrEqual(2 + places);
    }),
    { numRuns: 300, seed: 5 },
  );
});

test("a plan may keep more places than a call takes arguments", () => {
  const agreed = makePlan({ ...rest, tasks: null, latecomers: { tasks: 500_000, rows: 2 } });
  const registry = new Registry(agreed);
  registry.register("first", [{ name: "a", rows: 3 }]);
  registry.arrange();
  expect(registry.sizes()).toMatchObject({ m: 500_001, rows: 1_000_003, mostRows: 3 });
});

describe("the plan", () => {
  test("has its old hash without places, says in words what it keeps, and refuses what it cannot", () => {
    expect(planHash(makePlan({ ...four, latecomers: null }))).toBe(planHash(four));
    expect(planHash(plan)).not.toBe(planHash(makePlan({ ...rest, tasks: null })));
    expect(describePlan(plan).join("\n")).toContain("Up to 2 tasks of at most 4 rows may join");
    expect(describePlan(four).join("\n")).not.toContain("may join");
    const one = { tasks: 1, rows: 4 };
    const refused: [object, string][] = [
      [{ latecomers: { tasks: 0, rows: 4 } }, "latecomers.tasks: expected an integer from 1 on"],
      [{ latecomers: { tasks: 1, rows: 0.5 } }, "latecomers.rows"],
      [{ tasks: four.tasks, latecomers: { tasks: 2, rows: 4 } }, "more than the tasks of the plan"],
      [{ latecomers: one, options: { ...four.options, unit: "record", recordClip: 1 } }, "unit"],
      [
        {
          latecomers: one,
          options: {
            ...four.options,
            adjacency: "zero-out",
            sampling: { kind: "poisson", rate: 0.5 },
          },
        },
        "sampled",
      ],
    ];
    for (const [change, why] of refused) {
      expect(() => makePlan({ ...rest, tasks: null, ...change })).toThrow(why);
    }
  });
});

test("simulated latecomers catch up, have models, and what they missed counts as zero", async () => {
  const tasks = makeTasks({ m: 12, d: 4, rows: () => 5 });
  const agreed = makePlan({
    run: "late",
    method: "mp-low-rank",
    features: tasks.featureNames,
    minimumTasks: 9,
    latecomers: { tasks: 3, rows: 5 },
    quorum: 0.5,
    deadline: 2,
    options: { rounds: 6, epsilon: 5, delta: 1e-3, random: { mode: "seeded", seed: 3 } },
  });
  const { models, rounds, curator } = await simulateFederation({
    plan: agreed,
    tasks,
    late: { participants: 3, after: 2 },
  });
  expect(models.size).toBe(12);
  for (const model of models.values()) expect(model.weights.every(Number.isFinite)).toBe(true);
  const present = rounds.map((one) => one.present);
  expect(present.slice(0, 2)).toEqual([9, 9]);
  expect(present.at(-1)).toBe(12);
  expect(rounds.every(({ expected }) => expected === 12)).toBe(true);
  expect(curator.finished).toHaveLength(12);
});
