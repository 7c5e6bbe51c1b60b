/**
 * Rounds of Algorithm 2 whose broadcasts are known, for tasks that are quadratics (`quadratic.ts`):
 *   v <- clip(w), w^(t) <- M_t v, z <- w^(t) + beta_t (w^(t) - w^(t-1)), w <- z - eta (H z + b s - h + mu z),
 * and their intercepts, which nobody is told, with the same momentum and step:
 *   b^(t) <- a, b <- b^(t) + beta_t (b^(t) - b^(t-1)), a <- b - eta (s z + c n b - c 1^T y).
 * For choices among models only: all but the intercepts is in single precision, in which the broadcasts are kept. Four tasks at
 * a time go through all rounds, so that their forms of a few dozen features and a broadcast lie in the first-level cache
 * together. Forms are multiplied by eta before they are rounded, and models scaled by a power of two to norms below 1, so that
 * the unit of features and targets does not matter: only a step of more than 10^38 K overflows, to a model that is 0.
 *
 * Rounding: relative to |M| |v| and to |I - eta H| |z|, a product's entry within (d + 2) 2^-24.
 */
import { at } from "../address";
import { unitScale } from "../blas/vector";
import { formEntries } from "./quadratic";
import {
  clipSingle, descendSingle, dotWide, multiplyFour, narrow, QUAD, single, widen,
} from "./single-steps";

/** As src/learning/families/projected/quadratic-replay.ts writes it. */
@unmanaged
export class ProjectedRounds {
  /** K; Infinity not to clip. */
  clip: f64;
  /** mu. */
  strongConvexity: f64;
  /** Of `quadraticForms`. */
  forms: usize;
  /** f32[rounds, d, d] and f64[rounds]. */
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
  /** `projectedRoundsWorkspace` bytes. */
  work: usize;
  m: i32;
  d: i32;
  rounds: i32;
  /** 1 in the first call: w^(0) is the v of its first round. */
  first: i32;
}

@inline function strideOf(d: i32): i32 {
  return (d + 7) & ~7;
}

/** Bytes for so many rounds at once. */
export function projectedRoundsWorkspace(d: i32, rounds: i32): f64 {
  const matrix = <f64>d * <f64>strideOf(d);
  return 4.0 * (<f64>(rounds + QUAD) * matrix + 6.0 * <f64>QUAD * <f64>strideOf(d));
}

/** Where the numbers of a group lie: broadcasts and forms with padded rows, then rows of `stride`, QUAD of each kind. */
let matrices: usize = 0;
let forms: usize = 0;
let linear: usize = 0;
let sums: usize = 0;
let iterates: usize = 0;
let points: usize = 0;
let outputs: usize = 0;
let spares: usize = 0;

/** Takes all rounds. Cost: 4 d^2 flops for each task and round. */
export function projectedRounds(job: ProjectedRounds): void {
  const d = job.d, stride = strideOf(d);
  matrices = job.work;
  forms = single(matrices, job.rounds * d * stride);
  linear = single(forms, QUAD * d * stride);
  sums = single(linear, QUAD * stride);
  iterates = single(sums, QUAD * stride);
  points = single(iterates, QUAD * stride);
  outputs = single(points, QUAD * stride);
  spares = single(outputs, QUAD * stride);
  memory.fill(matrices, 0, <usize>projectedRoundsWorkspace(d, job.rounds));
  for (let row = 0; row < job.rounds * d; row++) {
    memory.copy(single(matrices, row * stride), single(job.broadcasts, row * d), (<usize>d) << 2);
  }
  const scale = job.clip < Infinity ? unitScale(job.clip) : 1.0;
  for (let i = 0; i < job.m; i += QUAD) takeGroup(job, i, min(QUAD, job.m - i), scale);
}

function takeGroup(job: ProjectedRounds, i: i32, count: i32, scale: f64): void {
  const d = job.d, stride = strideOf(d);
  for (let k = 0; k < count; k++) {
    place(job, i + k, k, scale);
    narrow(at(job.iterate, (i + k) * d), scale, single(iterates, k * stride), d);
    narrow(at(job.output, (i + k) * d), scale, single(outputs, k * stride), d);
  }
  // w^(t) takes turns, so that w^(t-1) is still there.
  let last = outputs, next = spares;
  for (let r = 0; r < job.rounds; r++) {
    takeRound(job, i, count, r, last, next, scale);
    const before = last;
    last = next;
    next = before;
  }
  for (let k = 0; k < count; k++) {
    widen(single(iterates, k * stride), 1.0 / scale, at(job.iterate, (i + k) * d), d);
    widen(single(last, k * stride), 1.0 / scale, at(job.output, (i + k) * d), d);
  }
}

/** Task i as the k-th of its group: eta (H + mu I), scale eta h and, with an intercept, eta s. */
function place(job: ProjectedRounds, i: i32, k: i32, scale: f64): void {
  const d = job.d, stride = strideOf(d), own = job.intercepts != 0;
  const form = at(job.forms, i * formEntries(d, own)), step = load<f64>(at(job.steps, i));
  const to = single(forms, k * d * stride);
  for (let row = 0; row < d; row++) {
    narrow(at(form, row * d), step, single(to, row * stride), d);
    if (job.strongConvexity > 0.0) {
      const diagonal = load<f64>(at(form, row * d + row)) + job.strongConvexity;
      store<f32>(single(to, row * stride + row), <f32>(step * diagonal));
    }
  }
  const h = at(form, d * d);
  narrow(h, step * scale, single(linear, k * stride), d);
  if (own) narrow(at(h, d), step, single(sums, k * stride), d);
}

function takeRound(
  job: ProjectedRounds, i: i32, count: i32, r: i32, last: usize, output: usize, scale: f64,
): void {
  const d = job.d, stride = strideOf(d);
  for (let k = 0; k < count; k++) clipSingle(single(iterates, k * stride), stride, job.clip * scale);
  if (job.first && r == 0) memory.copy(last, iterates, (<usize>(QUAD * stride)) << 2);
  const beta = load<f64>(at(job.betas, r));
  const matrix = single(matrices, r * d * stride);
  multiplyFour(iterates, matrix, last, output, points, <f32>beta, d, stride);
  for (let k = 0; k < count; k++) {
    const z = single(points, k * stride), w = single(iterates, k * stride);
    descendSingle(single(forms, k * d * stride), single(linear, k * stride), z, w, d, stride);
    if (job.intercepts == 0) continue;
    const s = single(sums, k * stride);
    const b = <f32>(scale * descendIntercept(job, i + k, dotWide(s, z, stride) / scale, beta));
    for (let j = 0; j < d; j++) store<f32>(single(w, j), load<f32>(single(w, j)) - b * load<f32>(single(s, j)));
  }
}

/** b <- the extrapolated intercept, which it returns, and a <- its step from there. @param slope eta s z. */
function descendIntercept(job: ProjectedRounds, i: i32, slope: f64, beta: f64): f64 {
  const d = job.d, step = load<f64>(at(job.steps, i));
  const own = at(job.forms, i * formEntries(d, true) + d * d + 2 * d);
  const iterate = at(job.interceptIterate, i), output = at(job.intercepts, i);
  const before = load<f64>(output), now = load<f64>(iterate);
  const b = now + beta * (now - before);
  store<f64>(output, now);
  store<f64>(iterate, b - slope - step * (b * load<f64>(own) - load<f64>(own, 8)));
  return b;
}
