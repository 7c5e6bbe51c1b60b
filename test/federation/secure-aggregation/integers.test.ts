/** A participant's integers, noise included: the same for a round whoever asks, and gone when it is over. */
import { expect, test } from "vitest";
import { CuratorRounds } from "../../../src/federation/curator/curator-rounds.js";
import { ParticipantRounds } from "../../../src/federation/participant/participant-rounds.js";
import { planOf, tasks } from "./secure-run.js";

const sizes = { m: 7, d: 4, rows: 105, mostRows: 15 };
const terms = { sizes, positions: [0], start: null };
const own = () => tasks.select(["task-0"]);

function broadcastOf(plan: ReturnType<typeof planOf>): Float64Array {
  const curator = new CuratorRounds(plan, sizes, []);
  curator.open();
  return curator.close(new Float64Array(16)).broadcast;
}

test("integers are drawn once a round, held, and zeros afterwards", () => {
  const plan = planOf("mp-low-rank", { rounds: 2, epsilon: 3 });
  const mine = new ParticipantRounds(plan, "p0", own(), terms);
  const first = mine.open.integers();
  expect(mine.open.integers()).toBe(first);
  expect(first.some((value) => value !== 0)).toBe(true);
  const drawn = mine.takeDrawn()!;
  expect(drawn).toEqual({ round: 1, values: first });
  expect(mine.takeDrawn()).toBeUndefined();
  const held = { round: 1, values: first.slice() };
  mine.receive(broadcastOf(plan));
  expect(first.every((value) => value === 0)).toBe(true);
  // Of the next round they are others.
  const second = mine.open.integers();
  expect(mine.takeDrawn()!.round).toBe(2);
  expect(second).not.toEqual(held.values);

  // A process that comes back has those that were held, draws none, and wipes them, too.
  const before = { shown: [], integers: { round: 1, values: held.values.slice() } };
  const back = new ParticipantRounds(plan, "p0", own(), terms, before);
  const again = back.open.integers();
  expect(again).toEqual(held.values);
  expect(back.takeDrawn()).toBeUndefined();
  back.receive(broadcastOf(plan));
  expect(before.integers.values.every((value) => value === 0)).toBe(true);
  expect(again.every((value) => value === 0)).toBe(true);
});

test("integers of another plan are refused", () => {
  const plan = planOf("mp-low-rank", { rounds: 1, epsilon: 3 });
  const before = { shown: [], integers: { round: 1, values: new Float64Array(3) } };
  const mine = new ParticipantRounds(plan, "p0", own(), terms, before);
  expect(() => mine.open.integers()).toThrow("integers of another plan");
});

test("a ledger of the same budget and length but other releases is not believed", () => {
  const options = { rounds: 1, epsilon: 3 };
  const closed = (clip: number) => {
    const curator = new CuratorRounds(planOf("mp-low-rank", { ...options, clip }), sizes, []);
    curator.open();
    return { curator, broadcast: curator.close(new Float64Array(16)).broadcast };
  };
  const { curator, broadcast } = closed(1);
  const mine = new ParticipantRounds(planOf("mp-low-rank", { ...options, clip: 1 }), "p0", own(), terms); // prettier-ignore
  mine.receive(broadcast);
  const guarantee = curator.guarantee();
  expect(mine.model({ guarantee, ledger: curator.ledger.toJSON() }).guarantee).toEqual(guarantee);
  const other = closed(2).curator.ledger.toJSON();
  expect(() => mine.model({ guarantee, ledger: other })).toThrow("not that of the plan");
});
