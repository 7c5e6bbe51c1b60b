/** A curator with another plan than the one agreed on is not the end: whoever has agreed goes on asking for its own. */
import { describe, expect, test } from "vitest";
import { VERSION } from "../../../../src/core/index.js";
import { TaskSet } from "../../../../src/data/index.js";
import {
  canonicalPlan,
  encodeMessage,
  makePlan,
  ParticipantMachine,
  planHash,
  type Body,
  type ParticipantEffect,
  type Plan,
} from "../../../../src/federation/index.js";
import { RelayMachine } from "../../../../src/federation/relays/relay-machine.js";
import { decodeMessage } from "../../../../src/federation/protocol/messages/message-bytes.js";
import { textHash } from "../../../../src/federation/protocol/plan/plan-hash.js";
import { plan as ours } from "../../desk.js";

const theirs = makePlan({ ...ours, options: { ...ours.options, epsilon: 9 } });
const row = { x: [[1, 1]], y: [3] };
const data = TaskSet.from([{ name: "a", ...row }], { featureNames: ["x", "y"] });

interface Party {
  handle(event: never): unknown[];
}

/** A machine and what curators, each of a session of its own, say to it. */
function talk(machine: Party, name: string) {
  const handle = (event: object) => machine.handle(event as never) as ParticipantEffect[];
  const say = (plan: Plan, body: Body) => {
    const session = (plan === ours ? "5" : "7").repeat(32);
    const envelope = { run: plan.run, session, plan: planHash(plan), participant: name };
    return handle({ type: "message", message: encodeMessage(envelope, body), scope: "own" });
  };
  handle({ type: "link", state: "up" });
  return {
    say,
    raw: (text: string, session: string) => {
      const envelope = { run: ours.run, session, plan: textHash(text), participant: name };
      const body = { type: "plan", text, release: VERSION } as const;
      return handle({ type: "message", message: encodeMessage(envelope, body), scope: "own" });
    },
    offer: (plan: Plan) => say(plan, { type: "plan", text: canonicalPlan(plan), release: VERSION }),
    retry: () => handle({ type: "timer", name: "retry" }),
  };
}

const spoken = (effects: readonly ParticipantEffect[]) =>
  effects.flatMap((effect) => (effect.type === "send" ? [decodeMessage(effect.message).type] : []));
const told = (effects: readonly ParticipantEffect[]) =>
  effects.flatMap((effect) =>
    effect.type === "status" && effect.status.kind === "ignored" ? [effect.status.why] : [],
  );
const failure = (effects: readonly ParticipantEffect[]) =>
  effects.flatMap((effect) => (effect.type === "fail" ? [effect.error.message] : []));

function participant(options: { patient?: boolean; agreed?: string | undefined } = {}) {
  const own = { run: ours.run, participant: "north", data, agreed: planHash(ours) };
  return talk(new ParticipantMachine({ ...own, ...options }), "north");
}

describe("a participant that has agreed beforehand", () => {
  test("registers with the curator of its plan, whoever answers first", () => {
    const { offer, retry } = participant();
    const first = offer(theirs);
    expect(told(first)).toEqual([expect.stringContaining("agreed was " + planHash(ours))]);
    expect(spoken(first)).toEqual([]);
    // Another plan is told once, however often it is offered.
    expect(told([...retry(), ...offer(theirs), ...offer(theirs)])).toEqual([]);
    // Only the last one is remembered: what curators may offer without end is not held.
    const third = makePlan({ ...ours, options: { ...ours.options, epsilon: 8 } });
    expect(told([...offer(third), ...offer(third), ...offer(theirs)])).toHaveLength(2);
    expect(spoken(offer(ours))).toEqual(["register"]);
  });

  test("is not sent away, nor told to ask anew, by a curator of another plan", () => {
    const { say, offer } = participant();
    for (const body of [
      { type: "refused", reason: "expelled" },
      { type: "refused", reason: "other-version" },
      { type: "here" },
    ] as Body[]) {
      const effects = say(theirs, body);
      expect(failure(effects)).toEqual([]);
      expect(told(effects)).toEqual(["a message of another plan"]);
    }
    expect(spoken(offer(ours))).toEqual(["register"]);
    const expelled = participant().say(ours, { type: "refused", reason: "expelled" } as Body);
    expect(failure(expelled)).toHaveLength(1);
  });

  test("ends after 14 seconds where nobody has its plan, or waits for one as long as it is let", () => {
    const ends = (options: { patient?: boolean }) => {
      const { offer, retry } = participant(options);
      offer(theirs);
      return Array.from({ length: 8 }, retry).findIndex((effects) => failure(effects).length > 0);
    };
    // After 2, 6 and 14 seconds.
    expect(ends({})).toBe(2);
    expect(ends({ patient: true })).toBe(-1);
  });

  test("is not sent away by an offer that is unreadable, of another run, or of no session", () => {
    const [text, hash] = [canonicalPlan(ours), planHash(ours)];
    const newer = text.replace('"method":', '"meth0d":');
    const foreign = canonicalPlan(makePlan({ ...ours, run: "elsewhere" }));
    const offers: [text: string, session: string, why: string][] = [
      [newer, "7".repeat(32), "plan: "],
      [foreign, "7".repeat(32), "it is of another run"],
      [text, "", "the curator names no session"],
    ];
    for (const [offered, session, why] of offers) {
      const { raw, offer, retry } = participant();
      const first = raw(offered, session);
      expect(failure(first)).toEqual([]);
      expect(told(first)).toEqual([expect.stringContaining(why)]);
      expect(told(raw(offered, session))).toEqual([]);
      expect(spoken([...retry(), ...offer(ours)])).toContain("register");
      // Where nothing else is offered that is why it ends.
      const alone = participant();
      alone.raw(offered, session);
      const ends = Array.from({ length: 3 }, alone.retry).flatMap(failure);
      expect(ends).toEqual([expect.stringContaining(why)]);
      // Whoever is asked, and whoever's very plan it is, hears it at once.
      const asked = participant({ agreed: undefined });
      expect(failure(asked.raw(offered, session))).toEqual([expect.stringContaining(why)]);
    }
    const own = participant({ agreed: textHash(newer) });
    expect(failure(own.raw(newer, "7".repeat(32)))).toHaveLength(1);
    expect(hash).toBe(textHash(text));
  });

  test("waits as before where nobody answers at all", () => {
    const { retry } = participant();
    expect(failure(Array.from({ length: 8 }, retry).flat())).toEqual([]);
  });
});

test("so does a relay", () => {
  const relay = (options: { patient?: boolean }) =>
    talk(
      new RelayMachine({ run: ours.run, relay: "west", agreed: planHash(ours), ...options }),
      "west",
    );
  const { offer, retry } = relay({});
  expect(failure(offer(theirs))).toEqual([]);
  // Every two seconds.
  const ends = Array.from({ length: 9 }, retry).findIndex((effects) => failure(effects).length > 0);
  expect(ends).toBe(6);
  const patient = relay({ patient: true });
  patient.offer(theirs);
  expect(failure(Array.from({ length: 40 }, patient.retry).flat())).toEqual([]);
});
