import { describe, expect, test } from "vitest";
import { ColumnUnder } from "../../../../../../src/learning/families/mixed/squared/stated/column-under.js";
import type { RoundTold } from "../../../../../../src/learning/families/mixed/squared/stated/left-of-clip.js";
import { releasesUnder } from "../../../../../../src/learning/families/mixed/squared/stated/releases-under.js";
import { invertDefinite } from "../../../../../../src/linalg/small-matrices.js";
import { generator } from "../../../../../../bench/uniform-draws.js";

const { normal, uniform } = generator(1);

const vector = (d: number) => Float64Array.from({ length: d }, normal);

function definite(d: number): Float64Array {
  const a = Array.from({ length: d }, () => Array.from({ length: d }, normal));
  return Float64Array.from({ length: d * d }, (_, at) => {
    const [i, j] = [Math.floor(at / d), at % d];
    return a[i]!.reduce((sum, x, k) => sum + x * a[j]![k]!, i === j ? 1 : 0);
  });
}

function release(d: number, { curvature, information }: Record<string, boolean>): RoundTold {
  const [metric, told] = [definite(d), definite(d)];
  return {
    effects: vector(d),
    score: vector(d),
    bound: 1,
    spread: definite(d),
    told,
    metric,
    inverse: invertDefinite(metric, d),
    noise: 2,
    information: information ? { sum: definite(d), noise: 0.5 } : undefined,
    curvature: curvature ? { along: vector(d), value: 1, noise: 1 } : undefined,
    weight: 0.7,
    turned: 0.8,
    square: 1,
  };
}

describe("what releases say of one effect under another part of its column is what they say of all effects under it", () => {
  test.each([
    ["curvatures", { curvature: true }],
    ["neither", {}],
    ["information", { information: true }],
    ["both", { curvature: true, information: true }],
  ] as const)("releases with %s, to 1e-9 relative", (_, parts) => {
    for (const d of [1, 4, 9]) {
      const rounds = [release(d, {}), release(d, parts), release(d, parts)];
      const from = rounds.map(() => Float64Array.from({ length: d }, () => 0.2 + uniform()));
      const given = { widths: Float64Array.from({ length: d }, () => 1 + uniform()), m: 10 };
      const columns = new ColumnUnder(rounds, from, given);
      const constants: number[] = [];
      for (const c of new Set([0, d >> 1, d - 1])) {
        for (const part of [0.1, 1, 1.3]) {
          const own = rounds.map((__, t) => part * (t + 1));
          const roots = from.map((root, t) => root.map((value, e) => (e === c ? own[t]! : value)));
          const all = releasesUnder(rounds, roots, given);
          const one = columns.under(c, own);
          const near = (found: number, expected: number) =>
            expect(Math.abs(found - expected)).toBeLessThan(1e-9 * Math.max(Math.abs(expected), 1));
          near(one.mean, all.mean[c]!);
          near(one.variance / all.error[c * (d + 1)]!, 1);
          expect(one.weight).toBeCloseTo(all.weight, 12);
          constants.push(all.evidence - one.evidence);
        }
      }
      // Evidence is up to a constant.
      constants.forEach((constant) => expect(constant).toBeCloseTo(constants[0]!, 8));
    }
  });
});
