/** Who was expelled: nothing is taken from it, and nobody waits for it. */
import { expect, test } from "vitest";
import { Registry } from "../../../../src/federation/curator/members/registry.js";
import { makePlan } from "../../../../src/federation/index.js";

const plan = makePlan({
  run: "expelled",
  method: "mp-low-rank",
  features: ["a"],
  registration: 10,
  minimumTasks: 2,
  options: { delta: 1e-5 },
});
const rows = 5;

test("who was expelled registers nothing any more, before or after the start", () => {
  for (const forget of [true, false]) {
    const registry = new Registry(plan);
    expect(registry.register("p", [{ name: "one", rows }])).toBeUndefined();
    expect(registry.register("q", [{ name: "two", rows }])).toBeUndefined();
    expect(registry.expel("p", forget)).toBe(true);
    expect(registry.expel("p", forget)).toBe(false);
    expect(registry.register("p", [{ name: "one", rows }])).toBe("expelled");
    expect(registry.register("p", [{ name: "three", rows }])).toBe("expelled");
    expect(registry.staying()).toEqual(["q"]);
    // Before the start its tasks are free again.
    expect(registry.register("r", [{ name: "one", rows }])).toBe(forget ? undefined : "task-taken");
    registry.arrange();
    expect(registry.awaited).toBe(forget ? 2 : 1);
  }
});
