/** Sums in any order: exact on their grid, within the error that noise is calibrated to, and the same however they are divided. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import { makeEstimator } from "../../../../src/learning/index.js";
import {
  AnyOrderSum,
  inAnyOrder,
  integersOf,
  stepOf,
  type SummedName,
  type SumShape,
} from "../../../../src/learning/round/statistic/any-order.js";
import { statistic } from "../../../../src/learning/round/statistic/statistic.js";
import { makeTasks } from "../../tasks.js";

const NAMES: readonly SummedName[] = [
  ...(["covariance", "diagonal", "augmented-covariance", "vector", "moment"] as const),
];

/** A double as an integer of units of 2^-1074, in which all doubles are whole. */
function whole(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return bits >> 63n ? -size : size;
}

/** Terms of the first entry, in units of 2^-2148, without any rounding. */
const exactFirst = (rows: readonly Float64Array[], name: SummedName) =>
  rows.reduce((sum, [v]) => {
    const x = whole(v!);
    return sum + (name === "vector" || name === "moment" ? x << 1074n : x * x);
  }, 0n);

/** Vectors of norm at most K, some of norm K along an axis. */
const drawn = fc
  .record({
    name: fc.constantFrom(...NAMES),
    m: fc.integer({ min: 1, max: 12 }),
    d: fc.integer({ min: 1, max: 6 }),
    clip: fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
    seed: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 72, maxLength: 72 }),
    along: fc.boolean(),
  })
  .map(({ name, m, d, clip, seed, along }) => {
    const rows = Array.from({ length: m }, (_, i) => {
      const v = Float64Array.from(seed.slice(i * d, (i + 1) * d));
      const norm = Math.sqrt(v.reduce((sum, x) => sum + x * x, 0)) || 1;
      return along ? v.map((_, j) => (j === 0 ? clip : 0)) : v.map((x) => (x * clip) / (norm * (1 + 2 ** -40))); // prettier-ignore
    });
    return { shape: { statistic: name, m, d, clip } satisfies SumShape, rows };
  });

const summed = (shape: SumShape, rows: readonly Float64Array[]) => {
  const sum = new AnyOrderSum(shape);
  for (const row of rows) sum.add(row);
  return sum;
};

test("the error of an entry is at most (m + 2) 2^-53 m B, and integers stay below 2^53", () => {
  fc.assert(
    fc.property(drawn, ({ shape, rows }) => {
      const { statistic: name, m, clip } = shape;
      const sum = summed(shape, rows);
      const bound = { vector: clip, moment: clip, "augmented-covariance": clip * clip + 1 }[
        name as string
      ];
      const allowed =
        (whole((m + 2) * 2 ** -53 * m * (bound ?? clip * clip)) << 1074n) + (1n << 1080n);
      const got = whole(sum.integers[0]! * sum.step) << 1074n;
      const off = got - exactFirst(rows, name);
      expect(off <= allowed && -off <= allowed).toBe(true);
      expect(sum.integers.every((x) => Math.abs(x) <= 2 ** 53 && Number.isInteger(x))).toBe(true);
      expect(Number.isInteger(Math.log2(sum.step))).toBe(true);
      expect(sum.integers).toHaveLength(integersOf(shape));
    }),
    { seed: 1, numRuns: 300 },
  );
});

test("one task's term moves no sum by more than its sensitivity and a millionth, however small K is", () => {
  for (const name of NAMES)
    for (const m of [2, 100, 10_000])
      for (let power = -90; power <= 30; power++)
        for (const part of [1, 1.2, 1.4]) {
          const clip = part * 2 ** (power / 3);
          const shape = { statistic: name, m, d: 1, clip };
          const out = new Float64Array(4);
          summed(shape, [Float64Array.of(clip)]).write(out);
          const most = statisticOf(name, clip);
          expect(out[0]!, `${name} of ${m} tasks, K ${clip}`).toBeLessThan(most * (1 + 1e-6));
        }
});

test("whatever K a relay is told of, a grid has a step", () => {
  for (const name of NAMES)
    for (const clip of [5e-324, 1e-200, 1e-140])
      expect(stepOf({ statistic: name, m: 3, d: 1, clip }), name).toBeGreaterThan(0);
});

/** What a vector of norm K along the first axis adds at most, or, beside a 1, may. */
const statisticOf = (name: SummedName, clip: number) =>
  name === "vector" || name === "moment" ? clip : name === "augmented-covariance" ? clip ** 2 + 1 : clip ** 2; // prettier-ignore

test("parts that are added up apart, in any order, give the same integers", () => {
  fc.assert(
    fc.property(
      drawn,
      fc.array(fc.nat(2), { minLength: 12, maxLength: 12 }),
      ({ shape, rows }, to) => {
        const expected = summed(shape, rows).integers;
        const parts = [0, 1, 2].map((part) => summed(shape, rows.filter((_, i) => to[i] === part).reverse())); // prettier-ignore
        for (const order of [
          [0, 1, 2],
          [2, 0, 1],
        ]) {
          const joined = new Float64Array(expected.length);
          for (const part of order) parts[part]!.integers.forEach((x, k) => (joined[k]! += x));
          expect(joined).toEqual(expected);
        }
      },
    ),
    { seed: 2, numRuns: 200 },
  );
});

describe.each(NAMES)("%s", (name) => {
  test("is the statistic in order but for the last bits", () => {
    const core = openCore();
    const [m, d, clip] = [9, 5, 2];
    const rows = Float64Array.from({ length: m * d }, (_, k) => Math.sin(k + 1) / 3);
    const at = core.arena.f64(m * d);
    core.arena.view(at, m * d).set(rows);
    const plain = statistic(name);
    const length = plain.length(m, d);
    const [one, other] = [core.arena.f64(length), core.arena.f64(length)];
    plain.compute(core, at, one, m, d, core.arena.bytes(plain.workspace(core, m, d)));
    inAnyOrder(name, clip).compute(core, at, other, m, d, 0 as never);
    const off = core.arena.view(one, length).map((x, k) => x - core.arena.view(other, length)[k]!);
    expect(Math.max(...off.map(Math.abs))).toBeLessThan(
      stepOf({ statistic: name, m, d, clip }) * m,
    );
  });
});

test("a fit says which sums cannot be in any order", async () => {
  const tasks = makeTasks({ m: 6, d: 3, rows: () => 12 });
  const fit = (method: string, options: Record<string, unknown>) =>
    makeEstimator(method, { epsilon: 5, delta: 1e-4, rounds: 2, ...options }).fit(tasks, {
      sums: "any-order",
    });
  await expect(
    fit("private-fedavg", { aggregate: { kind: "trimmed-mean", share: 0.2 } }),
  ).rejects.toThrow("not plainly summed");
  await expect(fit("pmtl", { unit: "record" })).rejects.toThrow("single records");
  await expect(
    makeEstimator("mp-low-rank", {}).fit(tasks, { sums: "sorted" as never }),
  ).rejects.toThrow('expected "in-order" or "any-order"');
});
