/** What a relay and a helper have in common: they ask until there is a plan, agree to one or to none, and heed their own messages. */
import { describe, expect, test } from "vitest";
import {
  decodeMessage,
  encodeMessage,
  planHash,
  RelayMachine,
  type Body,
  type Plan,
} from "../../src/federation/index.js";
import { canonicalPlan } from "../../src/federation/protocol/plan-hash.js";
import type { PartyEvent } from "../../src/federation/protocol/party.js";
import { HelperMachine } from "../../src/federation/verified-sums/index.js";
import { helper, planOf } from "./verified-sums/verified-run.js";
import { AGGREGATION, planOf as securePlan } from "./secure-aggregation/secure-run.js";

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
  const told = (body: Body, of = plan): PartyEvent => {
    const envelope = { run: of.run, session, plan: planHash(of), participant: name };
    return { type: "message", scope: "own", message: encodeMessage(envelope, body) };
  };
  const offer = (of = plan) => told({ type: "plan", text: canonicalPlan(of) }, of);
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

  test("asks until it is shown a plan, and works once that is agreed to", () => {
    const machine = make();
    const ask = ["send hello", "timer"];
    expect(words(machine.handle({ type: "link", state: "up" }))).toEqual(["status link", ...ask]);
    expect(words(machine.handle({ type: "timer", name: "retry" }))).toEqual(ask);
    expect(words(machine.handle(offer()))).toEqual(["cancel", "show"]);
    expect(machine.handle({ type: "timer", name: "retry" })).toEqual([]);
    const agreed = words(machine.handle({ type: "agree" }));
    expect(agreed.filter((word) => word !== "append")).toEqual(["send here"]);
    expect(words(machine.handle(told({ type: "call", round: 1, positions: [0] })))).toEqual([
      expect.stringMatching(/^status said what no (relay|helper) is told$/) as string,
    ]);
    expect(words(machine.handle(told({ type: "done" }))).at(-1)).toBe("end");
    expect(machine.handle({ type: "link", state: "up" })).toEqual([]);
  });

  test("agrees at once to the plan that was agreed on, and to no other", () => {
    expect(words(make(planHash(plan)).handle(offer()))).toContain("send here");
    expect(words(make("0".repeat(64)).handle(offer())).at(-1)).toMatch(/^fail plan: .*the hash/);
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
