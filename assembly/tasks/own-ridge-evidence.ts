/**
 * The evidence of every pair of variances of a task's Bayesian ridge model, whose formula `own-ridge.ts` has.
 */
import { at } from "../address";
import { OwnRidge } from "./own-ridge-job";
import { ShiftedSystems } from "./shifted-systems";

/**
 * logs f64[ratios, slopes, noises] <- log evidence times prior of every point with this ratio.
 *
 * rest  freedom - k
 * least |r - A v|^2 + t |v|^2 at the least t where G is A^T A, negative where it is A A^T
 */
export function writeEvidence(
  job: OwnRidge, ratio: i32, systems: ShiftedSystems, rest: f64, least: f64, logs: usize,
): void {
  const k = <f64>systems.k;
  let point = ratio * job.slopeCount * job.noiseCount;
  for (let s = 0; s < job.slopeCount; s++) {
    const slopes = load<f64>(at(job.slopes, s));
    const volume = k * load<f64>(at(job.slopes, job.slopeCount + s));
    if (ASC_FEATURE_SIMD) {
      writePairs(job, systems, s, point, rest, volume, least, logs);
      point += job.noiseCount;
      continue;
    }
    for (let e = 0; e < job.noiseCount; e++, point++) {
      const shift = job.slopeCount - 1 - s + e, noise = load<f64>(at(job.noise, e));
      const square = least < 0.0
        ? load<f64>(at(systems.products, shift)) / slopes
        : (least + more(systems, shift)) / noise;
      const own = rest * load<f64>(at(job.noise, job.noiseCount + e));
      const sum = own + volume + load<f64>(at(systems.logs, shift)) + square;
      store<f64>(at(logs, point), load<f64>(at(job.priors, point)) - 0.5 * sum);
    }
  }
}

/** The same beside slopes s, two noise variances at a time; of an odd number the last two overlap those before. */
function writePairs(
  job: OwnRidge, systems: ShiftedSystems, s: i32, point: i32, rest: f64, volume: f64, least: f64, logs: usize,
): void {
  const slopes = f64x2.splat(load<f64>(at(job.slopes, s))), first = f64x2.splat(load<f64>(systems.shifts));
  const rests = f64x2.splat(rest), volumes = f64x2.splat(volume), leasts = f64x2.splat(least);
  for (let j = 0; j < job.noiseCount; j += 2) {
    const e = min(j, job.noiseCount - 2), shift = job.slopeCount - 1 - s + e;
    let square: v128;
    if (least < 0.0) square = f64x2.div(v128.load(at(systems.products, shift)), slopes);
    else {
      const t = f64x2.sub(v128.load(at(systems.shifts, shift)), first);
      const sum = f64x2.add(leasts, f64x2.mul(t, v128.load(at(systems.crosses, shift))));
      square = f64x2.div(sum, v128.load(at(job.noise, e)));
    }
    const own = f64x2.mul(rests, v128.load(at(job.noise, job.noiseCount + e)));
    const sum = f64x2.add(f64x2.add(f64x2.add(own, volumes), v128.load(at(systems.logs, shift))), square);
    const prior = v128.load(at(job.priors, point + e));
    v128.store(at(logs, point + e), f64x2.sub(prior, f64x2.mul(f64x2.splat(0.5), sum)));
  }
}

/** (t - t_0) v . v_0. */
@inline function more(systems: ShiftedSystems, shift: i32): f64 {
  const t = load<f64>(at(systems.shifts, shift)) - load<f64>(systems.shifts);
  return t * load<f64>(at(systems.crosses, shift));
}
