/**
 * The orthogonal matrix of a small tridiagonalisation, written out.
 */
import { rowsTimes } from "../blas/rows";

/**
 * Z[ld,ld] <- Q^T, padding zero, Q = H_0 H_1 .. H_{n-2}: reflector by reflector, last to first.
 *
 * v, tau   the reflectors left by `tridiagonalise`
 * products f64[ld]
 * Cost: 4 n^3 / 3 flops.
 */
export function formTransposedQ(
  v: usize,
  ld: i32,
  tau: usize,
  n: i32,
  z: usize,
  products: usize,
): void {
  const step = (<usize>ld) << 3;
  memory.fill(z, 0, <usize>ld * step);
  store<f64>(z + <usize>(n - 1) * (step + 8), 1);
  for (let j = n - 2; j >= 0; j--) {
    store<f64>(z + <usize>j * (step + 8), 1);
    const t = load<f64>(tau + ((<usize>j) << 3));
    if (t == 0) continue;
    // Whole groups of four rows and columns; v is zero in the group before its first entry.
    const group = (j + 1) & ~3;
    const at = (<usize>group) << 3;
    const x = v + <usize>j * step + at;
    const size = ld - group;
    const corner = z + <usize>group * step + at;
    rowsTimes(corner, step, size, x, size, -t, products);
    for (let i = 0; i < size; i += 4) {
      addMultiples(corner + <usize>i * step, step, products + ((<usize>i) << 3), x, size);
    }
  }
}

/** Four rows += coefficient[r] x, n a multiple of 4. */
export function addMultiples(a: usize, step: usize, coefficients: usize, x: usize, n: i32): void {
  const b = a + step;
  const c = b + step;
  const d = c + step;
  const end = (<usize>n) << 3;
  if (ASC_FEATURE_SIMD) {
    const s0 = v128.load64_splat(coefficients);
    const s1 = v128.load64_splat(coefficients, 8);
    const s2 = v128.load64_splat(coefficients, 16);
    const s3 = v128.load64_splat(coefficients, 24);
    for (let i: usize = 0; i < end; i += 16) {
      const y = v128.load(x + i);
      v128.store(a + i, f64x2.add(v128.load(a + i), f64x2.mul(s0, y)));
      v128.store(b + i, f64x2.add(v128.load(b + i), f64x2.mul(s1, y)));
      v128.store(c + i, f64x2.add(v128.load(c + i), f64x2.mul(s2, y)));
      v128.store(d + i, f64x2.add(v128.load(d + i), f64x2.mul(s3, y)));
    }
  } else {
    for (let i: usize = 0; i < end; i += 8) {
      const y = load<f64>(x + i);
      store<f64>(a + i, load<f64>(a + i) + load<f64>(coefficients) * y);
      store<f64>(b + i, load<f64>(b + i) + load<f64>(coefficients, 8) * y);
      store<f64>(c + i, load<f64>(c + i) + load<f64>(coefficients, 16) * y);
      store<f64>(d + i, load<f64>(d + i) + load<f64>(coefficients, 24) * y);
    }
  }
}
