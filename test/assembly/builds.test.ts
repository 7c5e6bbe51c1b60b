import { describe, expect, test } from "vitest";
import { Arena } from "../../src/core/arena.js";
import { kernelBytes, type PackedBuild } from "../../src/core/builds/packed-bytes.js";
import { initialize } from "../../src/core/initialize.js";
import type { Kernels } from "../../src/core/kernels.js";
import { kernelBuild } from "../../src/core/load.js";
import { randomMatrix, randomSymmetric } from "./matrices.js";

/** Runs one kernel in a fresh instance: inputs copied in, one output of `size` numbers back. */
type Call = (kernels: Kernels, arena: Arena) => { at: number; size: number };

function run(build: PackedBuild, call: Call): Float64Array {
  const module = new WebAssembly.Module(kernelBytes(build));
  const kernels = new WebAssembly.Instance(module, {}).exports as unknown as Kernels;
  const arena = new Arena(kernels.memory, kernels.heapBase());
  const { at, size } = call(kernels, arena);
  return arena.view(at, size).slice();
}

/** Consecutive areas: the outputs of one call, read back as one array. */
const calls: Record<string, Call> = {
  gemm: (k, arena) => {
    const [m, inner, n] = [37, 300, 41];
    const a = arena.copyOf(randomMatrix(m, inner, 1));
    const b = arena.copyOf(randomMatrix(inner, n, 2));
    const at = arena.f64(m * n);
    k.gemm(a, b, at, m, inner, n, arena.bytes(k.gemmWorkspace(m, inner, n)));
    return { at, size: m * n };
  },
  syrk: (k, arena) => {
    const a = arena.copyOf(randomMatrix(301, 33, 1));
    const at = arena.f64(33 * 33);
    k.syrk(a, at, 301, 33, arena.bytes(k.syrkWorkspace(301, 33)));
    return { at, size: 33 * 33 };
  },
  singleProduct: (k, arena) => {
    const [m, d] = [11, 517];
    const triangle = arena.bytes(2 * d * (d + 1));
    const entries = Float32Array.from(randomMatrix(1, (d * (d + 1)) / 2, 1));
    arena.words(triangle, entries.length).set(new Uint32Array(entries.buffer));
    const panels = arena.bytes(k.singlePanelsBytes(d));
    k.singlePanels(triangle, panels, d);
    const x = arena.copyOf(randomMatrix(m, d, 2));
    const at = arena.f64(m * d);
    k.singleProduct(x, panels, at, m, d, arena.bytes(k.singleProductWorkspace(m, d)));
    return { at, size: m * d };
  },
  definiteInverse: (k, arena) => {
    const a = arena.f64(37 * 37);
    k.syrk(arena.copyOf(randomMatrix(50, 37, 1)), a, 50, 37, arena.bytes(k.syrkWorkspace(50, 37)));
    const [at, work] = [arena.f64(2 * 37 * 37), arena.bytes(k.definiteInverseWorkspace(37))];
    expect(k.definiteInverse(a, 37, at, at + 8 * 37 * 37, work)).toBe(0);
    return { at, size: 2 * 37 * 37 };
  },
  spectralProduct: (k, arena) => {
    const v = arena.copyOf(randomMatrix(45, 20, 1));
    const s = arena.copyOf(randomMatrix(1, 20, 2));
    const at = arena.f64(45 * 45);
    k.spectralProduct(v, s, at, 45, 20, arena.bytes(k.spectralProductWorkspace(45, 20)));
    return { at, size: 45 * 45 };
  },
  "eigh, QL": (k, arena) => {
    const a = arena.copyOf(randomSymmetric(31, 1));
    const at = arena.f64(31 * 32);
    expect(k.eigh(a, at, at + 8 * 31, 31, arena.bytes(k.eighWorkspace(31)))).toBe(0);
    return { at, size: 31 * 32 };
  },
  "eigh, divide and conquer": (k, arena) => {
    const a = arena.copyOf(randomSymmetric(150, 1));
    const at = arena.f64(150 * 151);
    expect(k.eigh(a, at, at + 8 * 150, 150, arena.bytes(k.eighWorkspace(150)))).toBe(0);
    return { at, size: 150 * 151 };
  },
  largestVectors: (k, arena) => {
    const a = arena.copyOf(randomSymmetric(150, 1));
    const [values, at] = [arena.f64(150), arena.f64(150 * 11)];
    expect(k.shrinkOrValues(a, values, 150, 0, 0, arena.bytes(k.eighWorkspace(150)))).toBe(0);
    k.largestVectors(at, 150, 11);
    return { at, size: 150 * 11 };
  },
  shrinkOrValues: (k, arena) => {
    const a = arena.f64(63 * 63);
    k.syrk(arena.copyOf(randomMatrix(300, 63, 1)), a, 300, 63, arena.bytes(k.syrkWorkspace(300, 63)));
    const [values, at] = [arena.f64(63), arena.f64(63 * 63)];
    const work = arena.bytes(k.eighWorkspace(63));
    expect(k.shrinkOrValues(a, values, 63, 1, at, work)).toBe(2);
    return { at, size: 63 * 63 };
  },
  svd: (k, arena) => {
    const a = arena.copyOf(randomMatrix(33, 50, 1));
    const at = arena.f64(33 * 33 + 33 + 33 * 50);
    const s = at + 8 * 33 * 33;
    expect(k.svd(a, at, s, s + 8 * 33, 33, 50, arena.bytes(k.svdWorkspace(33, 50)))).toBe(0);
    return { at, size: 33 * 33 + 33 + 33 * 50 };
  },
  "cholesky and choleskySolve": (k, arena) => {
    const a = arena.copyOf(randomMatrix(60, 50, 1));
    const at = arena.f64(50 * 50 + 50 * 6);
    k.syrk(a, at, 60, 50, arena.bytes(k.syrkWorkspace(60, 50)));
    arena.view(at + 8 * 2500, 300).set(randomMatrix(50, 6, 2));
    expect(k.cholesky(at, 50)).toBe(0);
    k.choleskySolve(at, at + 8 * 2500, 50, 6);
    return { at, size: 2800 };
  },
};

describe("the SIMD and the scalar build", () => {
  test.each(Object.keys(calls))("%s: the same bits", (name) => {
    const vector = run("simd", calls[name]!);
    const scalar = run("scalar", calls[name]!);
    expect(scalar.some(Number.isNaN)).toBe(false);
    expect(scalar).toEqual(vector);
  });
});

const hasRelaxed = WebAssembly.validate(kernelBytes("relaxed"));

describe("the relaxed build", () => {
  test.skipIf(!hasRelaxed)("products differ from the SIMD build in the last bits only", () => {
    for (const name of ["gemm", "syrk", "spectralProduct"]) {
      const vector = run("simd", calls[name]!);
      const relaxed = run("relaxed", calls[name]!);
      // Entries are sums of at most 301 products of numbers below 1.
      const bound = 301 * 301 * 2 ** -52;
      vector.forEach((x, i) => {
        expect(Math.abs(relaxed[i]! - x)).toBeLessThan(bound);
      });
    }
  });

  test.skipIf(hasRelaxed)("is refused by name where the host lacks it", () => {
    expect(() => {
      initialize({ build: "relaxed" });
    }).toThrow("no WebAssembly relaxed SIMD");
  });

  test.skipIf(!hasRelaxed)("loads where the host has it", () => {
    initialize({ build: "relaxed" });
    expect(kernelBuild()).toBe("relaxed");
    initialize();
    expect(kernelBuild()).toBe("simd");
  });
});
