/**
 * Rounds of Algorithm 2 whose broadcasts are known, for tasks that are quadratics (`quadratic.ts`):
 *   v <- clip(w), w^(t) <- M_t v, z <- w^(t) + beta_t (w^(t) - w^(t-1)), w <- z - eta (H z + b s - h + mu z),
 * and their intercepts, which nobody is told, with the same momentum and step:
 *   b^(t) <- a, b <- b^(t) + beta_t (b^(t) - b^(t-1)), a <- b - eta (s z + c n b - c 1^T y).
 * Three tasks at a time go through all of them, so that their forms of a few dozen features and a broadcast lie in the
 * first-level cache together. What follows a product, momentum and step, is done while its sums are in registers. All is
 * rounded as by the kernels that a round of all tasks takes, and products are summed in the order of `gemm` up to 256
 * features: the same bits.
 */
import { at } from "../address";
import { clipRows, extrapolate } from "../proximal";
import { combineRows } from "../blas/combine";
import { dot } from "../blas/vector";
import { descend } from "./quadratic-descent";
import { formEntries } from "./quadratic";

/** As src/learning/families/projected/quadratic-replay.ts writes it. */
@unmanaged
export class ProjectedRounds {
  /** K; Infinity not to clip. */
  clip: f64;
  /** mu. */
  strongConvexity: f64;
  /** Of `quadraticForms`. */
  forms: usize;
  /** f64[rounds, d, d] and f64[rounds]. */
  broadcasts: usize;
  betas: usize;
  /** f64[m], the eta_i. */
  steps: usize;
  /** f64[m, d] each: w, clipped or not, and w^(t); where the tasks stand before and after. */
  iterate: usize;
  output: usize;
  /** The same of intercepts, f64[m] each; both 0 without. */
  interceptIterate: usize;
  intercepts: usize;
  /** f64[6 d]. */
  work: usize;
  m: i32;
  d: i32;
  rounds: i32;
  /** 1 in the first call: w^(0) is the v of its first round. */
  first: i32;
}

/** Tasks side by side. */
const GROUP: i32 = 3;

/** Takes all rounds. Cost: 4 d^2 flops for each task and round. */
export function projectedRounds(job: ProjectedRounds): void {
  const d = job.d;
  for (let i = 0; i < job.m; i += GROUP) {
    const count = min(GROUP, job.m - i);
    const bytes = <usize>(count * d) << 3;
    const output = at(job.output, i * d), spare = at(job.work, GROUP * d);
    // w^(t) takes turns, so that w^(t-1) is still there.
    let last = output, next = spare;
    for (let r = 0; r < job.rounds; r++) {
      takeRound(job, i, count, r, last, next);
      const before = last;
      last = next;
      next = before;
    }
    if (last != output) memory.copy(output, spare, bytes);
  }
}

function takeRound(job: ProjectedRounds, i: i32, count: i32, r: i32, last: usize, output: usize): void {
  const d = job.d, z = job.work;
  const iterate = at(job.iterate, i * d);
  clipRows(iterate, iterate, count, d, job.clip);
  if (job.first && r == 0) memory.copy(last, iterate, <usize>(count * d) << 3);
  const beta = load<f64>(at(job.betas, r));
  receive(iterate, at(job.broadcasts, r * d * d), last, output, z, beta, count, d);
  const own = job.intercepts != 0, entries = formEntries(d, own);
  for (let k = 0; k < count; k++) {
    const form = at(job.forms, (i + k) * entries), step = load<f64>(at(job.steps, i + k));
    const point = at(z, k * d);
    let b = 0.0;
    if (own) b = descendIntercept(job, i + k, form, point, beta, step);
    descend(form, point, own, b, job.strongConvexity, step, at(iterate, k * d), d);
  }
}

/** b <- the extrapolated intercept, which it returns, and a <- its step from there. */
function descendIntercept(job: ProjectedRounds, i: i32, form: usize, z: usize, beta: f64, step: f64): f64 {
  const d = job.d, sums = at(form, d * d + d);
  const iterate = at(job.interceptIterate, i), output = at(job.intercepts, i);
  const before = load<f64>(output), now = load<f64>(iterate);
  const b = now + beta * (now - before);
  const slope = dot(sums, z, d) + b * load<f64>(at(sums, d)) - load<f64>(at(sums, d + 1));
  store<f64>(output, now);
  store<f64>(iterate, b + -step * slope);
  return b;
}

/** out f64[count, d] <- V M of `count` rows V and M f64[d, d], and z <- out + beta (out - last). */
function receive(
  v: usize, matrix: usize, last: usize, out: usize, z: usize, beta: f64, count: i32, d: i32,
): void {
  if (ASC_FEATURE_SIMD) {
    if (count == GROUP && d >= 6) {
      for (let j = 0; j < d; j += 6) sixColumns(v, matrix, last, out, z, beta, d, min(j, d - 6));
      return;
    }
  }
  for (let k = 0; k < count; k++) combineRows(1.0, 0, at(v, k * d), matrix, at(out, k * d), d, d);
  extrapolate(out, last, z, count * d, beta);
}

/** Columns j .. j + 5 of three rows. */
function sixColumns(
  a: usize, matrix: usize, last: usize, out: usize, z: usize, beta: f64, d: i32, j: i32,
): void {
  const stride = (<usize>d) << 3;
  let row = at(matrix, j);
  let b = a + stride, c = b + stride;
  let a0 = f64x2.splat(0), b0 = a0, c0 = a0;
  let a1 = a0, b1 = a0, c1 = a0;
  let a2 = a0, b2 = a0, c2 = a0;
  for (const end = a + stride; a < end; a += 8, row += stride) {
    const x = v128.load(row), y = v128.load(row, 16), w = v128.load(row, 32);
    let factor = v128.load64_splat(a);
    a0 = f64x2.add(a0, f64x2.mul(factor, x));
    a1 = f64x2.add(a1, f64x2.mul(factor, y));
    a2 = f64x2.add(a2, f64x2.mul(factor, w));
    // Never taken, like the next: V8 hoists all loads of a loop's body to its top and spills; a way out stops that.
    if (row == 0) break;
    factor = v128.load64_splat(b);
    b0 = f64x2.add(b0, f64x2.mul(factor, x));
    b1 = f64x2.add(b1, f64x2.mul(factor, y));
    b2 = f64x2.add(b2, f64x2.mul(factor, w));
    if (row == 1) break;
    factor = v128.load64_splat(c);
    c0 = f64x2.add(c0, f64x2.mul(factor, x));
    c1 = f64x2.add(c1, f64x2.mul(factor, y));
    c2 = f64x2.add(c2, f64x2.mul(factor, w));
    b += 8;
    c += 8;
  }
  const betas = f64x2.splat(beta);
  let shift = <usize>j << 3;
  move(a0, betas, last, out, z, shift);
  move(a1, betas, last, out, z, shift + 16);
  move(a2, betas, last, out, z, shift + 32);
  shift += stride;
  move(b0, betas, last, out, z, shift);
  move(b1, betas, last, out, z, shift + 16);
  move(b2, betas, last, out, z, shift + 32);
  shift += stride;
  move(c0, betas, last, out, z, shift);
  move(c1, betas, last, out, z, shift + 16);
  move(c2, betas, last, out, z, shift + 32);
}

/** Two entries of out and z. */
@inline function move(x: v128, beta: v128, last: usize, out: usize, z: usize, shift: usize): void {
  v128.store(out + shift, x);
  const step = f64x2.mul(beta, f64x2.sub(x, v128.load(last + shift)));
  v128.store(z + shift, f64x2.add(x, step));
}
