/**
 * How far a task's vector moves with one record where it is cut to a norm in floating point, in whole numbers as long as it takes, against
 * the lemma of `record-account.ts` and what the record is charged for.
 */
import { expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { planReleases } from "../../../src/learning/release/plan-releases.js";
import { withRecordAccount } from "../../../src/learning/release/record-account.js";
import { clippedTo } from "../../../src/linalg/norm.js";

/** A double as a whole number of 2^-1074. */
function whole(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(x));
  const bits = view.getBigUint64(0);
  const exponent = bits >> 52n;
  const digits = bits & 0xfffffffffffffn;
  const size = exponent === 0n ? digits : (digits | 0x10000000000000n) << (exponent - 1n);
  return x < 0 ? -size : size;
}

/** |v - w|^2, right to a part in 2^52. */
function squaredDistance(v: Float64Array, w: Float64Array): number {
  let square = 0n;
  // Nearly all entries are as the one before.
  for (let from = 0, to = 1; from < v.length; from = to++) {
    while (to < v.length && v[to] === v[from] && w[to] === w[from]) to++;
    square += BigInt(to - from) * (whole(v[from]!) - whole(w[from]!)) ** 2n;
  }
  return Number(square >> (2148n - 240n)) / 2 ** 240;
}

const { arena, kernels } = openCore();
const kernel = (v: Float64Array, bound: number) => {
  const mark = arena.mark();
  const at = arena.f64(v.length);
  arena.view(at, v.length).set(v);
  kernels.clipRows(at, at, 1, v.length, bound);
  const out = arena.view(at, v.length).slice();
  arena.release(mark);
  return out;
};

/** Squares after the first are lost one by one: summed from left to right, the norm is too small by up to d 2^-54 of it. */
function lost(d: number, size: number): Float64Array {
  const v = new Float64Array(d).fill(size * 2 ** -26.5 * (1 - 2 ** -20));
  v[0] = size;
  return v;
}

const [d, records, bound] = [2 ** 12, 100, 90];

/** What one of so many records is charged for where each adds at most 1. */
function charged(): number {
  const random = { mode: "seeded", seed: "cut" } as const;
  const options = { epsilon: 1, delta: 1e-5, mechanism: "auto", noise: "exact", random } as const;
  const plan = planReleases({
    options: { ...options, adjacency: "zero-out" },
    tasks: 1,
    stages: [{ statistic: "vector", m: 1, d, clip: bound, rounds: 1 }],
  });
  const [event] = withRecordAccount(plan, { records, clip: 1 }).recordOf!.events;
  return (event as { sensitivity: number }).sensitivity;
}

test.each([
  ["clipRows", kernel, true],
  // Without a gap between where it cuts and to what.
  ["clippedTo", clippedTo, false],
] as const)(
  "%s: a record moves a vector around its bound by its own length and a jump of second order",
  (_, cutTo, gap) => {
    const jump = (d / 2 + 96) * 2 ** -52 * bound;
    const most = charged() ** 2;
    let jumps = 0;
    // From below where either cut begins to above it.
    for (let k = -40; k <= 40; k++) {
      const off = k * 2 ** -46;
      const long = lost(d, bound * (1 + off));
      const along = long.map((x) => x * (1 - (1 - 2 ** -30) / bound));
      const aside = long.slice();
      aside[1]! += 1 - 2 ** -30;
      const cut = cutTo(long, bound);
      for (const other of [along, aside, long.map((x) => x * (1 - 2 ** -46))]) {
        const before = squaredDistance(long, other);
        const after = squaredDistance(cut, cutTo(other, bound));
        // Both vectors' entries are rounded once.
        const rounded = (Math.sqrt(before) + 2 ** -52 * bound) ** 2;
        expect(after).toBeLessThanOrEqual((rounded + jump ** 2) * (1 + 2 ** -48));
        expect(after).toBeLessThanOrEqual(most);
        if (after > before) jumps++;
      }
    }
    // Of vectors that are almost the same one is cut and one is not.
    expect(jumps > 0).toBe(gap);
  },
);
