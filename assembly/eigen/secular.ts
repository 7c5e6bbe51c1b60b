/**
 * Roots of the secular equation f(x) = 1/rho + sum_i z_i^2 / (d_i - x) = 0, d ascending, rho > 0:
 * the eigenvalues of diag(d) + rho z z^T. Root j lies between d_j and d_{j+1}, the last one
 * between d_{k-1} and d_{k-1} + rho ||z||^2.
 *
 * After Li (1993), "Solving secular equations stably and efficiently" (LAPACK dlaed4): f is
 * replaced by a rational function with poles at the root's two neighbours; here every step is
 * kept inside a shrinking bracket, so that the iteration cannot fail. All differences d_i - x are
 * formed from the nearer pole, which keeps them accurate to the last bits.
 */

const EPS: f64 = 1.1102230246251565e-16; // 2^-53
/** Three or four are usual; bisection alone would need about 60. */
const STEPS: i32 = 120;

/** out[0], out[1] <- sum of z_i^2 / delta_i and of its derivative over from <= i < to. */
function sums(d: usize, z: usize, from: i32, to: i32, origin: f64, tau: f64, out: usize): void {
  let at = (<usize>from) << 3;
  const end = (<usize>to) << 3;
  let value: f64 = 0;
  let slope: f64 = 0;
  const pairs = end - (((<usize>(to - from)) & 1) << 3);
  if (ASC_FEATURE_SIMD) {
    const o = f64x2.splat(origin);
    const t = f64x2.splat(tau);
    let v = f64x2.splat(0);
    let s = v;
    for (; at < pairs; at += 16) {
      const zi = v128.load(z + at);
      const ratio = f64x2.div(zi, f64x2.sub(f64x2.sub(v128.load(d + at), o), t));
      v = f64x2.add(v, f64x2.mul(zi, ratio));
      s = f64x2.add(s, f64x2.mul(ratio, ratio));
    }
    value = f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1);
    slope = f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
  } else {
    let v0: f64 = 0;
    let v1: f64 = 0;
    let s0: f64 = 0;
    let s1: f64 = 0;
    for (; at < pairs; at += 16) {
      const r0 = load<f64>(z + at) / (load<f64>(d + at) - origin - tau);
      const r1 = load<f64>(z + at, 8) / (load<f64>(d + at, 8) - origin - tau);
      v0 += load<f64>(z + at) * r0;
      v1 += load<f64>(z + at, 8) * r1;
      s0 += r0 * r0;
      s1 += r1 * r1;
    }
    value = v0 + v1;
    slope = s0 + s1;
  }
  if (at < end) {
    const zi = load<f64>(z + at);
    const ratio = zi / (load<f64>(d + at) - origin - tau);
    value += zi * ratio;
    slope += ratio * ratio;
  }
  store<f64>(out, value);
  store<f64>(out, slope, 8);
}

/**
 * Root j of k (0-based, k >= 2). Stores d_i - root to delta[i] and returns the root.
 *
 * d, z    f64[k], d strictly ascending, ||z|| = 1, no z_i zero
 * scratch f64[4]
 */
export function secularRoot(
  d: usize,
  z: usize,
  k: i32,
  j: i32,
  rho: f64,
  delta: usize,
  scratch: usize,
): f64 {
  const final = j == k - 1;
  // The two poles of the model: the root's neighbours, or the last two.
  const left = (<usize>(final ? k - 2 : j)) << 3;
  const right = left + 8;
  const split = final ? k - 1 : j + 1;
  const dLeft = load<f64>(d + left);
  const dRight = load<f64>(d + right);
  const gap = dRight - dLeft;
  const zl2 = load<f64>(z + left) * load<f64>(z + left);
  const zr2 = load<f64>(z + right) * load<f64>(z + right);
  const inverse = 1 / rho;

  let origin = final ? dRight : dLeft;
  let lo: f64 = 0;
  let hi = final ? rho * (1 + 4 * EPS) : gap;
  let tau = 0.5 * hi;
  sums(d, z, 0, split, origin, tau, scratch);
  sums(d, z, split, k, origin, tau, scratch + 16);
  let w = inverse + load<f64>(scratch) + load<f64>(scratch, 16);
  let nearLeft = true;
  // The start: the other poles' part held at its value in the middle.
  if (final) {
    const c = w + zl2 / (gap + tau) + zr2 / tau;
    const a = zl2 + zr2 - c * gap;
    const root = sqrt(abs(a * a + 4 * zr2 * gap * c));
    if (w > 0) hi = tau;
    else lo = tau;
    tau = a < 0 ? (2 * zr2 * gap) / (root - a) : (a + root) / (2 * c);
    nearLeft = false;
  } else {
    const c = w + (zl2 - zr2) / tau;
    if (w > 0) {
      hi = tau;
      const a = c * gap + zl2 + zr2;
      const root = sqrt(abs(a * a - 4 * zl2 * gap * c));
      tau = a > 0 ? (2 * zl2 * gap) / (a + root) : (a - root) / (2 * c);
    } else {
      nearLeft = false;
      origin = dRight;
      lo = -tau;
      hi = 0;
      const a = c * gap - zl2 - zr2;
      const root = sqrt(abs(a * a + 4 * zr2 * gap * c));
      tau = a < 0 ? (2 * zr2 * gap) / (a - root) : -(a + root) / (2 * c);
    }
  }
  if (!(tau > lo && tau < hi)) tau = 0.5 * (lo + hi);

  const poleLeft = dLeft - origin;
  const poleRight = dRight - origin;
  let fixedWeight = !final;
  let before: f64 = 0;
  for (let step = 0; step < STEPS; step++) {
    sums(d, z, 0, split, origin, tau, scratch);
    sums(d, z, split, k, origin, tau, scratch + 16);
    const psi = load<f64>(scratch);
    const phi = load<f64>(scratch, 16);
    const dPsi = load<f64>(scratch, 8);
    const dPhi = load<f64>(scratch, 24);
    const slope = dPsi + dPhi;
    w = inverse + psi + phi;
    const size = 8 * (abs(psi) + abs(phi)) + 2 * inverse + abs(tau) * slope;
    if (abs(w) <= EPS * size) break;
    if (w < 0) lo = max(lo, tau);
    else hi = min(hi, tau);
    // A slow step: the other model.
    if (!final && step > 0 && w * before > 0 && abs(w) > 0.1 * abs(before)) {
      fixedWeight = !fixedWeight;
    }
    before = w;
    const deltaLeft = poleLeft - tau;
    const deltaRight = poleRight - tau;
    const b = deltaLeft * deltaRight * w;
    const a = (deltaLeft + deltaRight) * w - deltaLeft * deltaRight * slope;
    let c: f64;
    if (!fixedWeight) c = w - deltaLeft * dPsi - deltaRight * dPhi;
    else if (nearLeft) c = w - deltaRight * slope + gap * (zl2 / (deltaLeft * deltaLeft));
    else c = w - deltaLeft * slope - gap * (zr2 / (deltaRight * deltaRight));
    let eta: f64;
    if (final) {
      c = abs(c);
      const root = sqrt(abs(a * a - 4 * b * c));
      eta = a >= 0 ? (a + root) / (2 * c) : (2 * b) / (a - root);
    } else {
      const root = sqrt(abs(a * a - 4 * b * c));
      eta = a <= 0 ? (a - root) / (2 * c) : (2 * b) / (a + root);
    }
    // Also catches NaN and infinity from c = 0.
    if (!(w * eta < 0)) eta = -w / slope;
    let next = tau + eta;
    if (!(next > lo && next < hi)) next = tau + 0.5 * ((w < 0 ? hi : lo) - tau);
    if (next == tau || next == lo || next == hi) break;
    tau = next;
  }
  differences(d, k, origin, tau, delta);
  return origin + tau;
}

/** delta[i] = (d_i - origin) - tau. */
function differences(d: usize, k: i32, origin: f64, tau: f64, delta: usize): void {
  for (const end = d + ((<usize>k) << 3); d < end; d += 8) {
    store<f64>(delta, load<f64>(d) - origin - tau);
    delta += 8;
  }
}

/**
 * w[i] *= delta[i] / (d_i - d_j) for all i but j, and w[j] *= delta[j]: one root's factor of the
 * vector for which the computed roots are exact (Gu and Eisenstat 1994, Lemma 3.1), up to sign.
 */
export function multiplyGap(w: usize, delta: usize, d: usize, j: i32, k: i32): void {
  const dj = load<f64>(d + ((<usize>j) << 3));
  const at = (<usize>j) << 3;
  const own = load<f64>(w + at) * load<f64>(delta + at);
  multiplyRatios(w, delta, d, dj, j);
  const next = at + 8;
  multiplyRatios(w + next, delta + next, d + next, dj, k - j - 1);
  store<f64>(w + at, own);
}

function multiplyRatios(w: usize, delta: usize, d: usize, dj: f64, n: i32): void {
  const end = w + ((<usize>n) << 3);
  if (ASC_FEATURE_SIMD) {
    const pairs = w + ((<usize>(n & ~1)) << 3);
    const x = f64x2.splat(dj);
    while (w < pairs) {
      const ratio = f64x2.div(v128.load(delta), f64x2.sub(v128.load(d), x));
      v128.store(w, f64x2.mul(v128.load(w), ratio));
      w += 16;
      delta += 16;
      d += 16;
    }
  }
  while (w < end) {
    store<f64>(w, load<f64>(w) * (load<f64>(delta) / (load<f64>(d) - dj)));
    w += 8;
    delta += 8;
    d += 8;
  }
}

/** delta[i] <- z_i / delta_i; returns the sum of squares of the result. */
export function secularVector(z: usize, delta: usize, k: i32): f64 {
  const end = delta + ((<usize>k) << 3);
  const pairs = delta + ((<usize>(k & ~1)) << 3);
  let sum: f64;
  if (ASC_FEATURE_SIMD) {
    let s = f64x2.splat(0);
    while (delta < pairs) {
      const u = f64x2.div(v128.load(z), v128.load(delta));
      s = f64x2.add(s, f64x2.mul(u, u));
      v128.store(delta, u);
      z += 16;
      delta += 16;
    }
    sum = f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
  } else {
    let s0: f64 = 0;
    let s1: f64 = 0;
    while (delta < pairs) {
      const u0 = load<f64>(z) / load<f64>(delta);
      const u1 = load<f64>(z, 8) / load<f64>(delta, 8);
      s0 += u0 * u0;
      s1 += u1 * u1;
      store<f64>(delta, u0);
      store<f64>(delta, u1, 8);
      z += 16;
      delta += 16;
    }
    sum = s0 + s1;
  }
  if (delta < end) {
    const u = load<f64>(z) / load<f64>(delta);
    sum += u * u;
    store<f64>(delta, u);
  }
  return sum;
}
