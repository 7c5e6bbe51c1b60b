/**
 * The losses: 0 squared (p - y)^2 / 2; 1 logistic log(1 + exp(-y p)), y in {-1, +1}.
 * The logistic forms use exp of a non-positive number only, so no margin overflows.
 */
import { logisticSlopes, logisticSlopesOnly, logisticTerms } from "./logistic";

/** loss(p, y). */
export function lossValue(loss: i32, p: f64, y: f64): f64 {
  if (loss == 0) return 0.5 * (p - y) * (p - y);
  const margin = y * p;
  return Math.log1p(Math.exp(-Math.abs(margin))) + Math.max(0.0, -margin);
}

/** d loss / d p. */
export function lossSlope(loss: i32, p: f64, y: f64): f64 {
  if (loss == 0) return p - y;
  const margin = y * p;
  const e = Math.exp(-Math.abs(margin));
  return (-y * (margin >= 0.0 ? e : 1.0)) / (1.0 + e);
}

/** p[j] <- c loss'(p[j], y[j]) for f64[n]; returns sum_j loss(p[j], y[j]). */
export function slopesInPlace(loss: i32, p: usize, y: usize, n: i32, c: f64): f64 {
  if (loss != 0) return logisticSlopes(p, y, n, c);
  let sum = 0.0;
  for (const end = p + ((<usize>n) << 3); p < end; p += 8, y += 8) {
    const r = load<f64>(p) - load<f64>(y);
    store<f64>(p, c * r);
    sum += r * r;
  }
  return 0.5 * sum;
}

/** `slopesInPlace` without the losses, to the same bits. */
export function slopesOnly(loss: i32, p: usize, y: usize, n: i32, c: f64): void {
  if (loss != 0) {
    logisticSlopesOnly(p, y, n, c);
    return;
  }
  for (const end = p + ((<usize>n) << 3); p < end; p += 8, y += 8) {
    store<f64>(p, c * (load<f64>(p) - load<f64>(y)));
  }
}

/** slopes[j] <- c loss'(p[j], y[j]), curvatures[j] <- c loss''(p[j], y[j]) for f64[n]; returns sum_j loss(p[j], y[j]). */
export function lossTerms(
  loss: i32, p: usize, y: usize, slopes: usize, curvatures: usize, n: i32, c: f64,
): f64 {
  if (loss != 0) return logisticTerms(p, y, slopes, curvatures, n, c);
  for (let j: usize = 0; j < (<usize>n) << 3; j += 8) store<f64>(curvatures + j, c);
  memory.copy(slopes, p, (<usize>n) << 3);
  return slopesInPlace(0, slopes, y, n, c);
}
