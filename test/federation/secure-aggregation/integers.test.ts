/** A participant's integers, noise included: the same for a round whoever asks, and gone when it is over. */
import { expect, test } from "vitest";
import { CuratorRounds } from "../../../src/federation/curator/curator-rounds.js";
import { ParticipantRounds } from "../../../src/federation/participant/participant-rounds.js";
import { plannedMethod } from "../../../src/federation/protocol/planned-method.js";
import { OwnIntegers } from "../../../src/federation/secure-aggregation/own-integers.js";
import { openCore } from "../../../src/core/index.js";
import { planOf, tasks } from "./secure-run.js";

const sizes = { m: 7, d: 4, rows: 105, mostRows: 15 };
const terms = { sizes, positions: [0], start: null };
const own = () => tasks.select(["task-0"]);

/** Integers of participant p0, which an earlier process may have held. */
function integersOf(held?: { round: number; values: Float64Array }) {
  const plan = planOf("mp-low-rank", { rounds: 2, epsilon: 3 });
  if (!plan.aggregation) throw new Error("expected secure sums");
  const { releases } = plannedMethod(plan, sizes);
  const secure = { ...plan, aggregation: plan.aggregation };
  return new OwnIntegers(openCore(), secure, releases, "p0", held);
}
const upload = () => Float64Array.of(0.1, 0.2, -0.3, 0.4);
const zeros = (values: Float64Array) => values.every((value) => value === 0);

test("integers are drawn once a round, held, and zeros afterwards", () => {
  const mine = integersOf();
  const first = mine.of(1, upload);
  expect(mine.of(1, upload)).toBe(first);
  expect(zeros(first)).toBe(false);
  expect(mine.takeDrawn()).toEqual({ round: 1, values: first });
  expect(mine.takeDrawn()).toBeUndefined();
  const kept = first.slice();
  mine.over(1);
  expect(zeros(first)).toBe(true);
  // Of the next round they are others; what is over before it leaves them.
  const second = mine.of(2, upload);
  expect(second).not.toEqual(kept);
  expect(mine.takeDrawn()!.round).toBe(2);
  mine.over(1);
  expect(zeros(second)).toBe(false);

  // A process that comes back has those that were held, draws none, and wipes them, too.
  const held = { round: 1, values: kept.slice() };
  const back = integersOf(held);
  const again = back.of(1, () => {
    throw new Error("nothing is computed again");
  });
  expect(again).toEqual(kept);
  expect(back.takeDrawn()).toBeUndefined();
  back.over(1);
  expect(zeros(held.values)).toBe(true);
});

test("integers of another plan are refused", () => {
  const mine = integersOf({ round: 1, values: new Float64Array(3) });
  expect(() => mine.of(1, upload)).toThrow("integers of another plan");
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
