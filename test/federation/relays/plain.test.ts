/** Relays for plain sums: the bits of a local fit, whoever adds up, is killed, late, gone or lies. */
import { describe, expect, test } from "vitest";
import {
  decodeMessage,
  describePlan,
  encodeMessage,
  makePlan,
  type Body,
  type CuratorStatus,
  type ParticipantTransport,
  type PlannedRelays,
} from "../../../src/federation/index.js";
import { makeEstimator } from "../../../src/learning/index.js";
import { seededUniforms } from "../../../src/data/index.js";
import { someOf } from "../../thorough.js";
import { tasks } from "../secure-aggregation/secure-run.js";
import { KillingOnce } from "./relayed-run.js";
import {
  expectLocal,
  FORMS,
  local,
  relayedPlan,
  ROUNDS,
  run,
  sorted,
  typeOf,
} from "./plain-run.js";

const forms = Object.keys(FORMS) as (keyof typeof FORMS)[];
const of = (statuses: readonly CuratorStatus[], kind: CuratorStatus["kind"]) =>
  statuses.filter((status) => status.kind === kind);

describe("the bits of a local fit whose sums are in any order", () => {
  const methods = [
    ["mp-low-rank", { rounds: 2, epsilon: 5 }],
    ["mp-low-rank", { rounds: 2, epsilon: 5, noise: "float" }],
    ["mp-group-sparse", { rounds: 2, epsilon: 5 }],
    ["mp-feature-learning", { rounds: 2, epsilon: 5 }],
    ["mp-hierarchical", { rounds: 2, epsilon: 5 }],
    ["pmtl", { rounds: 2, epsilon: 5 }],
    ["private-fedavg", { rounds: 2, epsilon: 5, clip: "auto" }],
    ["mp-mixed", { epsilon: 5, scale: "unit" }],
    ["mp-subspace", { epsilon: 5 }],
  ] as const;
  test.each(someOf(methods, 2))("%s %o", async (method, options) => {
    const expected = await local(relayedPlan("no relay", [method, options]));
    expect(expected.charges!.length).toBeGreaterThan(0);
    for (const form of forms) {
      const { models, curator, statuses } = await run(relayedPlan(form, [method, options]));
      expect(sorted(models)).toEqual(expected.weights);
      expect(curator.ledger.entries.map(({ event }) => event)).toEqual(expected.charges);
      expect(curator.guarantee.trust).toContain("the relays are trusted");
      expect(of(statuses, "refused")).toEqual([]);
      // How many honest vectors are at their bound depends on data, and operators are told what was clipped.
      const clipped = statuses.flatMap((one) => (one.kind === "closed" ? [one.clipped] : []));
      expect(clipped).toEqual(clipped.map(() => 0));
    }
  });

  test("whose tasks may stand in another order", async () => {
    const { method, options } = relayedPlan("no relay", [
      "mp-low-rank",
      { rounds: 2, epsilon: 5, noise: "float" },
    ]);
    const fit = (names: readonly string[]) =>
      makeEstimator(method, options).fit(tasks.select([...names]), { sums: "any-order" });
    const [one, other] = [await fit(tasks.names), await fit([...tasks.names].reverse())];
    expect(sorted({ one })).toEqual(sorted({ other }));
  });
});

test.each(forms)("with %s: who sends what to whom", async (form) => {
  const to: Record<string, string[]> = {};
  const outcome = await run(relayedPlan(form), {
    watch: (passing) => (to[passing.to] ??= []).push(typeOf(passing.message)),
  });
  await expectLocal(outcome);
  const count = (who: string, type: string) => (to[who] ?? []).filter((one) => one === type).length;
  const [vectors, sums] = { "no relay": [5, 0], relays: [1, 2], "a tree of relays": [0, 1] }[form]!;
  expect(count("(curator)", "upload")).toBe(vectors! * ROUNDS);
  expect(count("(curator)", "partial")).toBe(sums! * ROUNDS);
  if (form !== "no relay") expect(count("west", "input")).toBe(2 * ROUNDS);
  if (form === "a tree of relays") {
    expect([count("top", "partial"), count("top", "input")]).toEqual([2 * ROUNDS, ROUNDS]);
  }
  const closed = { kind: "closed", expected: 7, present: 7, clipped: 0 };
  expect(of(outcome.statuses, "closed")).toMatchObject([closed, closed]);
});

/** Has what a party sends changed. */
const sending = (
  own: ParticipantTransport,
  change: (body: Body) => Body,
): ParticipantTransport => ({
  ...own,
  send: (message, relay) => {
    const { run: name, session, plan, participant, ...body } = decodeMessage(message);
    const envelope = { run: name, session, plan, participant };
    return own.send(encodeMessage(envelope, change(body as Body)), relay);
  },
});

/** A sum with bytes changed. */
const changed = (change: (bytes: Uint8Array) => Uint8Array) => (body: Body) =>
  body.type === "aggregate" && body.bytes[1] === 11
    ? { ...body, bytes: change(body.bytes.slice()) as Uint8Array<ArrayBuffer> }
    : body;

test.each([
  ["a sum that no vectors make", (bytes: Uint8Array) => ((bytes[41] = 0x7f), bytes), "longer than"],
  ["a negative diagonal", (bytes: Uint8Array) => (bytes.fill(0xff, 35, 43), bytes), "longer than"],
  ["more clipped than there are", (bytes: Uint8Array) => ((bytes[bytes.length - 8] = 9), bytes), "longer than"], // prettier-ignore
  ["a sum that is too short", (bytes: Uint8Array) => bytes.subarray(0, -8), "malformed"],
] as const)("a relay that says %s is done without, with the same models", async (_, lie, why) => {
  const outcome = await run(relayedPlan("relays"), {
    transports: (name, own) => (name === "west" ? sending(own, changed(lie)) : own),
  });
  await expectLocal(outcome);
  expect(of(outcome.statuses, "without-relay")).toMatchObject([
    { round: 1, relay: "west", why: expect.stringContaining(why) as string },
  ]);
});

describe.each(["relays", "a tree of relays"] as const)("with %s", (form) => {
  const names = form === "relays" ? ["west"] : ["west", "top"];

  test.each(names)("%s is not there: done without", async (who) => {
    const outcome = await run(relayedPlan(form), { absent: [who] });
    await expectLocal(outcome);
    expect(of(outcome.statuses, "without-relay")).toEqual([
      { kind: "without-relay", round: 1, relay: who, why: "it gave no sum" },
    ]);
  });

  const kills = names.flatMap((who) =>
    ["gather", "input", "partial"].map((when) => ({ who, when })),
  );
  test.each(someOf(kills, 2))(
    "$who is killed with $when: the same models, and nobody goes past it",
    async ({ who, when }) => {
      const seen = new Set<number>();
      const outcome = await run(relayedPlan(form), {
        watch: ({ from, to, message }, _network, kill) => {
          const type = typeOf(message);
          if (type !== when || (type === "partial" ? from : to) !== who) return;
          const { round } = decodeMessage(message) as { round: number };
          if (seen.has(round) || round === ROUNDS) return;
          seen.add(round);
          queueMicrotask(() => kill(who));
        },
      });
      await expectLocal(outcome);
      expect(seen.size).toBe(1);
      expect(of(outcome.statuses, "without-relay")).toEqual([]);
    },
  );

  test("one that is away: its relay gives what it has at the deadline, and later rounds do not wait", async () => {
    const plan = relayedPlan(form, undefined, { quorum: 0.5 });
    const hurried: number[] = [];
    const outcome = await run(plan, {
      absent: ["p1"],
      watch: ({ to, message }, network) => {
        if (to === "p1" && typeOf(message) === "start") network.cut("p1", true);
        const decoded = decodeMessage(message);
        const isNow = decoded.type === "aggregate" && decoded.bytes[1] === 10;
        if (isNow && decoded.bytes[34] === 2) hurried.push(decoded.round);
      },
    });
    expect(new Set(hurried)).toEqual(new Set([1]));
    const closed = of(outcome.statuses, "closed");
    expect(closed.map((status) => (status as { present: number }).present)).toEqual([5, 5]);
    expect(of(outcome.statuses, "without-relay")).toEqual([]);
    expect(of(outcome.statuses, "expelled")).toEqual([]);
  });

  test.each(someOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 5))(
    "losses, repetitions, kills of the curator and of relays, from seed %i",
    async (seed) => {
      const random = seededUniforms(seed, "plain relays");
      let [kills, spoken] = [0, 0];
      const outcome = await run(
        { ...relayedPlan(form), deadline: 3600 },
        {
          faults: { random, loss: 0.1, duplication: 0.1, delay: 300 },
          store: new KillingOnce(seed % 2 === 0 ? "before" : "after"),
          watch: ({ to }, _network, kill) => {
            if (!["west", "east", ...(form === "relays" ? [] : ["top"])].includes(to)) return;
            const isLastChance = kills === 0 && ++spoken === 8;
            if (kills >= 6 || (random() > 0.2 && !isLastChance)) return;
            kills++;
            queueMicrotask(() => kill(to));
          },
        },
      );
      expect(kills).toBeGreaterThan(0);
      await expectLocal(outcome);
    },
    60_000,
  );
});

test.each(forms)(
  "with %s: a vector longer than K is clipped by who reads it, and counted",
  async (form) => {
    let changes = 0;
    const ten = (values: Float64Array) => values.map((x) => 10 * x);
    const outcome = await run(relayedPlan(form), {
      transports: (_name, own) => ({
        ...own,
        listen: (handlers) =>
          own.listen({
            ...handlers,
            member: (from, bytes) => {
              const message = decodeMessage(bytes);
              if (from !== "p0" || message.type !== "aggregate") handlers.member!(from, bytes);
              else {
                changes++;
                const { run: name, session, plan, participant, ...body } = message;
                const values = new Float64Array(body.bytes.slice(34).buffer);
                const longer = body.bytes.slice();
                longer.set(new Uint8Array(ten(values).buffer), 34);
                const envelope = { run: name, session, plan, participant };
                handlers.member!(from, encodeMessage(envelope, { ...body, bytes: longer }));
              }
            },
          }),
      }),
    });
    const clipped = of(outcome.statuses, "closed").map(
      (status) => (status as { clipped: number }).clipped,
    );
    // p0 has two tasks, whose models in the first round are 0 still.
    expect(changes).toBe(form === "no relay" ? 0 : ROUNDS);
    expect(clipped.at(-1)).toBe(form === "no relay" ? 0 : 2);
  },
);

test("vectors that come straight while a relay adds them up: refused, and counted once", async () => {
  let sent = false;
  const outcome = await run(relayedPlan("relays"), {
    watch: ({ from, to, message }, network) => {
      if (from !== "p0" || to !== "west" || typeOf(message) !== "input" || sent) return;
      sent = true;
      const decoded = decodeMessage(message) as ReturnType<typeof decodeMessage> & { bytes: Uint8Array }; // prettier-ignore
      const { run: name, session, plan, participant, bytes } = decoded;
      const values = new Float64Array(bytes.slice(34).buffer);
      const body = { type: "upload", round: 1, positions: [0, 5], values } as const;
      const straight = encodeMessage({ run: name, session, plan, participant }, body);
      queueMicrotask(() => network.inject("p0", straight));
    },
  });
  await expectLocal(outcome);
  expect(of(outcome.statuses, "refused")).toMatchObject([
    { participant: "p0", why: "its vectors are to come by its relay" },
  ]);
});

test("a plan says what relays for plain sums cannot have, by name", () => {
  const refused = (options: Record<string, unknown>, method = "private-fedavg") =>
    expect(() => relayedPlan("relays", [method, { rounds: 2, epsilon: 5, ...options }]));
  refused({ aggregate: { kind: "median-of-means", groups: 3 } }).toThrow("got median-of-means");
  refused({ aggregate: { kind: "trimmed-mean", share: 0.2 } }).toThrow("got trimmed-mean");
  refused({ sampling: { kind: "poisson", rate: 0.5 }, adjacency: "zero-out" }).toThrow(
    "who was drawn",
  );
  refused({ unit: "record" }).toThrow("expected task with relays");
  const plan = relayedPlan("relays");
  expect(makePlan(plan)).toEqual(plan);
  const with_ = (aggregation: unknown) => () =>
    makePlan({ ...plan, aggregation: aggregation as typeof plan.aggregation });
  const [first] = (plan.aggregation as PlannedRelays).participants;
  expect(with_({ kind: "relays", participants: [first] })).toThrow("owners among");
  expect(with_({ ...plan.aggregation, threshold: 3 })).toThrow("got threshold");
  expect(with_({ kind: "relays", participants: [first, first] })).toThrow("every name once");
  expect(with_({ kind: "relays", participants: [{ ...first, key: "x" }] })).toThrow(
    'aggregation.participants[0]: "key" is not known here; there are name, relay',
  );
  expect(describePlan(plan).join("\n")).toContain("A relay is trusted as the curator is");
});
