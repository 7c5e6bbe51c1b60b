/**
 * Scores of the logarithms of three variances, of one task after the other (src/learning/families/mixed/squared/spread/variance-scores.ts says
 * which), where its rows are told by observations o along k orthonormal directions w in coordinates z, the model being L z.
 *
 * With p_t = sqrt(square_t) o_t / v_t the sum over all coordinates of u_c (C u)_c is that of p_t^2, since u = L^-T z and C u = L z
 * for z = sum_t p_t w_t; of the intercept, the last coordinate, u has z_d / L_dd and C u the product of z with the last row of L.
 * What does not depend on observations is worked out once a task. Sums are taken in the order of plain loops.
 */
import { at } from "../address";
import { expOf } from "../blas/pair-exponential";
import { log } from "../logarithm";

/** As src/learning/families/mixed/squared/spread/variance-scores.ts writes it. */
@unmanaged
export class VarianceScores {
  /** Coordinates, and hypotheses on the noise. */
  d: i32;
  count: i32;
  /** f64[count]: the noise under each hypothesis, its logarithm, and that of the hypothesis' prior. */
  noises: usize;
  logs: usize;
  priors: usize;
  /** f64[d]: the last row of L. */
  row: usize;
  /** Of the task: f64[k], f64[k] and W^T f64[k, d]. */
  squares: usize;
  observed: usize;
  directions: usize;
  /** Of every hypothesis, `Told`. */
  told: usize;
  /** Of every hypothesis and direction, `Factors`. */
  factors: usize;
  /** f64[count]: the weights of the hypotheses. */
  weights: usize;
  /** Of every hypothesis, f64[count, 3], and their means f64[3]: of slopes, intercept, noise. */
  parts: usize;
  scores: usize;
}

/** What all directions come to. */
@unmanaged
class Told {
  /** sum_t log v_t. */
  log: f64;
  /** (H C)_cc summed over all coordinates, and of the intercept. */
  all: f64;
  intercept: f64;
  /** sum_t noise / v_t. */
  noise: f64;
}

/** What an observation along a direction is multiplied by; the first three, its square. */
@unmanaged
class Factors {
  /** 1 / v, square / v^2 and noise / v^2. */
  cost: f64;
  all: f64;
  noise: f64;
  /** sqrt(square) / v times what u and C u have of the direction in the intercept. */
  own: f64;
  other: f64;
}

/** Takes a task of k directions. Cost: 2 k d flops. */
export function openVarianceScores(job: VarianceScores, k: i32): void {
  const d = job.d, count = job.count, corner = load<f64>(at(job.row, d - 1));
  memory.fill(job.told, 0, <usize>count * offsetof<Told>());
  for (let t = 0; t < k; t++) {
    const direction = at(job.directions, t * d);
    let other = 0.0;
    for (let c = 0; c < d; c++) other += load<f64>(at(job.row, c)) * load<f64>(at(direction, c));
    const own = load<f64>(at(direction, d - 1)) / corner;
    const square = load<f64>(at(job.squares, t)), root = Math.sqrt(square);
    for (let j = 0; j < count; j++) {
      const noise = load<f64>(at(job.noises, j)), v = noise + square, part = square / v;
      const told = changetype<Told>(job.told + <usize>j * offsetof<Told>());
      told.log += log(v);
      told.all += part;
      told.intercept += part * own * other;
      told.noise += noise / v;
      const factors = changetype<Factors>(job.factors + <usize>(j * k + t) * offsetof<Factors>());
      factors.cost = 1.0 / v;
      factors.all = part / v;
      factors.noise = noise / v / v;
      factors.own = (root / v) * own;
      factors.other = (root / v) * other;
    }
  }
}

/**
 * scores <- those of n rows, averaged over the hypotheses by their likelihood; `rest` is the sum of squares that no direction explains.
 * Cost: 10 count k flops.
 */
export function varianceScores(job: VarianceScores, n: i32, k: i32, rest: f64): void {
  const count = job.count;
  let factors = job.factors, most = -Infinity;
  for (let j = 0; j < count; j++) {
    const noise = load<f64>(at(job.noises, j));
    const told = changetype<Told>(job.told + <usize>j * offsetof<Told>());
    let cost = <f64>(n - k) * load<f64>(at(job.logs, j)) + rest / noise + told.log;
    let all = -told.all, ofNoise = rest / noise - <f64>(n - k) - told.noise, u = 0.0, cu = 0.0;
    for (let seen = job.observed, end = at(seen, k); seen < end; seen += 8, factors += offsetof<Factors>()) {
      const one = changetype<Factors>(factors), value = load<f64>(seen), square = value * value;
      cost += square * one.cost;
      all += square * one.all;
      ofNoise += square * one.noise;
      u += value * one.own;
      cu += value * one.other;
    }
    const weight = load<f64>(at(job.priors, j)) - cost / 2.0, intercept = u * cu - told.intercept;
    store<f64>(at(job.weights, j), weight);
    most = Math.max(most, weight);
    const parts = at(job.parts, 3 * j);
    store<f64>(parts, all - intercept);
    store<f64>(parts, intercept, 8);
    store<f64>(parts, ofNoise, 16);
  }
  let whole = 0.0, slopes = 0.0, ofIntercept = 0.0, ofNoises = 0.0;
  for (let j = 0; j < count; j++) {
    const weight = expOf<f64>(load<f64>(at(job.weights, j)) - most), parts = at(job.parts, 3 * j);
    whole += weight;
    slopes += weight * load<f64>(parts);
    ofIntercept += weight * load<f64>(parts, 8);
    ofNoises += weight * load<f64>(parts, 16);
  }
  whole *= 2.0;
  store<f64>(job.scores, slopes / whole);
  store<f64>(job.scores, ofIntercept / whole, 8);
  store<f64>(job.scores, ofNoises / whole, 16);
}
