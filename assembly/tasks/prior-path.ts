/**
 * One task's ridge models under a Gaussian prior at several strengths kappa, from one decomposition:
 *   argmin_{w, b} (c/2) sum_j (x_j w + b - y_j)^2 + (kappa/2) (w - a)^T C^-1 (w - a), b not penalised.
 *
 * With C = R R^T and w = a + R v this is the ridge problem of `ridge-basis.ts` for the rows X R, the targets
 * y - X a (both centred where there is an intercept) and r = kappa / c. A strength costs 8 n min(n, d) flops, the
 * models' average over strengths one model.
 *
 * Source: Elden (1977); leave-one-out residuals as Golub, Heath, Wahba (1979).
 */
import { at } from "../address";
import { combineRows } from "../blas/combine";
import { product, productWorkspace } from "../blas/gemm";
import { OVERWRITE } from "../blas/tile";
import { addScaled, dot } from "../blas/vector";
import { cholesky } from "../cholesky";
import { rowMean } from "./ridge";
import {
  decompose, factorise, layOut, leaveOneOut, LEAST_LEFT, RidgeBasis, ridgeBasisWorkspace, solution,
} from "./ridge-basis";
import { solveLower } from "./systems";

/** As src/learning/families/prior/strength/strength-path.ts writes it. */
@unmanaged
export class PriorPath {
  /** c > 0. */
  scale: f64;
  /** X f64[n, d], y f64[n], n > 0. */
  x: usize;
  y: usize;
  /** R f64[d, d] of `priorRoot`, a f64[d] or 0, the kappa f64[count]. */
  root: usize;
  center: usize;
  strengths: usize;
  /** Leave-one-out residuals f64[count, n]. */
  residuals: usize;
  /** f64[count] each: sums of the leverages (1 of them is an intercept's), least penalised losses over c. */
  leverages: usize;
  losses: usize;
  /** f64[count]: the weight of each model in the average. */
  weights: usize;
  /** The average: w f64[d] and b f64[1], or 0 for no intercept. */
  model: usize;
  level: usize;
  /** `priorPathWorkspace` bytes. */
  work: usize;
  n: i32;
  d: i32;
  count: i32;
}

const basis = changetype<RidgeBasis>(memory.data(<i32>offsetof<RidgeBasis>(), 16));

/** R f64[d, d] <- L^-T for the Cholesky factor L of C^-1 f64[d, d]; 0, or 1 if there is none. work f64[d, d]. */
export function priorRoot(precision: usize, root: usize, d: i32, work: usize): i32 {
  const size = (<usize>(d * d)) << 3;
  memory.copy(work, precision, size);
  if (cholesky(work, d) != 0) return 1;
  memory.fill(root, 0, size);
  for (let k = 0; k < d; k++) {
    store<f64>(at(root, k * (d + 1)), 1.0);
    solveLower(work, at(root, k * d), d, k);
  }
  return 0;
}

/** Where a job's own vectors lie: means of the rows f64[d], of the targets f64[1], solutions f64[count, s], scratch. */
@inline function solutionsAt(job: PriorPath): usize {
  return at(job.work, job.d + 1);
}
@inline function scratchAt(job: PriorPath): usize {
  return at(solutionsAt(job), job.count * min(job.n, job.d));
}
@inline function centredAt(job: PriorPath): usize {
  return at(scratchAt(job), 3 * job.d + 8);
}

/** Bytes of scratch for tasks of at most n rows and `count` strengths. */
export function priorPathWorkspace(n: i32, d: i32, count: i32): f64 {
  const own = <f64>(4 * d + 9) + <f64>count * <f64>min(n, d) + <f64>n * <f64>d;
  return 8.0 * own + 16.0 + ridgeBasisWorkspace(n, d) + productWorkspace(n, d, d);
}

/** Residuals, leverages and losses of every strength; 0, or 1 if a system is not positive definite. */
export function openPriorPath(job: PriorPath): i32 {
  const n = job.n, s = min(n, job.d);
  place(job);
  decompose(basis);
  for (let q = 0; q < job.count; q++) {
    const r = load<f64>(at(job.strengths, q)) / job.scale;
    if (!factorise(basis, r)) return 1;
    const z = at(solutionsAt(job), q * s);
    const penalty = solution(basis, z);
    leaveOneOut(basis, r);
    let squares = 0.0, leverages = 0.0;
    for (let j = 0; j < n; j++) {
      const residual = load<f64>(at(basis.fits, j));
      const left = load<f64>(at(basis.leverages, j));
      squares += residual * residual;
      leverages += Math.min(1.0, Math.max(0.0, 1.0 - left));
      store<f64>(at(job.residuals, q * n + j), left > LEAST_LEFT ? residual / left : 0.0);
    }
    if (n == 1 && job.level != 0) {
      // Without its one row there is only the prior's mean.
      store<f64>(at(job.residuals, q), load<f64>(at(job.work, job.d)));
      leverages = 1.0;
    }
    store<f64>(at(job.leverages, q), leverages);
    store<f64>(at(job.losses, q), 0.5 * (squares + r * penalty));
  }
  return 0;
}

/** The basis <- X R and y - X a, less their means with an intercept. */
function place(job: PriorPath): void {
  const n = job.n, d = job.d;
  const stride = (<usize>d) << 3;
  const mean = job.work, centred = centredAt(job);
  const base = (at(centred, n * d) + 15) & ~15;
  layOut(basis, n, d, job.level != 0, base);
  memory.copy(centred, job.x, <usize>n * stride);
  let level = 0.0;
  for (let j = 0; j < n; j++) {
    const predicted = job.center ? dot(at(centred, j * d), job.center, d) : 0.0;
    const target = load<f64>(at(job.y, j)) - predicted;
    store<f64>(at(basis.targets, j), target);
    level += target;
  }
  if (job.level) {
    level /= <f64>n;
    store<f64>(at(mean, d), level);
    rowMean(job.x, mean, n, d);
    for (let j = 0; j < n; j++) {
      addScaled(-1.0, mean, at(centred, j * d), d);
      store<f64>(at(basis.targets, j), load<f64>(at(basis.targets, j)) - level);
    }
  }
  product(centred, d, 1, job.root, d, 1, basis.rows, d, n, d, d, OVERWRITE, false, basis.work);
}

/** The average of the models that `openPriorPath` solved for, just before, with the job's weights. */
export function closePriorPath(job: PriorPath): void {
  const d = job.d, s = min(job.n, d), s4 = basis.s4;
  const z = scratchAt(job);
  const turned = at(basis.scratch, s4);
  combineRows(1.0, 0, job.weights, solutionsAt(job), z, job.count, s);
  combineRows(1.0, 0, z, basis.turn, turned, s, s4);
  let v = turned;
  if (basis.dual) {
    v = at(z, d);
    combineRows(1.0, 0, turned, basis.rows, v, job.n, d);
  }
  for (let k = 0; k < d; k++) store<f64>(at(job.model, k), dot(at(job.root, k * d), v, d));
  if (job.level) {
    store<f64>(job.level, load<f64>(at(job.work, d)) - dot(job.work, job.model, d));
  }
  if (job.center) addScaled(1.0, job.center, job.model, d);
}
