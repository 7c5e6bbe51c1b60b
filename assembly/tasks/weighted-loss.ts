/**
 * The losses of `loss.ts` with a weight s_j >= 0 for every row, s f64[n]. Weights of 1 give the bits of the unweighted
 * forms: sums are taken in the same order. s = 0 stands for none.
 */
import { logisticSlopes, logisticTerms } from "./logistic";
import { lossTerms, slopesInPlace, slopesOnly } from "./loss";

@inline function step(j: i32): usize {
  return (<usize>j) << 3;
}

/** p[j] <- c s_j loss'(p[j], y[j]); returns sum_j s_j loss(p[j], y[j]). */
export function weightedSlopes(loss: i32, p: usize, y: usize, s: usize, n: i32, c: f64): f64 {
  if (!s) return slopesInPlace(loss, p, y, n, c);
  let even = 0.0, odd = 0.0;
  if (loss == 0) {
    for (let j = 0; j < n; j++) {
      const at = p + step(j), weight = load<f64>(s + step(j));
      const r = load<f64>(at) - load<f64>(y + step(j));
      store<f64>(at, weight * (c * r));
      even += weight * (r * r);
    }
    return 0.5 * even;
  }
  for (let j = 0; j < n; j++) {
    const weight = load<f64>(s + step(j));
    const value = weight * logisticSlopes(p + step(j), y + step(j), 1, weight * c);
    if (j == n - 1 && (j & 1) == 0) return even + odd + value;
    if (j & 1) odd += value;
    else even += value;
  }
  return even + odd;
}

/** `weightedSlopes` without the losses, to the same bits. */
export function weightedSlopesOnly(loss: i32, p: usize, y: usize, s: usize, n: i32, c: f64): void {
  if (s) weightedSlopes(loss, p, y, s, n, c);
  else slopesOnly(loss, p, y, n, c);
}

/**
 * slopes[j] <- c s_j loss'(p[j], y[j]), curvatures[j] <- c s_j loss''(p[j], y[j]) for f64[n]; returns
 * sum_j s_j loss(p[j], y[j]).
 */
export function weightedTerms(
  loss: i32, p: usize, y: usize, s: usize, slopes: usize, curvatures: usize, n: i32, c: f64,
): f64 {
  if (!s) return lossTerms(loss, p, y, slopes, curvatures, n, c);
  if (loss == 0) {
    for (let j = 0; j < n; j++) store<f64>(curvatures + step(j), load<f64>(s + step(j)) * c);
    memory.copy(slopes, p, step(n));
    return weightedSlopes(0, slopes, y, s, n, c);
  }
  let even = 0.0, odd = 0.0;
  for (let j = 0; j < n; j++) {
    const at = step(j), weight = load<f64>(s + at);
    const value = weight * logisticTerms(p + at, y + at, slopes + at, curvatures + at, 1, weight * c);
    if (j == n - 1 && (j & 1) == 0) return even + odd + value;
    if (j & 1) odd += value;
    else even += value;
  }
  return even + odd;
}
