/**
 * Products of a small matrix's rows outside the kernels' memory.
 * @module
 */

/** A A^T, [n, n], of A[n, q]. @param products where it goes: not A. */
export function rowProducts(
  a: Float64Array,
  n: number,
  q: number,
  products: Float64Array = new Float64Array(n * n),
): Float64Array {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let c = 0; c < q; c++) sum += a[i * q + c]! * a[j * q + c]!;
      products[i * n + j] = products[j * n + i] = sum;
    }
  }
  return products;
}
