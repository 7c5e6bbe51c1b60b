/** A participant that comes back with other rows, of the same number or not: refused by its own store, before it says anything. */
import fc from "fast-check";
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { TaskSet, type TaskInput } from "../../../../src/data/index.js";
import {
  decodeMessage,
  joinRun,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  type ParticipantStatus,
} from "../../../../src/federation/index.js";
import {
  holdToRows,
  isKeyOf,
  markRows,
} from "../../../../src/federation/participant/data/own-rows.js";
import { readStoredState } from "../../../../src/federation/participant/participant-records.js";
import { makeTasks } from "../../../learning/tasks.js";
import { planFor, settle, settled } from "../../runs.js";

const SECRET = new TextEncoder().encode("SUAKEY");
const LIST: TaskInput[] = [
  { name: "b", x: [[1, 2], [3, 4]], y: [1, 2] }, // prettier-ignore
  { name: "a", x: [[5, 6], [7, 8], [9, 0]], y: [3, 4, 5] }, // prettier-ignore
];
const from = (list: TaskInput[]) => TaskSet.from(list, { featureNames: ["u", "v"] });
const mark = markRows(from(LIST), SECRET);
const hold = (list: TaskInput[]) => () => holdToRows(mark, from(list), SECRET);

describe("marks of rows", () => {
  test("are those of the same rows, in whatever order the tasks are", () => {
    expect(hold(LIST)).not.toThrow();
    expect(hold([LIST[1]!, LIST[0]!])).not.toThrow();
  });

  const [b, a] = LIST as [TaskInput, TaskInput];
  test.each<[string, string, TaskInput[]]>([
    ["a value", "a", [b, { ...a, x: [[5, 6], [7, 8], [9, 1e-300]] }]], // prettier-ignore
    ["a target", "b", [{ ...b, y: [1, 2.5] }, a]],
    ["the order of rows", "a", [b, { ...a, x: [[7, 8], [5, 6], [9, 0]], y: [4, 3, 5] }]], // prettier-ignore
    ["one row more", "b", [{ ...b, x: [[1, 2], [3, 4], [5, 6]], y: [1, 2, 3] }, a]], // prettier-ignore
    [
      "a weight",
      "a",
      [
        { ...b, weights: [1, 1] },
        { ...a, weights: [1, 2, 1] },
      ],
    ],
    ["whose rows they are", "a", [{ ...b, persons: ["r", "s"] }, { ...a, persons: ["p", "p", "q"] }]], // prettier-ignore
  ])("tell %s by the task's name, and no value", (_what, name, list) => {
    expect(hold(list)).toThrow(`task "${name}": its rows are not those`);
    expect(hold(list)).not.toThrow(/1e-300|2\.5/);
  });

  test("of sparse rows likewise", () => {
    const sparse = (values: number[]) =>
      TaskSet.from([{ name: "a", x: { indptr: [0, 1, 2], indices: [0, 3], values, shape: [2, 4] }, y: [1, 2] }]); // prettier-ignore
    const own = markRows(sparse([1, 2]), SECRET);
    expect(() => holdToRows(own, sparse([1, 2]), SECRET)).not.toThrow();
    expect(() => holdToRows(own, sparse([1, 3]), SECRET)).toThrow('task "a"');
  });

  test("say whose key made them", () => {
    expect(isKeyOf(mark, SECRET)).toBe(true);
    expect(isKeyOf(mark, new TextEncoder().encode("SUAKEZ"))).toBe(false);
    expect(isKeyOf(mark, undefined)).toBe(false);
  });

  test("are of SHA-256, by Node's own HMAC, and are not the same twice", () => {
    const salt = Uint8Array.from({ length: 32 }, (_, i) => i);
    const key = createHmac("sha256", SECRET).update(salt).digest();
    const number = (...of: number[]) => Buffer.from(Float64Array.from(of).buffer);
    const head = Buffer.from(JSON.stringify(["b", ["u", "v"], null, 2, false]));
    const parts = [number(head.length), head, number(4, 1, 2, 3, 4), number(2, 1, 2), number(0, 0, 0)]; // prettier-ignore
    const expected = createHmac("sha256", key).update(Buffer.concat(parts)).digest("hex");
    expect(markRows(from([b]), SECRET, salt).digests).toBe(expected.slice(0, 32));
    expect(markRows(from([b]), SECRET).digests).not.toBe(markRows(from([b]), SECRET).digests);
  });

  test("of any two tables differ where a bit does", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 4, maxLength: 4 }), // prettier-ignore
        fc.nat(3),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (values, at, other) => {
          const table = (of: number[]) => from([{ name: "a", x: [of.slice(0, 2), of.slice(2)], y: [0, 0] }]); // prettier-ignore
          const changed = values.with(at, other);
          const same = Object.is(values[at], other);
          const again = () => holdToRows(markRows(table(values), SECRET), table(changed), SECRET);
          if (same) expect(again).not.toThrow();
          else expect(again).toThrow('task "a"');
        },
      ),
      { seed: 4 },
    );
  });
});

describe("a participant that is killed in round 1 and comes back", () => {
  const tasks = makeTasks({ m: 2, d: 3, rows: () => 6 });
  const plan = planFor(tasks, { method: "mp-low-rank", options: { rounds: 2 }, deadline: 3 });
  const own = tasks.select(["task-0"]);
  const { featureNames } = own;
  const y = own.y.map((target, row) => (row === 4 ? target + 1e-12 : target));
  const changed = TaskSet.from([{ name: "task-0", x: own.x.slice(), y }], { featureNames });

  /** Its second life, with this table and key; what it said in it, and to its owner. */
  async function comesBack(
    data: TaskSet,
    keys: readonly (Uint8Array | undefined)[],
    store = new MemoryStore(),
  ) {
    const clock = new ManualClock();
    const network = new MemoryNetwork(clock);
    const life = new AbortController();
    const sent: string[] = [];
    const said: ParticipantStatus["kind"][] = [];
    const curator = runCurator({
      plan,
      clock,
      store: new MemoryStore(),
      transport: network.curator(),
      patience: { linger: 1000 },
    });
    curator.catch(() => undefined);
    const join = (participant: string, with_: TaskSet, rowsKey?: Uint8Array, more = {}) =>
      joinRun({
        run: plan.run,
        participant,
        data: with_,
        clock,
        agreed: planHash(plan),
        transport: network.participant(participant),
        store: new MemoryStore(),
        ...more,
        ...(rowsKey ? { rowsKey } : {}),
      });
    const first = join("p0", own, keys[0], { store, signal: life.signal }).catch(() => undefined);
    for (let step = 0; step < 200 && !sent.includes("upload"); step++) {
      network.watch ??= ({ from, message }) => {
        if (from === "p0") sent.push(decodeMessage(message).type);
      };
      if (step === 5) void join("p1", tasks.select(["task-1"])).catch(() => undefined);
      await settled(clock);
      clock.step();
    }
    life.abort(new Error("killed"));
    await first;
    sent.length = 0;
    const onStatus = ({ kind }: ParticipantStatus) => said.push(kind);
    const second = join("p0", data, keys[1], { store, onStatus });
    const model = await settle(clock, second).catch((error: unknown) => error as Error);
    return { model, sent, said, store };
  }

  test("with its rows goes on", async () => {
    const { model, said } = await comesBack(own, [SECRET, SECRET]);
    expect(model).toHaveProperty("weights");
    expect(said).not.toContain("rows-not-compared");
  });

  test.each([
    ["a key", SECRET],
    ["no key", undefined],
  ])(
    "with other rows of the same number, and %s, is refused before it registers",
    async (_, key) => {
      const { model, sent } = await comesBack(changed, [key, key]);
      expect((model as Error).message).toContain('task "task-0": its rows are not those');
      expect(sent.filter((type) => type !== "hello" && type !== "leave")).toEqual([]);
    },
  );

  test("with another key goes on, says so, and is held to its rows from then on", async () => {
    const other = new TextEncoder().encode("another");
    const { model, said, store } = await comesBack(own, [SECRET, other]);
    expect(model).toHaveProperty("weights");
    expect(said).toContain("rows-not-compared");
    const { rows } = readStoredState(await store.load());
    expect(isKeyOf(rows!, other)).toBe(true);
    expect(() => holdToRows(rows!, changed, other)).toThrow('task "task-0"');
  });
});
