/** Whom a run starts without: those whose tasks are too large for the plan, and nobody where the program fails. */
import { expect, test } from "vitest";
import type { Registry } from "../../../../src/federation/curator/members/registry.js";
import { whoStops } from "../../../../src/federation/curator/members/who-stops.js";
import type { Plan } from "../../../../src/federation/protocol/plan/plan-form.js";

const sizes = { m: 4, d: 2, rows: 400, mostRows: 300, weighted: false, owners: [] };
const registry = {
  sizes: () => sizes,
  withRows: () => ["large"],
} as unknown as Registry;

/** A plan whose options fail when they are asked for. */
const failing = (error: Error) =>
  ({
    method: "pmtl",
    get options() {
      throw error;
    },
  }) as unknown as Plan;

test("a plan that cannot be for any sizes stops nobody, a fault of the program keeps its name", () => {
  const first = new RangeError("no budget");
  expect(whoStops(first, failing(first), registry)).toBeUndefined();
  const fault = new TypeError("undefined is not a function");
  expect(() => whoStops(first, failing(fault), registry)).toThrow(fault);
});
