import { expect, test } from "vitest";
import {
  productsOf,
  releasesUnder,
  type RoundTold,
} from "../../../../../src/learning/families/mixed/squared/releases-under.js";
import { invertDefinite } from "../../../../../src/linalg/small-matrices.js";
import { generator } from "../../../uniform-draws.js";

test("products that kinds of a column have alike give what all of them give", () => {
  const { normal } = generator(1);
  const d = 4;
  const definite = () => {
    const a = Array.from({ length: d }, () => Array.from({ length: d }, normal));
    return Float64Array.from({ length: d * d }, (_, at) => {
      const [i, j] = [Math.floor(at / d), at % d];
      return a[i]!.reduce((sum, x, k) => sum + x * a[j]![k]!, i === j ? 1 : 0);
    });
  };
  const vector = () => Float64Array.from({ length: d }, normal);
  const rounds = Array.from({ length: 3 }, (): RoundTold => {
    const [metric, told] = [definite(), definite()];
    return {
      ...{ effects: vector(), score: vector(), bound: 1, spread: definite(), told, metric },
      ...{ inverse: invertDefinite(metric, d), noise: 2, information: undefined },
      curvature: { along: vector(), value: 1, noise: 1 },
      ...{ weight: 0.7, turned: 0.8, square: 1 },
    };
  });
  const from = rounds.map(() => Float64Array.of(1, 0.5, 0.8, 0.9));
  const roots = rounds.map(() => Float64Array.of(1, 0.5, 0.2, 0.9));
  const given = { widths: new Float64Array(d).fill(2), m: 10 };
  const products = rounds.map((round, t) => productsOf(round, from[t]!));
  const [all, alike] = [
    releasesUnder(rounds, roots, given),
    releasesUnder(rounds, roots, given, { c: 2, from, products }),
  ];
  expect(alike.evidence).toBeCloseTo(all.evidence, 9);
  alike.error.forEach((value, at) => expect(value).toBeCloseTo(all.error[at]!, 12));
  alike.mean.forEach((value, at) => expect(value).toBeCloseTo(all.mean[at]!, 12));
});
