/**
 * Rounds of Algorithm 2 whose broadcasts are known, for tasks that are quadratics (`quadratic.ts`):
 *   v <- clip(w), w^(t) <- M_t v, z <- w^(t) + beta_t (w^(t) - w^(t-1)), w <- z - eta (H z + b s - h + mu z),
 * and their intercepts, which nobody is told, with the same momentum and step:
 *   b^(t) <- a, b <- b^(t) + beta_t (b^(t) - b^(t-1)), a <- b - eta (s z + c n b - c 1^T y).
 * Five tasks at a time go through all of them, so that their forms and models stay in the first two caches and
 * a broadcast is read for five. The steps are the kernels that a round of all tasks takes, and products are summed
 * in the order of `gemm` up to 256 features: the same bits.
 */
import { at } from "../address";
import { axpy, clipRows, extrapolate, gradientStep } from "../proximal";
import { combineRows } from "../blas/combine";
import { formEntries, quadraticGradients } from "./quadratic";

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
  /** f64[m, d] each: w before clipping, w^(t) and w^(t-1); where the tasks stand before and after. */
  iterate: usize;
  output: usize;
  previous: usize;
  /** The same of intercepts, f64[m] each; all 0 without. */
  interceptIterate: usize;
  intercepts: usize;
  interceptPrevious: usize;
  /** f64[10 (d + 1)]. */
  work: usize;
  m: i32;
  d: i32;
  rounds: i32;
  /** 1 in the first call: w^(0) is the v of its first round. */
  first: i32;
}

/** Tasks side by side. */
const GROUP: i32 = 5;

/** Takes all rounds. Cost: 4 d^2 flops for each task and round. */
export function projectedRounds(job: ProjectedRounds): void {
  for (let i = 0; i < job.m; i += GROUP) {
    const count = min(GROUP, job.m - i);
    for (let r = 0; r < job.rounds; r++) takeRound(job, i, count, r);
  }
}

function takeRound(job: ProjectedRounds, i: i32, count: i32, r: i32): void {
  const d = job.d, length = count * d;
  const iterate = at(job.iterate, i * d);
  const output = at(job.output, i * d);
  const previous = at(job.previous, i * d);
  const shared = job.work;
  clipRows(iterate, shared, count, d, job.clip);
  const last = job.first && r == 0 ? shared : output;
  memory.copy(previous, last, (<usize>length) << 3);
  timesMatrix(shared, at(job.broadcasts, r * d * d), output, count, d);
  const beta = load<f64>(at(job.betas, r)), z = at(shared, GROUP * d);
  extrapolate(output, previous, z, length, beta);
  const own = job.intercepts != 0;
  const b = own ? at(z, GROUP * d) : 0, slopes = own ? at(b, GROUP) : 0;
  if (own) {
    const now = at(job.intercepts, i), before = at(job.interceptPrevious, i);
    memory.copy(before, now, (<usize>count) << 3);
    memory.copy(now, at(job.interceptIterate, i), (<usize>count) << 3);
    extrapolate(now, before, b, count, beta);
  }
  quadraticGradients(at(job.forms, i * formEntries(d, own)), z, b, shared, slopes, count, d);
  if (job.strongConvexity > 0.0) axpy(job.strongConvexity, z, shared, length);
  gradientStep(z, shared, at(job.steps, i), iterate, count, d);
  if (own) gradientStep(b, slopes, at(job.steps, i), at(job.interceptIterate, i), count, 1);
}

/** out f64[count, d] <- A M for `count` rows A and M f64[d, d]. */
function timesMatrix(a: usize, matrix: usize, out: usize, count: i32, d: i32): void {
  if (ASC_FEATURE_SIMD) {
    if (count == GROUP && d >= 4) {
      for (let j = 0; j < d; j += 4) fourColumns(a, matrix, out, d, min(j, d - 4));
      return;
    }
  }
  for (let k = 0; k < count; k++) combineRows(1.0, 0, at(a, k * d), matrix, at(out, k * d), d, d);
}

/** Columns j .. j + 3 of five rows of the product. */
function fourColumns(a: usize, matrix: usize, out: usize, d: i32, j: i32): void {
  const stride = (<usize>d) << 3;
  let row = at(matrix, j);
  let b = a + stride, c = b + stride, e = c + stride, f = e + stride;
  let a0 = f64x2.splat(0), b0 = a0, c0 = a0, e0 = a0, f0 = a0;
  let a1 = a0, b1 = a0, c1 = a0, e1 = a0, f1 = a0;
  for (const end = a + stride; a < end; a += 8, row += stride) {
    const x = v128.load(row), y = v128.load(row, 16);
    let factor = v128.load64_splat(a);
    a0 = f64x2.add(a0, f64x2.mul(factor, x));
    a1 = f64x2.add(a1, f64x2.mul(factor, y));
    factor = v128.load64_splat(b);
    b0 = f64x2.add(b0, f64x2.mul(factor, x));
    b1 = f64x2.add(b1, f64x2.mul(factor, y));
    // Never taken, like the next: V8 hoists all loads of a loop's body to its top and spills; a way out stops that.
    if (row == 0) break;
    factor = v128.load64_splat(c);
    c0 = f64x2.add(c0, f64x2.mul(factor, x));
    c1 = f64x2.add(c1, f64x2.mul(factor, y));
    factor = v128.load64_splat(e);
    e0 = f64x2.add(e0, f64x2.mul(factor, x));
    e1 = f64x2.add(e1, f64x2.mul(factor, y));
    if (row == 1) break;
    factor = v128.load64_splat(f);
    f0 = f64x2.add(f0, f64x2.mul(factor, x));
    f1 = f64x2.add(f1, f64x2.mul(factor, y));
    b += 8;
    c += 8;
    e += 8;
    f += 8;
  }
  let to = at(out, j);
  v128.store(to, a0);
  v128.store(to, a1, 16);
  to += stride;
  v128.store(to, b0);
  v128.store(to, b1, 16);
  to += stride;
  v128.store(to, c0);
  v128.store(to, c1, 16);
  to += stride;
  v128.store(to, e0);
  v128.store(to, e1, 16);
  to += stride;
  v128.store(to, f0);
  v128.store(to, f1, 16);
}
