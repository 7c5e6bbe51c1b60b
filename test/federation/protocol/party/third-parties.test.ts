/** What a relay and a helper have in common: they ask until there is a plan, agree to one or to none, and heed their own messages. */
import { describe, expect, test } from "vitest";
import { VERSION } from "../../../../src/core/index.js";
import {
  decodeMessage,
  encodeMessage,
  planHash,
  RelayMachine,
  type Body,
  type Plan,
} from "../../../../src/federation/index.js";
import { canonicalPlan } from "../../../../src/federation/protocol/plan/plan-hash.js";
import type { PartyEvent } from "../../../../src/federation/protocol/party/party.js";
import { HelperMachine } from "../../../../src/federation/verified-sums/index.js";
import { helper, planOf } from "../../verified-sums/verified-run.js";
import { AGGREGATION, planOf as securePlan } from "../../secure-aggregation/secure-run.js";

interface Machine {
  handle(event: PartyEvent): readonly { readonly type: string }[];
}
interface Case {
  readonly name: string;
  readonly plan: Plan;
  readonly make: (agreed?: string) => Machine;
  /** A plan in which it has no part. */
  readonly without: Plan;
}

const secure = securePlan("mp-low-rank", { clip: 1, rounds: 2 });
const relayed = securePlan(
  "mp-low-rank",
  { clip: 1, rounds: 2 },
  {
    participants: AGGREGATION.participants.map((one) => ({ ...one, relay: "north" })),
  },
);
const verified = planOf("mp-low-rank", { clip: 1, rounds: 2 });
const CASES: readonly Case[] = [
  {
    name: "north",
    plan: relayed,
    make: (agreed) => new RelayMachine({ run: relayed.run, relay: "north", agreed }),
    without: secure,
  },
  {
    name: "helper",
    plan: verified,
    make: (agreed) => {
      const { run } = verified;
      return new HelperMachine({ run, helper: "helper", key: helper.secret, records: [], agreed });
    },
    without: { ...verified, aggregation: null },
  },
];

describe.each(CASES)("$name", ({ name, plan, make, without }) => {
  const session = "ab".repeat(16);
  const told = (body: Body, of = plan, within = session): PartyEvent => {
    const envelope = { run: of.run, session: within, plan: planHash(of), participant: name };
    return { type: "message", scope: "own", message: encodeMessage(envelope, body) };
  };
  const offer = (of = plan) =>
    told({ type: "plan", text: canonicalPlan(of), release: VERSION }, of);
  /** What it does, in words; of what it says, the type. */
  const words = (effects: readonly { readonly type: string }[]) =>
    effects.map((effect) => {
      const { type, message, status, error } = effect as {
        readonly type: string;
        readonly message?: Uint8Array;
        readonly status?: { readonly kind: string; readonly why?: string };
        readonly error?: Error;
      };
      const about = message ? decodeMessage(message).type : (status?.why ?? status?.kind);
      return [type, about ?? error?.message].filter(Boolean).join(" ");
    });

  test("says nothing of what those who have joined are told, before it has, and names what is a stranger's", () => {
    const machine = make();
    machine.handle({ type: "link", state: "up" });
    const all = (body: Body, run = plan.run): PartyEvent => {
      const envelope = { run, session, plan: planHash(plan), participant: "" };
      return { type: "message", scope: "all", message: encodeMessage(envelope, body) };
    };
    const broadcast: Body = { type: "broadcast", round: 1, values: Float64Array.of(1) };
    expect(machine.handle(all(broadcast))).toEqual([]);
    expect(machine.handle(told({ type: "registered" }))).toEqual([]);
    expect(words(machine.handle(all(broadcast, "other")))).toEqual([
      "status a message of another run",
    ]);
  });

  test("asks until it is shown a plan, and works once that is agreed to", () => {
    const machine = make();
    const ask = ["send hello", "timer"];
    expect(words(machine.handle({ type: "link", state: "up" }))).toEqual(["status link", ...ask]);
    expect(words(machine.handle({ type: "timer", name: "retry" }))).toEqual(ask);
    expect(words(machine.handle(offer()))).toEqual(["cancel", "show"]);
    expect(machine.handle({ type: "timer", name: "retry" })).toEqual([]);
    const agreed = words(machine.handle({ type: "agree" }));
    expect(agreed.filter((word) => word !== "append")).toEqual(["send here", "timer"]);
    expect(words(machine.handle(told({ type: "call", round: 1, positions: [0] })))).toEqual([
      expect.stringMatching(/^status said what no (relay|helper) is told$/) as string,
    ]);
    const done = words(machine.handle(told({ type: "done" })));
    expect(done.filter((word) => !word.startsWith("cancel"))).toEqual(["send finish", "end"]);
    expect(machine.handle({ type: "link", state: "up" })).toEqual([]);
  });

  test("at work it asks after half a minute without a word, and ends when nobody answered for an hour", () => {
    const machine = make(planHash(plan));
    machine.handle({ type: "link", state: "up" });
    const waits: number[] = [];
    const silence = () => {
      const effects = machine.handle({ type: "timer", name: "retry" });
      for (const effect of effects) {
        if (effect.type === "timer") waits.push((effect as unknown as { milliseconds: number }).milliseconds); // prettier-ignore
      }
      return words(effects);
    };
    machine.handle(offer());
    const asks = ["send here", "timer"];
    expect(silence()).toEqual(asks);
    // Whoever is told something asks only after another half minute.
    machine.handle(told({ type: "call", round: 1, positions: [0] }));
    expect(silence()).toEqual(["timer"]);
    expect(silence()).toEqual(asks);
    expect(silence()).toEqual(["status unanswered", ...asks]);
    const rest = Array.from({ length: 117 }, silence);
    expect(rest.flat()).toEqual(rest.flatMap(() => asks));
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(121 * 30_000);
    const last = silence();
    expect(last.at(-1)).toMatch(/^fail nobody has answered (relay|helper) .* for 60 minutes/);
    expect(machine.handle({ type: "timer", name: "retry" })).toEqual([]);
  });

  test("a plan without a session is refused", () => {
    const machine = make(planHash(plan));
    machine.handle({ type: "link", state: "up" });
    const body = { type: "plan", text: canonicalPlan(plan), release: VERSION } as const;
    expect(words(machine.handle(told(body, plan, ""))).at(-1)).toContain("names no session");
  });

  test("a plan that its release cannot read: it says so to the curator, and its owner learns both releases", () => {
    const text = canonicalPlan({ ...plan, options: { ...plan.options, newer: 1 } });
    const machine = make();
    machine.handle({ type: "link", state: "up" });
    const effects = machine.handle(told({ type: "plan", text, release: "99.0.0" }));
    expect(words(effects)[0]).toBe("send unable");
    expect(words(effects).at(-1)).toContain(
      `newer; the curator has release 99.0.0 of mp-mtl, this is ${VERSION}`.replace(/^newer/, ""),
    );
  });

  test("agrees at once to the plan that was agreed on, and to no other", () => {
    expect(words(make(planHash(plan)).handle(offer()))).toContain("send here");
    const other = make("0".repeat(64));
    // It asks for a while whether another curator has the right one.
    const ask = () => words(other.handle({ type: "timer", name: "retry" }));
    const said = [words(other.handle(offer())), ...Array.from({ length: 7 }, ask)].flat();
    expect(said.at(-1)).toMatch(/^fail plan: .*the hash/);
    expect(
      said.filter((word) => word.startsWith("send")).every((word) => word === "send hello"),
    ).toBe(true);
  });

  test("ends where the plan is declined, is without it, or the curator refuses", () => {
    const machine = make();
    machine.handle(offer());
    expect(words(machine.handle({ type: "decline" })).at(-1)).toBe("fail the plan was declined");
    expect(words(make().handle(offer(without))).at(-1)).toMatch(/^fail plan: .*(north|helper)/);
    const refused = told({ type: "refused", reason: "other-plan" });
    expect(words(make().handle(refused)).at(-1)).toMatch(/^fail the curator refused this/);
    const working = make(planHash(plan));
    working.handle(offer());
    expect(working.handle(refused)).toEqual([]);
    const expelled = told({ type: "refused", reason: "expelled" });
    expect(words(working.handle(expelled)).at(-1)).toMatch(/^fail the curator refused this/);
  });
});
