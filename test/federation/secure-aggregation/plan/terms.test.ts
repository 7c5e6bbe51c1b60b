/** Numbers of a round's secure sum: the modulus holds all participants' integers with all their noise. */
import { expect, test } from "vitest";
import { plannedMethod } from "../../../../src/federation/protocol/plan/planned-method.js";
import { aggregationTerms } from "../../../../src/federation/secure-aggregation/plan/terms.js";
import { shareOptionsOf } from "../../../../src/federation/secure-aggregation/plan/planned.js";
import { n, planOf } from "../secure-run.js";

const sizes = { m: 7, d: 4, rows: 105, mostRows: 15 };

test("32 bits where the sum stays below 2^31 but for a chance of 2^-100, else 64, at every budget", () => {
  const found = new Set<number>();
  for (let epsilon = 1e-4; epsilon < 1e5; epsilon *= 1.25) {
    const plan = planOf("mp-low-rank", { rounds: 2, epsilon }, { precision: 10 });
    const terms = aggregationTerms(plannedMethod(plan, sizes).releases, shareOptionsOf(plan.aggregation)); // prettier-ignore
    expect(terms).toHaveLength(2);
    for (const { grid, steps, bits } of terms) {
      // Entries of a covariance are at most radius^2 each; those on its diagonal have twice the variance s^2 of a share.
      const signal = sizes.m * grid.lattice.radius ** 2;
      const reach = Math.sqrt(
        2 * (2 * n * steps ** 2) * (Math.log(2 * grid.entries) + 100 * Math.LN2),
      );
      expect(bits).toBe(signal + reach < 2 ** 31 ? 32 : 64);
      found.add(bits);
    }
  }
  expect([...found].sort()).toEqual([32, 64]);
});
