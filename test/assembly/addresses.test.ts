import { expect, test } from "vitest";
import { openCore } from "../../src/core/core.js";
import { randomMatrix, randomSymmetric } from "./matrices.js";
import { runEigh, runGemm, runSvd } from "./run.js";

/** Runs all at offsets that a fresh arena hands out after `skipped` bytes. */
function results(skipped: number, shift: number): Float64Array[] {
  const { kernels, arena } = openCore();
  if (skipped > 0) arena.bytes(skipped);
  const place = (values: Float64Array) => {
    const at = arena.f64(values.length + 1) + shift;
    arena.view(at, values.length).set(values);
    return at;
  };
  const [m, k, n] = [37, 70, 45];
  const a = place(randomMatrix(m, k, 1));
  const b = place(randomMatrix(k, n, 2));
  const c = place(new Float64Array(m * n));
  kernels.gemm(a, b, c, m, k, n, arena.bytes(kernels.gemmWorkspace(m, k, n)));
  const s = place(randomSymmetric(90, 3));
  const values = place(new Float64Array(90));
  const vectors = place(new Float64Array(8100));
  kernels.eigh(s, values, vectors, 90, arena.bytes(kernels.eighWorkspace(90)));
  const x = place(randomMatrix(20, 33, 4));
  const u = place(new Float64Array(400));
  const sigma = place(new Float64Array(20));
  const v = place(new Float64Array(660));
  kernels.svd(x, u, sigma, v, 20, 33, arena.bytes(kernels.svdWorkspace(20, 33)));
  const view = (at: number, size: number) => arena.view(at, size).slice();
  return [view(c, m * n), view(values, 90), view(vectors, 8100), view(sigma, 20), view(v, 660)];
}

const expected = () => {
  const eigen = runEigh(randomSymmetric(90, 3), 90);
  const singular = runSvd(randomMatrix(20, 33, 4), 20, 33);
  return [
    runGemm(randomMatrix(37, 70, 1), randomMatrix(70, 45, 2), 37, 70, 45),
    eigen.values,
    eigen.vectors,
    singular.s,
    singular.v,
  ];
};

test("addresses beyond 2 GiB, where signed arithmetic would fail", () => {
  expect(results(2 ** 31 + 2 ** 20, 0)).toEqual(expected());
});

test("operands that are aligned to 8 bytes only", () => {
  expect(results(0, 8)).toEqual(expected());
});
