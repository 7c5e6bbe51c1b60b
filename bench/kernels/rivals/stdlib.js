/** `@stdlib/blas-base-dgemm`: plain JavaScript; it has no decompositions. @module */
import dgemm from "@stdlib/blas-base-dgemm";

export const name = "stdlib";

export function call({ kernel }, [a, b]) {
  if (kernel !== "gemm" && kernel !== "syrk") return undefined;
  const [left, right] = kernel === "gemm" ? ["no-transpose", b] : ["transpose", a];
  const [m, k] = kernel === "gemm" ? a.shape : [a.shape[1], a.shape[0]];
  const n = right.shape[1];
  const c = new Float64Array(m * n);
  const columns = a.shape[1];
  return {
    run: () =>
      dgemm("row-major", left, "no-transpose", m, n, k, 1, a.data, columns, right.data, n, 0, c, n),
    values: () => c,
  };
}
