/** Directions that are followed from round to round: those of a decomposition where matrices change little, and penalties that are right however they change. */
import { expect, test } from "vitest";
import { ConvergenceError, openCore, type Core } from "../../../src/core/index.js";
import { readFactored } from "../../../src/learning/sharing/factored.js";
import { factoredLowRankRule } from "../../../src/learning/sharing/low-rank.js";

const d = 100;
const LARGE = [90, 64, 50, 30, 9, 4];

/** A of these eigenvalues and small ones, its vectors turned by `angle` in planes of a large and a small one. */
function turned(angle: number): Float64Array {
  const values = Float64Array.from({ length: d }, (_, j) => LARGE[j] ?? 0.5 / (j + 1));
  const a = new Float64Array(d * d);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  for (let j = 0; j < d / 2; j++) {
    const k = d - 1 - j;
    const [large, small] = [values[j]!, values[k]!];
    a[j * d + j] = c * c * large + s * s * small;
    a[k * d + k] = s * s * large + c * c * small;
    a[j * d + k] = a[k * d + j] = c * s * (large - small);
  }
  return a;
}

/** Rounds of the rule. */
function rounds(core: Core, threshold: number) {
  const rule = factoredLowRankRule(threshold);
  const step = rule.prepare({ core, m: 3, d });
  const out = core.arena.f64(rule.broadcastLength(3, d));
  let round = 0;
  return (a: Float64Array) => {
    const { rank } = step(core.arena.copyOf(a), out, ++round);
    return { rank, matrix: matrixOf(core, out), rule };
  };
}

/** M[d, d]. */
function matrixOf(core: Core, broadcast: number): Float64Array {
  const { factors, rank } = readFactored(core, broadcast, d)!;
  const u = core.arena.view(broadcast, d * rank);
  const f = core.arena.view(factors, rank);
  return Float64Array.from({ length: d * d }, (_, at) => {
    const [i, k] = [Math.floor(at / d) * rank, (at % d) * rank];
    return f.reduce((sum, factor, j) => sum + u[i + j]! * factor * u[k + j]!, 0);
  });
}

/** tr(M A M): the sum of squares of the projected models. */
function squaresOf(m: Float64Array, a: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < d; i++) {
    for (let j = 0; j < d; j++) {
      for (let k = 0; k < d && a[i * d + j] !== 0; k++) {
        sum += m[k * d + i]! * a[i * d + j]! * m[k * d + j]!;
      }
    }
  }
  return sum;
}

test("matrices that come to rest: the broadcasts of decompositions", () => {
  const core = openCore();
  const follow = rounds(core, 1.5);
  let last;
  for (let t = 0; t < 12; t++) {
    const a = turned(0.1 * 0.3 ** t);
    last = follow(a);
    expect(last.rank).toBe(6);
    const whole = rounds(core, 1.5)(a);
    // The error of a step is what was turned, times the ratio of a small value to a large one and its square.
    const most = t === 0 ? 1e-13 : 0.1 * 0.3 ** t * 1e-2 + 1e-13;
    const difference = last.matrix.reduce(
      (sum, value, k) => Math.max(sum, Math.abs(value - whole.matrix[k]!)),
      0,
    );
    expect(difference).toBeLessThan(most);
    expect(last.rule.nuclearNorm()).toBeCloseTo(whole.rule.nuclearNorm(), t < 2 ? 4 : 8);
  }
});

test("however a matrix changes, the norms are those of the models that the broadcast makes", () => {
  const core = openCore();
  const follow = rounds(core, 1.5);
  for (const angle of [0, 1, 0.2, 1.4]) {
    const a = turned(angle);
    const { matrix, rule } = follow(a);
    const squares = squaresOf(matrix, a);
    expect(rule.squaredNorm() / squares).toBeCloseTo(1, 12);
  }
});

test("a direction orthogonal to all that are followed is found after some rounds", () => {
  const core = openCore();
  const follow = rounds(core, 1.5);
  const a = turned(0);
  expect(follow(a).rank).toBe(6);
  a[50 * (d + 1)] = 40;
  const ranks = Array.from({ length: 20 }, () => follow(a).rank);
  // None at first: so it is not decompositions that are tested here.
  expect(ranks[0]).toBe(6);
  expect(ranks.at(-1)).toBe(7);
});

test("more directions than are followed are all found at once", () => {
  const core = openCore();
  const follow = rounds(core, 1.5);
  const a = turned(0);
  follow(a);
  for (let j = 6; j < 30; j++) a[j * (d + 1)] = 20 + j;
  expect(follow(a).rank).toBe(30);
});

test("what is no number is refused as by a decomposition", () => {
  const core = openCore();
  const follow = rounds(core, 1.5);
  follow(turned(0));
  const fails = () => follow(turned(0).fill(NaN));
  expect(fails).toThrow(ConvergenceError);
  expect(fails).toThrow(/^the shared covariance: the decomposition did not converge. Look for /);
});
