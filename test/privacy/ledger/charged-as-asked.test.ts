/** What a ledger charges an event as, and how many a list has of it. */
import { expect, test } from "vitest";
import { Ledger, pureEvent, wishartEvent } from "../../../src/privacy/index.js";
import { parseEvents } from "../../../src/privacy/events/parse-events.js";

const options = { epsilon: 3, delta: 0, adjacency: "replace" } as const;
const wishart = wishartEvent({ dimension: 2, degreesOfFreedom: 3, scale: 0.5 });

test("one-sided Wishart noise is charged at its nominal epsilon only where that was asked for", () => {
  const ledger = new Ledger(options);
  expect(() => ledger.charge(wishart, { round: 1 })).toThrow("covers, got a wishart event");
  expect(ledger.entries).toHaveLength(0);
  const nominal = new Ledger({ ...options, nominal: true });
  nominal.charge(wishart, { round: 1 });
  // K^2 / (2 v).
  expect(nominal.spent().epsilon).toBeCloseTo(1, 9);
  nominal.charge(pureEvent({ epsilon: 0.5 }), { round: 2 });
  expect(nominal.spent().epsilon).toBeCloseTo(1.5, 9);
});

test("an event of a list counts as often as the list says", () => {
  const event = { kind: "pure", epsilon: 0.25, adjacency: "replace" };
  expect(parseEvents([{ ...event, count: 3 }, event])).toHaveLength(4);
  expect(parseEvents({ events: [{ ...event, count: 2 }] })).toHaveLength(2);
  expect(parseEvents([event])).toEqual([pureEvent({ epsilon: 0.25 })]);
  for (const count of [0, -1, 1.5, 1e8, "2"])
    expect(() => parseEvents([{ ...event, count }])).toThrow("events[0].count");
});
