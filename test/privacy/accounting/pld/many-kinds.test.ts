/** Very many kinds of rounds of one family become few. */
import { expect, test } from "vitest";
import { laplaceEvent } from "../../../../src/privacy/index.js";
import { rdpAccountant } from "../../../../src/privacy/accounting/accountants/rdp-accountant.js";
import { groupEvents } from "../../../../src/privacy/accounting/groups.js";
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

test("Renyi accounting rounds very many kinds up to few, and is not below the cost of all of them", () => {
  const count = 2000;
  const events = Array.from({ length: count }, (_, i) =>
    laplaceEvent({ scale: 60 * 2 ** (i / count) }),
  );
  const orders = Array.from({ length: 60 }, (_, k) => 1.05 + k / 2);
  // Kind by kind, by Mironov's formula, in the test's own arithmetic.
  const divergence = (order: number) =>
    events.reduce((sum, { scale }) => {
      const [a, b] = [order - 1, 1 / scale];
      const moment = (order * Math.expm1(a * b) + a * Math.expm1(-order * b)) / (2 * order - 1);
      return sum + Math.log1p(moment) / a;
    }, 0);
  const accountant = rdpAccountant(orders);
  const delta = 1e-5;
  const all = Math.min(
    ...orders.map((order) => {
      const kept = Math.log1p(-1 / order) - (Math.log(delta) + Math.log(order)) / (order - 1);
      return divergence(order) + kept;
    }),
  );
  const found = accountant.epsilon(groupEvents(events), delta);
  expect(found).toBeGreaterThanOrEqual(all);
  expect(found).toBeLessThan(1.01 * all);
  // Rounded up it is: that every kind was gone through would be equal but for the last digits.
  expect(found).toBeGreaterThan(1.00001 * all);
});
