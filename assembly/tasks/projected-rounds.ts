/**
 * Rounds of Algorithm 2 whose broadcasts are known, for tasks that are quadratics (`single-forms.ts`):
 *   v <- clip(w), w^(t) <- M_t v, z <- w^(t) + beta_t (w^(t) - w^(t-1)), w <- z - (A z - h).
 * An intercept, less the mean of its task's targets, is one entry more of a model: nobody is told it, so that it is not clipped and M_t
 * leaves it as it is.
 * Any of the entries may be asked for, in any order; their models then lie in that order.
 * For choices among models only: all is in single precision, in which the broadcasts are kept. Four tasks at
 * a time go through all rounds, so that their forms of a few dozen features and a broadcast lie in the first-level cache
 * together. Models are scaled by a power of two to norms below 1, so that
 * the unit of features and targets does not matter: only a step of more than 10^38 K overflows, to a model that is 0.
 *
 * Rounding: relative to |M| |v| and to |I - A| |z|, a product's entry within (d + 3) 2^-24.
 */
import { at } from "../address";
import { unitScale } from "../blas/vector";
import { singleFormEntries, strideOf } from "./single-forms";
import { descendSingle, multiplyFour } from "./single-products";
import { clipFour, copySingle, narrow, QUAD, single, widen } from "./single-steps";

/** As src/learning/families/projected/quadratic-replay.ts writes it. */
@unmanaged
export class ProjectedRounds {
  /** K; Infinity not to clip. */
  clip: f64;
  /** Of `singleForms`, their h scaled as `projectedScale` says, and f64[m], their means. */
  forms: usize;
  means: usize;
  /** f32[rounds, d, d] and f64[rounds]. */
  broadcasts: usize;
  betas: usize;
  /** u32[m]: whose forms and means each of the models has. */
  chosen: usize;
  /** f64[., d], the entries' w^(0), and f64[.], their intercepts; read in the first call. */
  starts: usize;
  interceptStarts: usize;
  /** f64[m, d] each: w, clipped or not, and w^(t); where the tasks stand before and after. */
  iterate: usize;
  output: usize;
  /** The same of intercepts, f64[m] each; both 0 without. */
  interceptIterate: usize;
  intercepts: usize;
  /** `projectedRoundsWorkspace` bytes. */
  work: usize;
  /** How many models. */
  m: i32;
  d: i32;
  rounds: i32;
  /** 1 in the first call of these entries: w^(0) is the v of its first round. */
  first: i32;
  /** 1 where `work` is as a call with these broadcasts has left it. */
  placed: i32;
}

/** Entries of a model, what they are filled up to, and the float32s of a form. */
let entries: i32 = 0;
let stride: i32 = 0;
let formLength: i32 = 0;

/** What models are multiplied by for a bound K. */
export function projectedScale(clip: f64): f64 {
  return clip < Infinity ? unitScale(clip) : 1.0;
}

/** Bytes for so many rounds at once. */
export function projectedRoundsWorkspace(d: i32, rounds: i32): f64 {
  return 4.0 * <f64>strideOf(d + 1) * (<f64>rounds * <f64>(d + 1) + 4.0 * <f64>QUAD + 1.0);
}

/** Where broadcasts lie, then rows, QUAD of each kind but one mask. */
let matrices: usize = 0;
let iterates: usize = 0;
let points: usize = 0;
let outputs: usize = 0;
let spares: usize = 0;
let mask: usize = 0;

/** Takes all rounds. Cost: 4 d^2 flops for each task and round. */
export function projectedRounds(job: ProjectedRounds): void {
  const d = job.d;
  entries = job.intercepts ? d + 1 : d;
  stride = strideOf(entries);
  formLength = <i32>singleFormEntries(d, i32(entries > d));
  matrices = job.work;
  iterates = single(matrices, job.rounds * entries * stride);
  points = single(iterates, QUAD * stride);
  outputs = single(points, QUAD * stride);
  spares = single(outputs, QUAD * stride);
  mask = single(spares, QUAD * stride);
  if (!job.placed) placeBroadcasts(job);
  const scale = projectedScale(job.clip);
  for (let i = 0; i < job.m; i += QUAD) takeGroup(job, i, min(QUAD, job.m - i), scale);
}

function placeBroadcasts(job: ProjectedRounds): void {
  const d = job.d;
  memory.fill(job.work, 0, <usize>projectedRoundsWorkspace(d, job.rounds));
  memory.fill(mask, 0xff, (<usize>d) << 2);
  for (let r = 0; r < job.rounds; r++) {
    const matrix = single(matrices, r * entries * stride);
    for (let row = 0; row < d; row++) {
      copySingle(single(job.broadcasts, (r * d + row) * d), single(matrix, row * stride), d);
    }
    if (entries > d) store<f32>(single(matrix, d * stride + d), 1);
  }
}

/** The entry of model i. */
@inline function entryOf(job: ProjectedRounds, i: i32): i32 {
  return load<u32>(job.chosen + ((<usize>i) << 2));
}

function takeGroup(job: ProjectedRounds, i: i32, count: i32, scale: f64): void {
  for (let k = 0; k < count; k++) {
    const iterate = single(iterates, k * stride), entry = entryOf(job, i + k);
    // What w^(-1) is does not matter.
    if (job.first) placeModel(job, job.starts, job.interceptStarts, entry, entry, iterate, scale);
    else {
      placeModel(job, job.iterate, job.interceptIterate, i + k, entry, iterate, scale);
      placeModel(job, job.output, job.intercepts, i + k, entry, single(outputs, k * stride), scale);
    }
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
    giveModel(job, job.iterate, job.interceptIterate, i + k, single(iterates, k * stride), scale);
    giveModel(job, job.output, job.intercepts, i + k, single(last, k * stride), scale);
  }
}

/** out <- scale (w, b less the mean) of the model in place i. */
function placeModel(
  job: ProjectedRounds, weights: usize, intercepts: usize, i: i32, entry: i32, out: usize, scale: f64,
): void {
  const d = job.d;
  narrow(at(weights, i * d), scale, out, d);
  if (entries == d) return;
  store<f32>(single(out, d), <f32>(scale * (load<f64>(at(intercepts, i)) - load<f64>(at(job.means, entry)))));
}

/** The way back. */
function giveModel(
  job: ProjectedRounds, weights: usize, intercepts: usize, i: i32, model: usize, scale: f64,
): void {
  const d = job.d;
  widen(model, 1.0 / scale, at(weights, i * d), d);
  if (entries == d) return;
  store<f64>(at(intercepts, i), load<f64>(at(job.means, entryOf(job, i))) + <f64>load<f32>(single(model, d)) / scale);
}

function takeRound(
  job: ProjectedRounds, i: i32, count: i32, r: i32, last: usize, output: usize, scale: f64,
): void {
  const d = job.d;
  clipFour(iterates, mask, d, stride, job.clip * scale);
  if (job.first && r == 0) memory.copy(last, iterates, (<usize>(QUAD * stride)) << 2);
  const beta = <f32>load<f64>(at(job.betas, r));
  const matrix = single(matrices, r * entries * stride);
  multiplyFour(iterates, matrix, last, output, points, beta, d, entries, stride);
  for (let k = 0; k < count; k++) {
    const form = single(job.forms, entryOf(job, i + k) * formLength), h = single(form, entries * stride);
    const row = k * stride;
    descendSingle(form, h, single(points, row), single(iterates, row), d, entries, stride);
  }
}
