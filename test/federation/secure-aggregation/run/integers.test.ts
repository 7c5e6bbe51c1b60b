/** A participant's integers, noise included: the same for a round whoever asks, and gone when it is over. */
import { expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import { CuratorRounds } from "../../../../src/federation/curator/rounds/curator-rounds.js";
import type { ParticipantOutput } from "../../../../src/federation/participant/participant-events.js";
import { PartyOutput } from "../../../../src/federation/protocol/party/party-output.js";
import { ParticipantRounds } from "../../../../src/federation/participant/participant-rounds.js";
import {
  OwnIntegers,
  type RoundIntegers,
} from "../../../../src/federation/secure-aggregation/run/own-integers.js";
import { SecureUpload } from "../../../../src/federation/secure-aggregation/run/secure-upload.js";
import type { CallMessage } from "../../../../src/federation/participant/round-upload.js";
import { readStoredState } from "../../../../src/federation/participant/participant-records.js";
import type {
  OpenRound,
  SumAttempts,
} from "../../../../src/federation/secure-aggregation/run/sum-attempts.js";
import { planOf, tasks } from "../secure-run.js";

const sizes = { m: 7, d: 4, rows: 105, mostRows: 15 };
const terms = { sizes, positions: [0], start: null };
const own = () => tasks.select(["task-0"]);

/** What the tasks show in a round, and their integers of a process that holds some, or none. */
function integersOf(
  plan: ReturnType<typeof planOf>,
  held?: RoundIntegers,
  drawn = held?.round ?? 0,
) {
  const core = openCore();
  const rounds = new ParticipantRounds(plan, own(), terms, [], core);
  const integers = new OwnIntegers(core, plan, rounds.releases, "p0", { integers: held, drawn });
  return { rounds, integers, upload: () => rounds.upload() };
}

test("integers are drawn once a round, held, and zeros afterwards", () => {
  const plan = planOf("mp-low-rank", { rounds: 2, epsilon: 3 });
  const { integers, upload } = integersOf(plan);
  const first = integers.of(1, upload);
  expect(integers.of(1, upload)).toBe(first);
  expect(first.some((value) => value !== 0)).toBe(true);
  const drawn = integers.takeDrawn()!;
  expect(drawn).toEqual({ round: 1, values: first });
  expect(integers.takeDrawn()).toBeUndefined();
  const held = { round: 1, values: first.slice() };
  integers.over(1);
  expect(first.every((value) => value === 0)).toBe(true);
  // Of the next round they are others, though the tasks show the same.
  const second = integers.of(2, upload);
  expect(integers.takeDrawn()!.round).toBe(2);
  expect(second).not.toEqual(held.values);

  // A process that comes back has those that were held, draws none, and wipes them, too.
  const before = { round: 1, values: held.values.slice() };
  const back = integersOf(plan, before);
  const again = back.integers.of(1, back.upload);
  expect(again).toEqual(held.values);
  expect(back.integers.takeDrawn()).toBeUndefined();
  back.integers.over(1);
  expect(before.values.every((value) => value === 0)).toBe(true);
  expect(again.every((value) => value === 0)).toBe(true);
});

test("integers that an earlier process drew, and that are gone, are not drawn again", () => {
  const plan = planOf("mp-low-rank", { rounds: 2, epsilon: 3 });
  const { integers, upload } = integersOf(plan, undefined, 1);
  expect(() => integers.of(1, upload)).toThrow(
    "the integers of round 1 were drawn and are not there any more",
  );
  expect(integers.takeDrawn()).toBeUndefined();
  expect(integers.of(2, upload).some((value) => value !== 0)).toBe(true);
});

test("before anything of a round's integers is sent they are held, and that they were drawn is a record", () => {
  const plan = planOf("mp-low-rank", { rounds: 2, epsilon: 3 });
  const output: ParticipantOutput = new PartyOutput(plan.run, "p0");
  const bytes = new Uint8Array(1);
  const attempts = {
    receive(attempt: number, _bytes: Uint8Array, open: OpenRound) {
      open.integers();
      return [{ kind: "send", attempt, bytes }];
    },
  } as unknown as SumAttempts;
  const { rounds, integers } = integersOf(plan);
  const upload = new SecureUpload(rounds, output, attempts, integers, 0);
  const ask = () => {
    upload.receive({ type: "aggregate", round: 1, attempt: 1, bytes } as CallMessage);
    return output.take();
  };
  const effects = ask();
  expect(effects.map(({ type }) => type)).toEqual(["hold", "append", "send"]);
  const kept = effects.flatMap((effect) =>
    (effect.type === "hold" || effect.type === "append") && effect.record ? [effect.record] : [],
  );
  const { drawn, integers: held } = readStoredState(kept);
  expect([drawn, held?.round]).toEqual([1, 1]);
  expect(readStoredState(kept.slice(0, 1)).drawn).toBe(0);
  // Another attempt draws nothing.
  expect(ask().map(({ type }) => type)).toEqual(["send"]);
});

test("integers are wiped when the broadcast of their round was received", () => {
  const plan = planOf("mp-low-rank", { rounds: 2, epsilon: 3 });
  const { integers, upload } = integersOf(plan);
  const rounds = new ParticipantRounds(plan, own(), terms);
  const first = integers.of(1, upload);
  const output: ParticipantOutput = new PartyOutput(plan.run, "p0");
  new SecureUpload(rounds, output, {} as SumAttempts, integers, 1).over(1);
  expect(first.every((value) => value === 0)).toBe(true);
  expect(output.take()).toEqual([{ type: "hold", record: null }]);
});

test("integers of another plan are refused", () => {
  const plan = planOf("mp-low-rank", { rounds: 1, epsilon: 3 });
  const { integers, upload } = integersOf(plan, { round: 1, values: new Float64Array(3) });
  expect(() => integers.of(1, upload)).toThrow("integers of another plan");
});

test("a ledger of the same budget and length but other releases is not believed", () => {
  const options = { rounds: 1, epsilon: 3 };
  const closed = (clip: number) => {
    const curator = new CuratorRounds(planOf("mp-low-rank", { ...options, clip }), sizes, []);
    curator.open();
    return { curator, broadcast: curator.close(new Float64Array(16)).broadcast };
  };
  const { curator, broadcast } = closed(1);
  const mine = new ParticipantRounds(planOf("mp-low-rank", { ...options, clip: 1 }), own(), terms); // prettier-ignore
  mine.receive(broadcast);
  const guarantee = curator.guarantee();
  expect(guarantee.trust).toMatch(/^no one is trusted with what a task uploads/);
  expect(mine.model({ guarantee, ledger: curator.ledger.toJSON() }).guarantee).toEqual(guarantee);
  const other = closed(2).curator.ledger.toJSON();
  expect(() => mine.model({ guarantee, ledger: other })).toThrow("not that of the plan");
});
