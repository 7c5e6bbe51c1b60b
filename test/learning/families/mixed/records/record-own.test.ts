/** A task's model from the moments that it released to itself: the units of these do not matter, and their noise does. */
import { expect, test } from "vitest";
import { openCore } from "../../../../../src/core/index.js";
import type { MixedPrior } from "../../../../../src/learning/families/mixed/exchange.js";
import { RecordExchange } from "../../../../../src/learning/families/mixed/records/record-exchange.js";
import {
  meansOfRows,
  type NoisyMeans,
} from "../../../../../src/learning/families/mixed/records/record-means.js";
import { rowMoments } from "../../../../../src/learning/families/mixed/records/record-moments.js";
import { solveFromMoments } from "../../../../../src/learning/families/mixed/records/record-own.js";
import { CLIPS } from "../../../../../src/learning/families/mixed/records/record-settings.js";
import { weightedSizes } from "../../../../../src/learning/families/mixed/weighted-sizes.js";
import type { OwnRelease } from "../../../../../src/learning/release/own-release.js";
import { packed } from "../../../../../src/linalg/packed-symmetric.js";
import { generator } from "../../../../../bench/uniform-draws.js";

const d = 3;
const diagonal = (values: readonly number[]) => {
  const out = new Float64Array(d * d);
  values.forEach((value, k) => (out[k * (d + 1)] = value));
  return out;
};
const prior: MixedPrior = {
  fixedEffects: Float64Array.of(0.5, -0.5, 0.2),
  stated: () => ({ fixedEffectsCovariance: diagonal([0, 0, 0]) }),
  releaseCovariance: diagonal([0, 0, 0]),
  covariance: diagonal([2, 2, 1]),
  noise: 0.01,
};
const shared: NoisyMeans = {
  size: d,
  around: new Float64Array(d),
  gram: diagonal([0.3, 0.3, 1]),
  doubt: diagonal([0, 0, 0]),
  cross: Float64Array.of(0, 0, 0),
  square: 1,
  deviation: 0,
  count: 1000,
  samples: 1000,
};

/** Sums over rows of (x, 1, y) times itself, of a model. */
function momentsOf(model: readonly number[], n: number) {
  const { uniform } = generator(4);
  const sum = new Float64Array((d + 1) ** 2);
  for (let row = 0; row < n; row++) {
    const x = [2 * uniform() - 1, 2 * uniform() - 1, 1];
    const z = [...x, x.reduce((total, value, k) => total + value * model[k]!, 0)];
    for (let i = 0; i <= d; i++)
      for (let j = 0; j <= d; j++) sum[i * (d + 1) + j]! += z[i]! * z[j]!;
  }
  return sum;
}
const model = [1.5, -1, 0.7];
const n = 200;
const sums = momentsOf(model, n);

/** Everything in units of c. */
function solved(deviation: number, clip: number) {
  const moments = new Float64Array(((d + 1) * (d + 2)) / 2);
  packed(sums, d + 1, 1 / clip, moments);
  return solveFromMoments(prior, shared, { moments, deviation: deviation / clip, clip, rows: Float64Array.of(n) }); // prettier-ignore
}

test("without noise of its own it is the model of the rows, with much of it that of all", () => {
  solved(1e-9, 4).models.forEach((value, k) => expect(value).toBeCloseTo(model[k]!, 2));
  solved(1e7, 4).models.forEach((value, k) => expect(value).toBeCloseTo(prior.fixedEffects[k]!, 3));
  const spread = solved(1e7, 4).covariances;
  [2, 2, 1].forEach((value, k) =>
    expect(spread[((k + 1) * (k + 2)) / 2 - 1]).toBeCloseTo(value, 3),
  );
});

test("it is the same whatever the unit of the moments", () => {
  for (const deviation of [1, 20, 300]) {
    const one = solved(deviation, 1);
    for (const clip of [0.2, 7]) {
      const other = solved(deviation, clip);
      other.models.forEach((value, k) => expect(value).toBeCloseTo(one.models[k]!, 9));
      other.covariances.forEach((value, k) => expect(value).toBeCloseTo(one.covariances[k]!, 9));
    }
  }
});

test("rows that were shrunk to the norm allowed count for the part that is left of them", () => {
  const own = { draw: (moments: Float64Array) => moments, deviation: 30 } as unknown as OwnRelease;
  const each = 40;
  const { uniform } = generator(6);
  const far = 3;
  const x = Float64Array.from({ length: 2 * each * 2 }, (_, k) =>
    k % 2 === 1 ? 1 : far * (2 * uniform() - 1),
  );
  const y = Float64Array.from({ length: 2 * each }, (_, row) => 0.8 * x[2 * row]! + 0.2);
  const offsets = Uint32Array.of(0, each, 2 * each);
  const rows = { x, y, offsets, d: 2, m: 2 };
  const c = CLIPS.rows * 3;
  const exchange = new RecordExchange(
    openCore(),
    rows,
    { m: 2, d: 2, meanRows: each },
    {
      own,
      clipTasks: false,
      of: weightedSizes({ m: 2, d: 1, rows: 2 * each, mostRows: each }, undefined),
    },
  );
  const sums: Float64Array[] = [];
  for (const release of [0, 1, 2]) {
    const uploads = exchange.upload(release);
    const length = uploads.length / 2;
    const sum = uploads.slice(0, length).map((value, k) => value + uploads[length + k]!);
    sums.push(sum);
    exchange.receive(release, sum, 1e-9);
  }
  const { models, prior } = exchange.solve();
  const ofRows = meansOfRows(sums[0]!, { d: 2, c, rows: 2 * each, deviation: 1e-9 });
  const left = y.reduce((sum, t, row) => sum + Math.min(1, c / (x[2 * row]! ** 2 + 1 + t * t)), 0);
  expect(left).toBeLessThan(0.6 * 2 * each);
  const expected = solveFromMoments(prior, ofRows, {
    moments: rowMoments(rows, 2, c),
    deviation: own.deviation,
    clip: c,
    rows: Float64Array.of(left / 2, left / 2),
  });
  models.forEach((value, k) => expect(value).toBeCloseTo(expected.models[k]!, 6));
});
