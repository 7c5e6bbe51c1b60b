/**
 * Scores of the logarithms of three variances, of one task after the other (src/learning/families/mixed/squared/variance-scores.ts says
 * which), where its rows are told by observations along k directions. Sums are taken in the order of plain loops.
 */
import { at } from "../address";
import { combineRows } from "../blas/combine";

/** As src/learning/families/mixed/squared/variance-scores.ts writes it. */
@unmanaged
export class VarianceScores {
  /** Coordinates, and hypotheses on the noise. */
  d: i32;
  count: i32;
  /** f64[count]: the noise under each hypothesis. */
  noises: usize;
  /** f64[d, d]: L^-1 and L^-1 C. */
  inverse: usize;
  toCovariance: usize;
  /** Of the task: f64[k], f64[k] and W^T f64[k, d]. */
  squares: usize;
  observed: usize;
  directions: usize;
  /** f64[count, k]: log(noise + square). */
  logs: usize;
  /** W^T L^-1 and W^T L^-1 C, f64[k, d], and (H C)_cc under every hypothesis, f64[count, d]. */
  own: usize;
  other: usize;
  information: usize;
  /** -2 log likelihood, f64[count], but for the part of the rows that no direction tells of; then the weights. */
  costs: usize;
  weights: usize;
  /** Results f64[3]: of slopes, intercept, noise. */
  scores: usize;
  /** f64[k], and f64[d] twice. */
  parts: usize;
  u: usize;
  cu: usize;
}

/** Takes a task of k directions. Cost: 4 k d^2 flops. */
export function openVarianceScores(job: VarianceScores, k: i32): void {
  const d = job.d;
  for (let t = 0; t < k; t++) {
    const row = at(job.directions, t * d);
    combineRows(1.0, 0, row, job.inverse, at(job.own, t * d), d, d);
    combineRows(1.0, 0, row, job.toCovariance, at(job.other, t * d), d, d);
  }
  memory.fill(job.information, 0, (<usize>job.count * <usize>d) << 3);
  for (let j = 0; j < job.count; j++) {
    const noise = load<f64>(at(job.noises, j));
    for (let t = 0; t < k; t++) {
      const square = load<f64>(at(job.squares, t)), v = noise + square;
      let own = at(job.own, t * d), other = at(job.other, t * d), to = at(job.information, j * d);
      for (const end = at(to, d); to < end; to += 8, own += 8, other += 8) {
        store<f64>(to, load<f64>(to) + ((load<f64>(own) * square) / v) * load<f64>(other));
      }
    }
  }
}

/** costs <- init[j] + sum_t log v_t + observed_t^2 / v_t, where init is what they are. */
export function varianceCosts(job: VarianceScores, k: i32): void {
  for (let j = 0; j < job.count; j++) {
    const noise = load<f64>(at(job.noises, j)), logs = at(job.logs, j * k);
    let sum = load<f64>(at(job.costs, j));
    for (let t = 0; t < k; t++) {
      const seen = load<f64>(at(job.observed, t));
      sum += load<f64>(at(logs, t)) + (seen * seen) / (noise + load<f64>(at(job.squares, t)));
    }
    store<f64>(at(job.costs, j), sum);
  }
}

/** scores <- those of n rows, averaged by the weights; `rest` is the sum of squares that no direction explains. */
export function varianceScores(job: VarianceScores, n: i32, k: i32, rest: f64): void {
  const d = job.d;
  let slopes = 0.0, intercept = 0.0, ofNoises = 0.0;
  for (let j = 0; j < job.count; j++) {
    const noise = load<f64>(at(job.noises, j));
    let ofNoise = rest / noise - <f64>(n - k);
    for (let t = 0; t < k; t++) {
      const square = load<f64>(at(job.squares, t)), seen = load<f64>(at(job.observed, t));
      const v = noise + square, part = seen / v;
      store<f64>(at(job.parts, t), (Math.sqrt(square) * seen) / v);
      ofNoise += noise * (part * part) - noise / v;
    }
    combineRows(1.0, 0, job.parts, job.own, job.u, k, d);
    combineRows(1.0, 0, job.parts, job.other, job.cu, k, d);
    const weight = load<f64>(at(job.weights, j)) / 2.0, information = at(job.information, j * d);
    for (let c = 0; c < d; c++) {
      const told = load<f64>(at(job.u, c)) * load<f64>(at(job.cu, c)) - load<f64>(at(information, c));
      if (c == d - 1) intercept += weight * told;
      else slopes += weight * told;
    }
    ofNoises += weight * ofNoise;
  }
  store<f64>(job.scores, slopes);
  store<f64>(at(job.scores, 1), intercept);
  store<f64>(at(job.scores, 2), ofNoises);
}
