/** A participant's integers, noise included: the same for a round whoever asks, and gone when it is over. */
import { expect, test } from "vitest";
import { CuratorRounds } from "../../../src/federation/curator/curator-rounds.js";
import { ParticipantRounds } from "../../../src/federation/participant/participant-rounds.js";
import {
  OwnIntegers,
  type RoundIntegers,
} from "../../../src/federation/secure-aggregation/own-integers.js";
import { openCore } from "../../../src/core/index.js";
import { planOf, tasks } from "./secure-run.js";

const sizes = { m: 7, d: 4, rows: 105, mostRows: 15 };
const terms = { sizes, positions: [0], start: null };
const own = () => tasks.select(["task-0"]);

function broadcastOf(plan: ReturnType<typeof planOf>): Float64Array {
  const curator = new CuratorRounds(plan, sizes, []);
  curator.open();
  return curator.close(new Float64Array(16)).broadcast;
}

/** A participant's rounds with the integers of each, as its machine has them. */
function participant(plan: ReturnType<typeof planOf>, held?: RoundIntegers) {
  const core = openCore();
  const rounds = new ParticipantRounds(plan, own(), terms, [], core);
  const { aggregation } = plan;
  if (!aggregation) throw new Error("expected a plan of secure sums");
  const integers = new OwnIntegers(core, { ...plan, aggregation }, rounds.releases, "p0", held);
  return {
    integers: () => integers.of(rounds.round, () => rounds.upload()),
    takeDrawn: () => integers.takeDrawn(),
    receive(broadcast: Float64Array) {
      integers.over(rounds.round);
      rounds.receive(broadcast);
    },
  };
}

test("integers are drawn once a round, held, and zeros afterwards", () => {
  const plan = planOf("mp-low-rank", { rounds: 2, epsilon: 3 });
  const mine = participant(plan);
  const first = mine.integers();
  expect(mine.integers()).toBe(first);
  expect(first.some((value) => value !== 0)).toBe(true);
  const drawn = mine.takeDrawn()!;
  expect(drawn).toEqual({ round: 1, values: first });
  expect(mine.takeDrawn()).toBeUndefined();
  const values = first.slice();
  mine.receive(broadcastOf(plan));
  expect(first.every((value) => value === 0)).toBe(true);
  // Of the next round they are others.
  const second = mine.integers();
  expect(mine.takeDrawn()!.round).toBe(2);
  expect(second).not.toEqual(values);

  // A process that comes back has those that were held, draws none, and wipes them, too.
  const held = { round: 1, values: values.slice() };
  const back = participant(plan, held);
  const again = back.integers();
  expect(again).toEqual(values);
  expect(back.takeDrawn()).toBeUndefined();
  back.receive(broadcastOf(plan));
  expect(held.values.every((value) => value === 0)).toBe(true);
  expect(again.every((value) => value === 0)).toBe(true);
});

test("integers of another plan are refused", () => {
  const plan = planOf("mp-low-rank", { rounds: 1, epsilon: 3 });
  const mine = participant(plan, { round: 1, values: new Float64Array(3) });
  expect(() => mine.integers()).toThrow("integers of another plan");
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
  expect(mine.model({ guarantee, ledger: curator.ledger.toJSON() }).guarantee).toEqual(guarantee);
  const other = closed(2).curator.ledger.toJSON();
  expect(() => mine.model({ guarantee, ledger: other })).toThrow("not that of the plan");
});
