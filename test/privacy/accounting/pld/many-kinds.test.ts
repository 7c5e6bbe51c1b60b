/** Very many kinds of rounds of one family become few. */
import { expect, test } from "vitest";
import { mergeGroups } from "../../../../src/privacy/accounting/pld/merge.js";

test("more kinds of rounds than a call has arguments are merged", () => {
  const count = 130_000;
  const groups = Array.from({ length: count }, (_, i) => ({
    event: { kind: "laplace", scale: 1 + i / count, sensitivity: 1, adjacency: "replace" } as const,
    count: 1,
  }));
  const merged = mergeGroups(groups, "upper");
  expect(merged.length).toBeLessThan(100);
  expect(merged.reduce((sum, group) => sum + group.count, 0)).toBe(count);
});
