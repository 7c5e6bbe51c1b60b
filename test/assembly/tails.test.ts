/**
 * Tails of the draws that privacy rests on, where few draws fall: how many there are beyond far points, against the law summed term by
 * term. Every count is a binomial one; it is refused where it, or one further out, has a probability below 1e-7.
 */
import { expect, test } from "vitest";
import { uniformBelow } from "../../src/random/uniform-below.js";
import { describeBuilds, testStream } from "./builds.js";
import { gammaCdf, logGamma } from "./statistics.js";

const FALSE_ALARM = 1e-7;

/** P(K >= k) and P(K <= k) for K ~ Binomial(n, p), n p small beside n: summed from k outwards. */
function binomialTails(n: number, p: number, k: number): readonly [number, number] {
  const term = (j: number) =>
    Math.exp(
      logGamma(n + 1) - logGamma(j + 1) - logGamma(n - j + 1) + j * Math.log(p) + (n - j) * Math.log1p(-p),
    );
  let [above, below] = [0, 0];
  const reach = 40 * (Math.sqrt(n * p) + 10);
  for (let j = k; j <= Math.min(n, k + reach); j++) above += term(j);
  for (let j = k; j >= Math.max(0, k - reach); j--) below += term(j);
  return [above, below];
}

function expectCount(found: number, n: number, p: number): void {
  for (const tail of binomialTails(n, p, found)) expect(tail).toBeGreaterThan(FALSE_ALARM);
}

describeBuilds("tails", (core, build) => {
  const { kernels, arena } = core;
  const n = build === "simd" ? 1_000_000 : 300_000;

  // 6 counts for each of 4 scales and both builds: 48, refused with probability 1e-5 in all.
  test.each([1, 3, 40, 1000])("discrete Gaussian, s = %i: draws beyond 2.5 to 5 deviations, by sides", (s) => {
    const mark = arena.mark();
    const at = arena.f64(n);
    kernels.discreteGaussian(testStream(core, 70 + s), at, n, s, 1);
    const draws = arena.view(at, n).slice();
    arena.release(mark);
    const weight = (x: number) => Math.exp((-x * x) / (2 * s * s));
    let whole = 1;
    for (let x = 1; x <= 40 * s; x++) whole += 2 * weight(x);
    for (const deviations of [2.5, 4, 5]) {
      const from = Math.ceil(deviations * s);
      let beyond = 0;
      for (let x = 40 * s; x >= from; x--) beyond += weight(x);
      for (const side of [1, -1])
        expectCount(draws.filter((x) => side * x >= from).length, n, beyond / whole);
    }
  });

  // 4 counts for each of 3 laws and both builds: refused with probability 5e-6 in all.
  test.each([0.3, 1, 7])("Wishart of order 1, %d degrees of freedom: both ends of chi-square", (freedom) => {
    const count = n / 10;
    const mark = arena.mark();
    const [state, out] = [testStream(core, 80), arena.f64(1)];
    const work = arena.bytes(kernels.wishartWorkspace(1));
    const draws = Float64Array.from({ length: count }, () => {
      kernels.wishart(state, out, 1, freedom, 1, work);
      return arena.view(out, 1)[0]!;
    });
    arena.release(mark);
    const below = (x: number) => gammaCdf(freedom / 2, x / 2);
    const low = [1e-3, 1e-4].map((p) => {
      // The least x that is below with a probability of p: P(x) is near c x^(freedom / 2) there.
      let [from, to] = [-400, 2];
      for (let k = 0; k < 60; k++) {
        const middle = (from + to) / 2;
        if (below(10 ** middle) < p) from = middle;
        else to = middle;
      }
      return 10 ** to;
    });
    for (const x of low) expectCount(draws.filter((draw) => draw < x).length, count, below(x));
    for (const x of [freedom + 10, freedom + 20])
      expectCount(draws.filter((draw) => draw > x).length, count, 1 - below(x));
  });
});

test.each([1, 3, 2 ** 31 + 1, 3 * 2 ** 30, 2 ** 32 - 1, 2 ** 32])("uniform below %d: every number has as many words, and no word is left", (bound) => {
  // Words beyond the last whole multiple are drawn again: the first of them, and the last.
  const most = Math.floor(2 ** 32 / bound) * bound;
  const of = (...words: number[]) => uniformBelow(bound, () => words.shift()!);
  expect(of(0)).toBe(0);
  expect(of(most - 1)).toBe(bound - 1);
  if (most < 2 ** 32) expect(of(most, 2 ** 32 - 1, bound - 1)).toBe(bound - 1);
});
