/** No number of an attempt is used twice, and every one is kept before it is used. */
import { expect, test } from "vitest";
import { AttemptNumbers } from "../../../../src/federation/curator/rounds/attempt-numbers.js";
import { MOST_ATTEMPTS } from "../../../../src/federation/protocol/messages/attempts.js";
import type { CuratorRecord } from "../../../../src/federation/protocol/records.js";

function numbersAfter(...kept: [round: number, attempt: number][]) {
  const records = kept.map(([round, attempt]) => ({ type: "attempt", round, attempt }) as const);
  const keep: CuratorRecord[] = [];
  const output = { keep: (record: CuratorRecord) => void keep.push(record) };
  return { keep, numbers: new AttemptNumbers(records, output) };
}

test("numbers go on after those of earlier processes, each round's by itself, and are kept", () => {
  const { keep, numbers } = numbersAfter([1, 1], [1, 2], [2, 1]);
  expect([1, 2, 3].map((round) => numbers.last(round))).toEqual([2, 1, 0]);
  expect([numbers.next(1), numbers.next(1), numbers.next(3)]).toEqual([3, 4, 1]);
  expect([1, 2, 3].map((round) => numbers.last(round))).toEqual([4, 1, 1]);
  expect(keep).toEqual([
    { type: "attempt", round: 1, attempt: 3 },
    { type: "attempt", round: 1, attempt: 4 },
    { type: "attempt", round: 3, attempt: 1 },
  ]);
});

test("nobody begins more attempts than parties heed, and none is kept", () => {
  const { keep, numbers } = numbersAfter([1, MOST_ATTEMPTS - 1]);
  expect(numbers.next(1)).toBe(MOST_ATTEMPTS);
  expect(() => numbers.next(1)).toThrow("round 1: 10000 attempts at its sum failed");
  expect([numbers.last(1), keep.length]).toEqual([MOST_ATTEMPTS, 1]);
});
