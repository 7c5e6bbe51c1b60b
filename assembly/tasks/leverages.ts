/**
 * Fits and leverages of all rows by a bidiagonal solve, several rows side by side: a recurrence along the
 * columns of one row would wait for itself.
 */
import { at } from "../address";

/**
 * For every row b of B f64[n8, s], given as columns f64[s, n8], n8 a multiple of 8: with y = L^-1 b,
 *   fits = sum_k y_k c_k,  leverages = sum_k y_k^2 / D_k,
 * from factors f64[s, 3]: the entry of L left of the diagonal, 1 / D_k and c_k. Cost: 8 n8 s flops.
 */
export function fitsAndLeverages(
  columns: usize, factors: usize, s: i32, n8: i32, fits: usize, leverages: usize,
): void {
  for (let j = 0; j < n8; j += 8) {
    if (ASC_FEATURE_SIMD) eightRows(at(columns, j), factors, s, n8, at(fits, j), at(leverages, j));
    else {
      for (let i = j; i < j + 8; i++) {
        oneRow(at(columns, i), factors, s, n8, at(fits, i), at(leverages, i));
      }
    }
  }
}

function oneRow(column: usize, factors: usize, s: i32, n8: i32, fit: usize, leverage: usize): void {
  let y = 0.0, f = 0.0, h = 0.0;
  for (const end = at(factors, 3 * s); factors < end; factors += 24, column = at(column, n8)) {
    y = load<f64>(column) - load<f64>(factors) * y;
    f += load<f64>(factors, 16) * y;
    h += load<f64>(factors, 8) * y * y;
  }
  store<f64>(fit, f);
  store<f64>(leverage, h);
}

function eightRows(
  column: usize, factors: usize, s: i32, n8: i32, fits: usize, leverages: usize,
): void {
  const stride = (<usize>n8) << 3;
  let y0 = f64x2.splat(0), y1 = y0, y2 = y0, y3 = y0;
  let f0 = y0, f1 = y0, f2 = y0, f3 = y0;
  let h0 = y0, h1 = y0, h2 = y0, h3 = y0;
  for (const end = at(factors, 3 * s); factors < end; factors += 24, column += stride) {
    let factor = v128.load64_splat(factors);
    y0 = f64x2.sub(v128.load(column), f64x2.mul(factor, y0));
    y1 = f64x2.sub(v128.load(column, 16), f64x2.mul(factor, y1));
    y2 = f64x2.sub(v128.load(column, 32), f64x2.mul(factor, y2));
    y3 = f64x2.sub(v128.load(column, 48), f64x2.mul(factor, y3));
    factor = v128.load64_splat(factors, 16);
    f0 = f64x2.add(f0, f64x2.mul(factor, y0));
    f1 = f64x2.add(f1, f64x2.mul(factor, y1));
    f2 = f64x2.add(f2, f64x2.mul(factor, y2));
    f3 = f64x2.add(f3, f64x2.mul(factor, y3));
    factor = v128.load64_splat(factors, 8);
    h0 = f64x2.add(h0, f64x2.mul(f64x2.mul(factor, y0), y0));
    h1 = f64x2.add(h1, f64x2.mul(f64x2.mul(factor, y1), y1));
    h2 = f64x2.add(h2, f64x2.mul(f64x2.mul(factor, y2), y2));
    h3 = f64x2.add(h3, f64x2.mul(f64x2.mul(factor, y3), y3));
  }
  v128.store(fits, f0);
  v128.store(fits, f1, 16);
  v128.store(fits, f2, 32);
  v128.store(fits, f3, 48);
  v128.store(leverages, h0);
  v128.store(leverages, h1, 16);
  v128.store(leverages, h2, 32);
  v128.store(leverages, h3, 48);
}
