/** Participants that consent to an epsilon of their own: the local fit's bits, their own guarantees, and what is refused. */
import { describe, expect, test } from "vitest";
import { joinRun, ManualClock, MemoryNetwork, MemoryStore, planHash, runCurator } from "../../../src/federation/index.js"; // prettier-ignore
import { CuratorRounds } from "../../../src/federation/curator/rounds/curator-rounds.js";
import { startRun } from "../../../src/federation/participant/start-run.js";
import { Registry } from "../../../src/federation/curator/members/registry.js";
import { ownEpsilons } from "../../../src/federation/participant/own-epsilons.js";
import {
  decodeMessage,
  encodeMessage,
} from "../../../src/federation/protocol/messages/message-bytes.js";
import { makeEstimator, MpMixed } from "../../../src/learning/index.js";
import { inOnePlace } from "../../../src/privacy/guarantee/guarantee-words.js";
import { gaussianEpsilon, type Guarantee } from "../../../src/privacy/index.js";
import { makeTasks } from "../../learning/tasks.js";
import { federate, planFor, settle, taskBits } from "../runs.js";
import { planOf, run, tasks as secureTasks } from "../secure-aggregation/secure-run.js";

const tasks = makeTasks({ m: 7, d: 3, rows: (i) => 8 + 3 * i });
const mixed = (options: object = {}, method = "mp-mixed") =>
  planFor(tasks, { method, options: { unit: "record", scale: "unit", epsilon: 3, ...options } }); // prettier-ignore
/** Of three participants: p0 has tasks 0, 3 and 6, p1 1 and 4, p2 2 and 5. */
const consent = (name: string) =>
  name === "p0" ? 0.5 : name === "p1" ? { "task-4": 1 } : undefined;
const taskEpsilons = { "task-0": 0.5, "task-3": 0.5, "task-6": 0.5, "task-4": 1 };

describe("a run whose participants state their own", () => {
  test.each([
    ["mp-mixed", "record"],
    ["mp-mixed", "both"],
    ["mp-feature-learning", "record"],
    ["mp-hierarchical", "both"],
  ] as const)("%s, %s: the bits of the local fit", async (method, unit) => {
    const plan = mixed({ unit }, method);
    const { models } = await federate(plan, tasks, { epsilon: consent });
    const local = await makeEstimator(method, { ...plan.options, taskEpsilons }).fit(tasks);
    for (const model of Object.values(models)) {
      for (const name of model.taskNames) {
        expect(taskBits(model, name)).toBe(taskBits(local, name));
        const { guarantee } = local.forTask(name);
        const stated = model.forTask(name).guarantee as Guarantee;
        // But for whom the owners trust: the local fit had all rows.
        expect(inOnePlace(stated)).toEqual({ ...guarantee, notCharged: [] });
        expect(model.ledgerOf(name)!.toJSON()).toEqual(local.ledgerOf(name)!.toJSON());
      }
    }
    const stated = (of: string, task: string) => models[of]!.forTask(task).guarantee;
    expect(stated("p0", "task-3")).toMatchObject({ epsilon: 0.5 });
    expect(stated("p1", "task-4")).toMatchObject({ epsilon: 1 });
    expect(stated("p1", "task-1")).toMatchObject({ epsilon: 3 });
    expect(stated("p2", "task-5")).toMatchObject({ epsilon: 3 });
  });

  test("who consents to the plan's, or to more, says nothing of it", async () => {
    const plan = mixed();
    const registered: object[] = [];
    const { models } = await federate(plan, tasks, {
      epsilon: () => 7,
      watch: ({ message }) => {
        const said = decodeMessage(message);
        if (said.type === "register") registered.push(...said.tasks);
      },
    });
    expect(registered.every((task) => !("epsilon" in task))).toBe(true);
    const local = await new MpMixed(plan.options).fit(tasks);
    expect(models["p0"]!.owners).toBeNull();
    expect(taskBits(models["p0"]!, "task-0")).toBe(taskBits(local, "task-0"));
  });

  test("secure sums: an owner's account for every number of colluders", async () => {
    const plan = planOf("mp-mixed", { unit: "record", scale: "unit", epsilon: 3 });
    const { models } = await run(plan, { epsilon: (name) => (name === "p1" ? 0.5 : undefined) });
    const model = models["p1"]!;
    const [name] = model.taskNames;
    const { guarantee } = model.forTask(name!);
    if (guarantee.kind !== "joint") expect.unreachable();
    expect(guarantee.epsilon).toBe(0.5);
    const events = model.ledgerOf(name!)!.plan!;
    const squares = events.map((event) => ("sigma" in event ? (event.sensitivity / event.sigma) ** 2 : NaN)); // prettier-ignore
    const mu = Math.sqrt(squares.reduce((sum, x) => sum + x));
    expect(guarantee.collusion!.map(({ honest }) => honest)).toEqual([4, 3, 2, 1]);
    for (const { honest, epsilon } of guarantee.collusion!) {
      const exact = gaussianEpsilon(mu * Math.sqrt(3 / honest), 1e-4);
      expect(epsilon).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
      expect(epsilon).toBeLessThan(exact * (1 + 1e-3));
    }
    expect(guarantee.collusion![1]!.epsilon).toBeLessThanOrEqual(0.5);
    const other = models["p0"]!;
    expect(other.forTask(other.taskNames[0]!).guarantee).toMatchObject({ epsilon: 3 });
    expect(secureTasks.m).toBe(7);
  });
});

describe("what is refused", () => {
  test("a plan with more than was consented to, whose method has one budget for all", async () => {
    for (const plan of [
      planFor(tasks, { method: "mp-low-rank", options: { epsilon: 3, rounds: 1 } }),
      mixed({ unit: "task" }),
    ]) {
      const clock = new ManualClock();
      const network = new MemoryNetwork(clock);
      const sent: string[] = [];
      network.watch = ({ from, message }) => {
        if (from === "p0") sent.push(decodeMessage(message).type);
      };
      const curator = runCurator({ plan, transport: network.curator(), store: new MemoryStore(), clock }); // prettier-ignore
      curator.catch(() => undefined);
      const joined = joinRun({
        run: plan.run,
        participant: "p0",
        data: tasks.select(["task-0"]),
        clock,
        agreed: planHash(plan),
        transport: network.participant("p0"),
        epsilon: 1,
      });
      await expect(settle(clock, joined)).rejects.toThrow(/^epsilon: the plan has epsilon 3, more/);
      expect(new Set(sent)).toEqual(new Set(["hello"]));
    }
  });

  test("no epsilons, and names of others' tasks", () => {
    const plan = mixed();
    const of = (stated: never) => () => ownEpsilons(stated, ["task-0"], plan);
    for (const bad of [0, -1, NaN, "1", null, {}, { "task-0": 0 }]) {
      expect(of(bad as never)).toThrow(/^epsilon: expected a number > 0/);
    }
    expect(of({ "task-1": 1 } as never)).toThrow('no task "task-1"');
    expect(ownEpsilons({ "task-0": 1 }, ["task-0", "task-1"], plan)).toEqual([1, undefined]);
  });

  test("plans that state them for others", () => {
    expect(() => mixed({ taskEpsilons })).toThrow(
      "options.taskEpsilons: in a federated run participants state their own as they join",
    );
  });

  test("a curator that knows other epsilons than were stated", () => {
    const start = { type: "start", m: 2, rows: 16, mostRows: 8, round: 1, given: false } as const;
    const values = new Float64Array(0);
    const begin = (owners: object, epsilon: number | undefined) => () =>
      startRun(
        { ...start, positions: [1], values, ...owners } as never,
        {
          options: { epsilon },
          plan: mixed(),
          data: tasks.select(["task-0"]),
          before: { shown: [] },
        } as never,
      );
    const known = (...epsilons: number[]) => ({ owners: { rows: epsilons.map(() => 8), epsilons } }); // prettier-ignore
    const refused = "start: the curator knows other epsilons than the owner stated";
    expect(begin({}, 1)).toThrow(refused);
    expect(begin(known(1, 3), 1)).toThrow(refused);
    expect(begin(known(1, 0.5), 1)).toThrow(refused);
    expect(begin(known(1), 1)).toThrow(refused);
    expect(begin(known(3, 1), undefined)).toThrow(refused);
    expect(begin(known(3, 1), 1)).not.toThrow(refused);
  });

  test("messages hold them to numbers above 0", () => {
    const envelope = { run: "test", session: "", plan: "", participant: "p0" };
    const register = (epsilon: unknown) =>
      encodeMessage(envelope, { type: "register", tasks: [{ name: "a", rows: 3, epsilon: epsilon as number }] }); // prettier-ignore
    expect(decodeMessage(register(0.5))).toMatchObject({ tasks: [{ epsilon: 0.5 }] });
    for (const bad of [0, -1, "1", null]) {
      expect(() => decodeMessage(register(bad))).toThrow("its tasks is not what register needs");
    }
  });

  test("who comes back with another epsilon is not who registered", () => {
    const registry = new Registry(mixed());
    const task = { name: "task-0", rows: 8 };
    registry.register("p0", [{ ...task, epsilon: 1 }]);
    expect(registry.same("p0", [{ ...task, epsilon: 1 }])).toBe(true);
    expect(registry.same("p0", [{ ...task, epsilon: 2 }])).toBe(false);
    expect(registry.same("p0", [task])).toBe(false);
  });

  test("the curator's own rounds know everyone's factors", () => {
    const sizes = { m: 2, d: 3, rows: 16, mostRows: 8 };
    const owners = { rows: [8, 8], epsilons: [1, 3] };
    const { releases } = new CuratorRounds(mixed(), { ...sizes, owners }, []);
    expect(releases.owners!.map(({ epsilon }) => epsilon)).toEqual([1, 3]);
    expect(releases.owners![0]!.weight).toBeLessThan(0.5);
  });
});
