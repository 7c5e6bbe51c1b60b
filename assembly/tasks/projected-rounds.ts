/**
 * Rounds of Algorithm 2 whose broadcasts are known, for tasks that are quadratics (`quadratic.ts`):
 *   v <- clip(w), w^(t) <- M_t v, z <- w^(t) + beta_t (w^(t) - w^(t-1)), w <- z - eta (H z + b s - h + mu z),
 * and their intercepts, which nobody is told, with the same momentum and step:
 *   b^(t) <- a, b <- b^(t) + beta_t (b^(t) - b^(t-1)), a <- b - eta (s z + c n b - c 1^T y).
 * An intercept, less the mean of the task's targets, is one entry more of its model, s and c n a row and column more of its form: what
 * the mean takes from h is taken in double precision.
 * For choices among models only: all is in single precision, in which the broadcasts are kept. Four tasks at
 * a time go through all rounds, so that their forms of a few dozen features and a broadcast lie in the first-level cache
 * together. Forms are multiplied by eta before they are rounded, and models scaled by a power of two to norms below 1, so that
 * the unit of features and targets does not matter: only a step of more than 10^38 K overflows, to a model that is 0.
 *
 * Rounding: relative to |M| |v| and to |I - eta H| |z|, a product's entry within (d + 3) 2^-24.
 */
import { at } from "../address";
import { unitScale } from "../blas/vector";
import { formEntries } from "./quadratic";
import { descendSingle, multiplyFour } from "./single-products";
import { clipFour, narrow, QUAD, single, widen } from "./single-steps";

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

/** Entries of a model, and what they are filled up to. */
let entries: i32 = 0;
let stride: i32 = 0;

/** Bytes for so many rounds at once. */
export function projectedRoundsWorkspace(d: i32, rounds: i32): f64 {
  const n = <f64>d + 1.0, row = <f64>((d + 8) & ~7);
  return 4.0 * row * (<f64>(rounds + QUAD) * n + 5.0 * <f64>QUAD + 1.0) + 8.0 * <f64>QUAD;
}

/** Where the numbers of a group lie: targets' means in doubles, broadcasts, forms, then rows, QUAD of each kind but one mask. */
let means: usize = 0;
let matrices: usize = 0;
let forms: usize = 0;
let linear: usize = 0;
let iterates: usize = 0;
let points: usize = 0;
let outputs: usize = 0;
let spares: usize = 0;
let mask: usize = 0;

/** Takes all rounds. Cost: 4 d^2 flops for each task and round. */
export function projectedRounds(job: ProjectedRounds): void {
  const d = job.d;
  entries = job.intercepts ? d + 1 : d;
  stride = (entries + 7) & ~7;
  means = job.work;
  matrices = at(means, QUAD);
  forms = single(matrices, job.rounds * entries * stride);
  linear = single(forms, QUAD * entries * stride);
  iterates = single(linear, QUAD * stride);
  points = single(iterates, QUAD * stride);
  outputs = single(points, QUAD * stride);
  spares = single(outputs, QUAD * stride);
  mask = single(spares, QUAD * stride);
  memory.fill(job.work, 0, <usize>projectedRoundsWorkspace(d, job.rounds));
  memory.fill(mask, 0xff, (<usize>d) << 2);
  for (let r = 0; r < job.rounds; r++) {
    const matrix = single(matrices, r * entries * stride);
    for (let row = 0; row < d; row++) {
      memory.copy(single(matrix, row * stride), single(job.broadcasts, (r * d + row) * d), (<usize>d) << 2);
    }
    if (entries > d) store<f32>(single(matrix, d * stride + d), 1);
  }
  const scale = job.clip < Infinity ? unitScale(job.clip) : 1.0;
  for (let i = 0; i < job.m; i += QUAD) takeGroup(job, i, min(QUAD, job.m - i), scale);
}

function takeGroup(job: ProjectedRounds, i: i32, count: i32, scale: f64): void {
  for (let k = 0; k < count; k++) {
    place(job, i + k, k, scale);
    placeModel(job, job.iterate, job.interceptIterate, i + k, k, single(iterates, k * stride), scale);
    placeModel(job, job.output, job.intercepts, i + k, k, single(outputs, k * stride), scale);
  }
  // w^(t) takes turns, so that w^(t-1) is still there.
  let last = outputs, next = spares;
  for (let r = 0; r < job.rounds; r++) {
    takeRound(job, count, r, last, next, scale);
    const before = last;
    last = next;
    next = before;
  }
  for (let k = 0; k < count; k++) {
    giveModel(job, job.iterate, job.interceptIterate, i + k, k, single(iterates, k * stride), scale);
    giveModel(job, job.output, job.intercepts, i + k, k, single(last, k * stride), scale);
  }
}

/** Task i as the k-th of its group: eta (H + mu I), scale eta h and, with an intercept, eta s and eta c n. */
function place(job: ProjectedRounds, i: i32, k: i32, scale: f64): void {
  const d = job.d, own = entries > d;
  const form = at(job.forms, i * formEntries(d, own)), step = load<f64>(at(job.steps, i));
  const to = single(forms, k * entries * stride);
  for (let row = 0; row < d; row++) {
    narrow(at(form, row * d), step, single(to, row * stride), d);
    if (job.strongConvexity > 0.0) {
      const diagonal = load<f64>(at(form, row * d + row)) + job.strongConvexity;
      store<f32>(single(to, row * stride + row), <f32>(step * diagonal));
    }
  }
  const h = at(form, d * d), out = single(linear, k * stride);
  if (!own) {
    narrow(h, step * scale, out, d);
    return;
  }
  // s, c n and c 1^T y.
  const sums = at(h, d), mass = load<f64>(at(sums, d)), total = load<f64>(at(sums, d + 1));
  const mean = mass > 0.0 ? total / mass : 0.0;
  store<f64>(at(means, k), mean);
  narrow(sums, step, single(to, d * stride), d);
  for (let j = 0; j < d; j++) {
    store<f32>(single(to, j * stride + d), load<f32>(single(to, d * stride + j)));
    store<f32>(single(out, j), <f32>(step * scale * (load<f64>(at(h, j)) - mean * load<f64>(at(sums, j)))));
  }
  store<f32>(single(to, d * stride + d), <f32>(step * mass));
  store<f32>(single(out, d), <f32>(step * scale * (total - mean * mass)));
}

/** out <- scale (w, b less the mean). */
function placeModel(
  job: ProjectedRounds, weights: usize, intercepts: usize, i: i32, k: i32, out: usize, scale: f64,
): void {
  const d = job.d;
  narrow(at(weights, i * d), scale, out, d);
  if (entries == d) return;
  store<f32>(single(out, d), <f32>(scale * (load<f64>(at(intercepts, i)) - load<f64>(at(means, k)))));
}

/** The way back. */
function giveModel(
  job: ProjectedRounds, weights: usize, intercepts: usize, i: i32, k: i32, model: usize, scale: f64,
): void {
  const d = job.d;
  widen(model, 1.0 / scale, at(weights, i * d), d);
  if (entries == d) return;
  store<f64>(at(intercepts, i), load<f64>(at(means, k)) + <f64>load<f32>(single(model, d)) / scale);
}

function takeRound(
  job: ProjectedRounds, count: i32, r: i32, last: usize, output: usize, scale: f64,
): void {
  const d = job.d;
  clipFour(iterates, mask, d, stride, job.clip * scale);
  if (job.first && r == 0) memory.copy(last, iterates, (<usize>(QUAD * stride)) << 2);
  const beta = <f32>load<f64>(at(job.betas, r));
  const matrix = single(matrices, r * entries * stride);
  multiplyFour(iterates, matrix, last, output, points, beta, d, entries, stride);
  for (let k = 0; k < count; k++) {
    const form = single(forms, k * entries * stride), row = k * stride;
    descendSingle(form, single(linear, row), single(points, row), single(iterates, row), d, entries, stride);
  }
}
