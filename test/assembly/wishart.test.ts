import { describe, expect, test } from "vitest";
import { builds, coreOf, describeBuilds, testStream } from "./builds.js";
import { gammaCdf, kolmogorov } from "./statistics.js";
import { describeShared, sharedJson } from "../shared.js";
import type { Core } from "../../src/core/core.js";
import { someOf, thorough } from "../thorough.js";

function draw(core: Core, state: number, d: number, nu: number, scale: number): Float64Array {
  const { kernels, arena } = core;
  const mark = arena.mark();
  const out = arena.f64(d * d);
  const bytes = kernels.wishartWorkspace(d);
  const work = arena.bytes(bytes);
  kernels.wishart(state, out, d, nu, scale, work);
  const matrix = arena.view(out, d * d).slice();
  expect(arena.words(work, bytes / 4).every((word) => word === 0)).toBe(true);
  arena.release(mark);
  return matrix;
}

/** Diagonal of the factor R of A = R^T R, by plain loops; throws if A is not positive definite. */
function choleskyDiagonal(a: Float64Array, d: number): number[] {
  const l = a.slice();
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = l[i * d + j]!;
      for (let k = 0; k < j; k++) sum -= l[i * d + k]! * l[j * d + k]!;
      if (i === j && !(sum > 0)) throw new Error(`pivot ${i} is ${sum}`);
      l[i * d + j] = i === j ? Math.sqrt(sum) : sum / l[j * d + j]!;
    }
  }
  return Array.from({ length: d }, (_, i) => l[i * d + i]!);
}

describe("wishart", () => {
  test.each([1, 2, 3, 4, 5, 30, 33, 259, ...(thorough ? [301] : [])])("both builds give the same bits, d = %d", (d) => {
    const [simd, scalar] = builds.map((build) => {
      const core = coreOf(build);
      return draw(core, testStream(core, 3), d, d + 1.5, 0.7);
    });
    expect(new BigUint64Array(simd!.buffer)).toEqual(new BigUint64Array(scalar!.buffer));
  });
});

describeBuilds("wishart", (core) => {
  test.each([1, 2, 3, 4, 7, 8, 30, 258, ...(thorough ? [300] : [])])(
    "symmetric to the bit, with Bartlett's factor inside, d = %d",
    (d) => {
      // The same seed at another scale has the same factor; its rows past d are not drawn.
      const a = draw(core, testStream(core, 4), d, d + 0.5, 1);
      const b = draw(core, testStream(core, 4), d, d + 0.5, 4);
      let differing = 0;
      for (let i = 0; i < d; i++) {
        for (let j = 0; j < d; j++) {
          if (a[i * d + j] !== a[j * d + i]) differing++;
          if (b[i * d + j] !== 4 * a[i * d + j]!) differing++;
        }
      }
      expect(differing).toBe(0);
      const diagonal = choleskyDiagonal(a, d);
      // diagonal[k]^2 ~ chi-square(nu - k): uniform after its distribution function (4e-5).
      const uniform = diagonal.map((r, k) => gammaCdf((d + 0.5 - k) / 2, (r * r) / 2));
      expect(kolmogorov(Float64Array.from(uniform), (x) => x)).toBeLessThan(2.33);
    },
  );

  test("nu just above d - 1 and large nu", () => {
    const d = 6;
    for (const nu of [5.01, 1e6]) {
      const a = draw(core, testStream(core, 5), d, nu, 1);
      for (let i = 0; i < d; i++) {
        expect(Number.isFinite(a[i * d + i]!)).toBe(true);
        expect(a[i * d + i]).toBeGreaterThan(0);
      }
    }
  });
});

/** Largest absolute eigenvalue of a small symmetric matrix, by Jacobi rotations. */
function spectralNorm(matrix: Float64Array, d: number): number {
  const a = matrix.slice();
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0;
    for (let p = 0; p < d; p++) {
      for (let q = p + 1; q < d; q++) {
        const apq = a[p * d + q]!;
        off += Math.abs(apq);
        if (apq === 0) continue;
        const theta = (a[q * d + q]! - a[p * d + p]!) / (2 * apq);
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const c = 1 / Math.hypot(t, 1);
        const s = t * c;
        for (let k = 0; k < d; k++) {
          const x = a[k * d + p]!;
          const y = a[k * d + q]!;
          a[k * d + p] = c * x - s * y;
          a[k * d + q] = s * x + c * y;
        }
        for (let k = 0; k < d; k++) {
          const x = a[p * d + k]!;
          const y = a[q * d + k]!;
          a[p * d + k] = c * x - s * y;
          a[q * d + k] = s * x + c * y;
        }
      }
    }
    if (off < 1e-9 * Math.abs(a[0]!)) break;
  }
  return Math.max(...Array.from({ length: d }, (_, i) => Math.abs(a[i * d + i]!)));
}

interface NoiseCase {
  id: string;
  group: string;
  mechanism: string;
  params: { d: number; nu?: number; v?: number; sigma?: number };
  expect: {
    mean_spectral_norm: number;
    se: number;
    mean_trace?: number;
    var_diagonal: number;
    var_offdiagonal: number;
  };
}
const reference = "reference/wishart_profile.json";

describeShared("noise of the matrix mechanisms against the reference", [reference], () => {
  const { cases } = sharedJson(reference) as { cases: NoiseCase[] };
  const noise = cases.filter(({ group }) => group === "noise_norm");

  // Five standard errors of both sides: false alarm 6e-7 for each of four figures a case.
  test.each(someOf(noise, 8))("$id $mechanism", ({ params, expect: want }) => {
    const core = coreOf("simd");
    const { kernels, arena } = core;
    const { d, nu, sigma } = params;
    const state = testStream(core, 6);
    const runs = d > 5 ? 500 : 20_000;
    const norms: number[] = [];
    let trace = 0;
    const squares = { diagonal: 0, off: 0 };
    const mean = nu ?? 0;
    for (let run = 0; run < runs; run++) {
      let matrix: Float64Array;
      if (sigma !== undefined) {
        const mark = arena.mark();
        const at = arena.zeros(d * d);
        kernels.addSymmetricNormal(state, at, d, sigma);
        matrix = arena.view(at, d * d).slice();
        arena.release(mark);
      } else if (nu !== undefined) matrix = draw(core, state, d, nu, 1);
      else {
        const minus = draw(core, state, d, d + 1, 1);
        matrix = draw(core, state, d, d + 1, 1).map((x, k) => x - minus[k]!);
      }
      norms.push(spectralNorm(matrix, d));
      for (let i = 0; i < d; i++) {
        trace += matrix[i * d + i]! / runs;
        squares.diagonal += (matrix[i * d + i]! - mean) ** 2 / (runs * d);
        for (let j = 0; j < i; j++)
          squares.off += matrix[i * d + j]! ** 2 / (runs * ((d * (d - 1)) / 2));
      }
    }
    const average = norms.reduce((s, x) => s + x, 0) / runs;
    const spread = Math.sqrt(norms.reduce((s, x) => s + (x - average) ** 2, 0) / runs / runs);
    expect(Math.abs(average - want.mean_spectral_norm)).toBeLessThan(
      5 * Math.hypot(spread, want.se),
    );
    const traceError = Math.sqrt((d * want.var_diagonal) / runs);
    expect(Math.abs(trace - (want.mean_trace ?? 0))).toBeLessThan(5 * traceError);
    // A squared entry has a standard deviation below 4 of its mean (kurtosis at most 15, chi-square(1)),
    // and the entries of one matrix are nearly uncorrelated.
    const tolerance = (entries: number) => (5 * 4) / Math.sqrt(runs * entries);
    expect(Math.abs(squares.diagonal / want.var_diagonal - 1)).toBeLessThan(tolerance(d));
    expect(Math.abs(squares.off / want.var_offdiagonal - 1)).toBeLessThan(
      tolerance((d * (d - 1)) / 2),
    );
  });
});
