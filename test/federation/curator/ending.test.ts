/** After the last round: the curator says for whom it stays, and at the end whose word it did not get. */
import { expect, test } from "vitest";
import { plan, started, type Desk } from "../desk.js";

const OWNERS: Readonly<Record<string, number[]>> = { north: [0, 1], south: [2], west: [3] };

/** A desk whose rounds are over. */
function over(): Desk {
  const desk = started();
  const { length: numbers } = plan.features;
  for (const round of [1, 2, 3]) {
    for (const [owner, positions] of Object.entries(OWNERS)) {
      desk.push(owner, round, positions, new Array<number>(positions.length * numbers).fill(0));
    }
  }
  return desk;
}

const awaited = (desk: Desk) => desk.statuses("lingering").map((one) => one.awaited);

test("it says for whom it stays after a while, and again when that has changed", () => {
  const desk = over();
  desk.say("north", { type: "finish" });
  expect(awaited(desk)).toEqual([]);
  desk.take({ type: "timer", name: "remind" });
  desk.take({ type: "timer", name: "remind" });
  expect(desk.statuses("lingering")).toEqual([
    { kind: "lingering", awaited: ["south", "west"], longest: 60_000 },
  ]);
  desk.say("west", { type: "finish" });
  desk.take({ type: "timer", name: "remind" });
  expect(awaited(desk)).toEqual([["south", "west"], ["south"]]);
  const end = desk.take({ type: "timer", name: "linger" }).find(({ type }) => type === "end");
  expect(end).toMatchObject({ result: { finished: ["north", "west"], unheard: ["south"] } });
});

test("nobody is named who said that it has its models, or has no part any more", () => {
  const desk = over();
  desk.take({ type: "expel", participant: "west" });
  desk.take({ type: "timer", name: "remind" });
  expect(awaited(desk)).toEqual([["north", "south"]]);
  desk.say("south", { type: "leave" });
  const end = desk.say("north", { type: "finish" }).find(({ type }) => type === "end");
  expect(end).toMatchObject({ result: { finished: ["north"], unheard: [] } });
});
