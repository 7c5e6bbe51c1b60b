/** The order of tasks, and with it the bits of every sum, depends on names and not on who came first. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Registry } from "../../../../src/federation/curator/members/registry.js";
import { makePlan } from "../../../../src/federation/index.js";

const plan = makePlan({
  run: "order",
  method: "mp-low-rank",
  features: ["a"],
  registration: 10,
  minimumTasks: 3,
  options: { delta: 1e-5 },
});
const NAMES = ["b", "a", "z", "M", "10", "9", "é", "e"];

/** Every task's position, when participants register in this order. */
function positions(order: readonly string[]): Record<string, number> {
  const registry = new Registry(plan);
  for (const name of order) {
    expect(registry.register(`owner of ${name}`, [{ name, rows: 5 }])).toBeUndefined();
  }
  registry.arrange();
  return Object.fromEntries(
    registry.members().map(({ tasks, positions: at }) => [tasks[0]!.name, at[0]!]),
  );
}

test("tasks stand in the order of their names by code unit, whoever registers first", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(NAMES, { minLength: NAMES.length }), (order) => {
      expect(positions(order)).toEqual({ "10": 0, "9": 1, M: 2, a: 3, b: 4, e: 5, z: 6, é: 7 });
    }),
    { numRuns: 50, seed: 20 },
  );
});
