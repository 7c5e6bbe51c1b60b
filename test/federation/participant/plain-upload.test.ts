/** Vectors towards a round's sum: for a participant's own tasks only, once a round, and kept before they are sent where noise is in them. */
import { expect, test } from "vitest";
import type { ParticipantOutput } from "../../../src/federation/participant/participant-events.js";
import { PartyOutput } from "../../../src/federation/protocol/party/party-output.js";
import type { ParticipantRounds } from "../../../src/federation/participant/participant-rounds.js";
import { PlainUpload } from "../../../src/federation/participant/plain-upload.js";
import type { Drawn } from "../../../src/federation/protocol/messages/messages.js";
import { decodeMessage } from "../../../src/federation/protocol/messages/message-bytes.js";

/** A participant of tasks 2 and 5, in round 4. */
function participant({ sampled = false, irrevocable = false, shown = [] as number[] } = {}) {
  const output: ParticipantOutput = new PartyOutput("run", "p");
  const computed: unknown[] = [];
  const rounds = {
    round: 4,
    rounds: 9,
    positions: [2, 5],
    sampled,
    irrevocable,
    owns: (at: number) => at === 2 || at === 5,
    whyNoSample: (drawn?: readonly number[]) =>
      drawn?.length === (sampled ? 2 : undefined) ? undefined : "marks of another number of tasks",
    upload: (drawn?: readonly number[]) => {
      computed.push(drawn);
      return Float64Array.of(1, 2, 3, 4);
    },
  } as unknown as ParticipantRounds;
  const values = Float64Array.of(9);
  const upload = new PlainUpload(
    rounds,
    output,
    shown.map((round) => ({ round, values })),
  );
  const call = (positions: number[], drawn?: number[]) => {
    const body = {
      type: "call",
      round: 4,
      positions,
      ...(drawn ? { drawn: drawn as Drawn } : {}),
    } as const;
    return upload.receive({ run: "run", session: "s", plan: "h", participant: "p", ...body });
  };
  const effects = () =>
    output.take().map((effect) => {
      if (effect.type === "send") return decodeMessage(effect.message).type;
      return effect.type === "status" ? effect.status.kind : effect.type;
    });
  return { upload, call, effects, computed };
}

test("a call for its own tasks is heeded, one for others' tasks, or with others' marks, is not", () => {
  const { call, effects } = participant();
  expect(call([2, 5])).toBe(true);
  expect(call([5])).toBe(true);
  expect(effects()).toEqual([]);
  for (const wrong of [[3], [2, 3], [2, 5, 6]]) expect(call(wrong)).toBe(false);
  expect(call([2, 5], [1, 0])).toBe(false);
  expect(effects()).toEqual(["ignored", "ignored", "ignored", "ignored"]);
});

test("a round's vectors are sent once, and again when called again", () => {
  const { upload, call, effects, computed } = participant();
  upload.open();
  upload.open();
  expect(effects()).toEqual(["upload", "uploaded"]);
  call([2, 5]);
  upload.open();
  expect(effects()).toEqual(["upload", "uploaded"]);
  expect(computed).toEqual([undefined, undefined]);
});

test("who may not be drawn sends nothing before it is told, and then what it was told", () => {
  const { upload, call, effects, computed } = participant({ sampled: true });
  upload.open();
  expect(effects()).toEqual([]);
  expect(call([2, 5])).toBe(false);
  expect(call([2, 5], [0, 1])).toBe(true);
  effects();
  upload.open();
  expect(effects()).toEqual(["upload", "uploaded"]);
  expect(computed).toEqual([[0, 1]]);
  expect(upload.drawn(4)).toEqual([0, 1]);
  expect(upload.drawn(5)).toBeUndefined();
});

test("what carries record noise is kept before it is sent, once", () => {
  const fresh = participant({ irrevocable: true });
  fresh.upload.open();
  expect(fresh.effects()).toEqual(["append", "upload", "uploaded"]);
  fresh.call([2]);
  fresh.upload.open();
  expect(fresh.effects()).toEqual(["upload", "uploaded"]);
  const back = participant({ irrevocable: true, shown: [4] });
  back.upload.open();
  expect(back.effects()).toEqual(["upload", "uploaded"]);
});
