/**
 * Two exchanges of a mixed model that differ in one task, which receive the same releases.
 * @module
 */
import { expect } from "vitest";
import { sensitivity } from "../../../../src/privacy/sensitivity.js";
import type {
  MixedExchange,
  MixedRelease,
} from "../../../../src/learning/families/mixed/exchange.js";

type Exchange = Pick<MixedExchange, "upload" | "receive">;

/** Numbers of three tasks (1, 3 and 5 rows of 3 features, then targets), the last task's being others'. */
export const withAnotherLastTask = (values: readonly number[], others: readonly number[]) =>
  values.map((value, k) => ((k >= 12 && k < 27) || k >= 31 ? others[k]! : value));

/**
 * Expects that no sum of the uploads moves by more than its sensitivity from one exchange to the other. Both then
 * receive the first one's sum with noise, as they would in a run.
 * @param deviation of the noise of a release of this sensitivity.
 */
export function expectNeighboursWithinSensitivity(
  [one, other]: readonly [Exchange, Exchange],
  releases: readonly MixedRelease[],
  draw: () => number,
  deviation: (most: number, fraction: number) => number,
): void {
  releases.forEach(({ statistic, length, fraction }, k) => {
    const sumOf = (exchange: Exchange) => {
      const sum = new Float64Array(length);
      const uploads = exchange.upload(k);
      for (let at = 0; at < uploads.length; at++) sum[at % length]! += uploads[at]!;
      return sum;
    };
    const [a, b] = [sumOf(one), sumOf(other)];
    const moved = Math.hypot(...a.map((value, at) => value - b[at]!));
    const bound = { statistic, norm: "frobenius", adjacency: "replace", clip: 1 } as const;
    const most = sensitivity({ ...bound, tasks: 3, dimension: length });
    expect(moved).toBeLessThanOrEqual(most * (1 + 1e-12));
    const spread = deviation(most, fraction);
    const received = a.map((value) => value + spread * draw());
    for (const exchange of [one, other]) exchange.receive(k, received, spread);
  });
}
