/**
 * `own-ridge.ts`'s evidence and average, in single precision, of folds in lanes. Of A^T A, too, the square is from b . z: what
 * cancels in |r|^2 - b . z is 2^-24 |r|^2, beside a noise variance that is much larger where the result is not in doubt.
 *
 * Rounding moves G by up to some 2^-24 of its trace. Shifts below `SURE` of the trace are taken for that, and what those points of
 * the grid weigh is how much of the model is in doubt.
 */
import { at } from "../address";
import { expLanes } from "../blas/lane-elementary";
import { add, addLanes, div, dotLanes, entryOf, every, larger, mul, sub, whereLess } from "../blas/lanes";
import { FoldLanes, placeFolds, traceOf } from "./fold-lanes";
import { combineLanes, LaneSystems, layOutLaneSystems, solveLanes } from "./lane-systems";
import { OwnRidge } from "./own-ridge-job";

/** 2^-20. */
const SURE: f64 = 9.5367431640625e-7;

/** Solves the systems of a ratio and writes log evidence times prior of its points; returns the least pivot. */
export function foldEvidence<T>(group: FoldLanes, job: OwnRidge, ratio: i32): T {
  const value = load<f64>(at(job.ratios, ratio)), count = job.shiftCount;
  const shifts = entryOf<T>(group.shifts, ratio * count);
  const systems = layOutLaneSystems<T>(group.systems + <usize>ratio * group.systemsBytes, group.k, shifts, count);
  placeFolds<T>(group, systems, value);
  const least = mul<T>(every<T>(SURE), traceOf<T>(systems));
  for (let r = 0; r < count; r++) {
    store<T>(entryOf<T>(shifts, r), larger<T>(least, every<T>(load<f64>(at(job.shifts, r)))));
  }
  solveLanes<T>(systems, group.work);
  // Filled up with zeros, so that the order of a lane's sum does not depend on how many rows its neighbours have.
  const total = dotLanes<T>(group.target, group.target, (group.n + 3) & ~3), none = every<T>(0.0);
  const k = <f64>group.k, rest = load<T>(group.rest), half = every<T>(-0.5);
  let point = ratio * job.slopeCount * job.noiseCount;
  for (let s = 0; s < job.slopeCount; s++) {
    const slopes = every<T>(load<f64>(at(job.slopes, s)));
    const volume = every<T>(k * load<f64>(at(job.slopes, job.slopeCount + s)));
    for (let e = 0; e < job.noiseCount; e++, point++) {
      const shift = job.slopeCount - 1 - s + e;
      const product = load<T>(entryOf<T>(systems.products, shift));
      const square = group.wide
        ? div<T>(product, slopes)
        : div<T>(larger<T>(sub<T>(total, product), none), every<T>(load<f64>(at(job.noise, e))));
      const own = mul<T>(rest, every<T>(load<f64>(at(job.noise, job.noiseCount + e))));
      const sum = add<T>(add<T>(own, volume), add<T>(load<T>(entryOf<T>(systems.logs, shift)), square));
      store<T>(entryOf<T>(group.logs, point), add<T>(every<T>(load<f64>(at(job.priors, point))), mul<T>(half, sum)));
    }
  }
  return load<T>(systems.least);
}

/** The mean of all points, and the intercept's; returns what of it is in doubt, which may be no number. */
export function averageFolds<T>(group: FoldLanes, job: OwnRidge): T {
  const d = group.d, count = job.slopeCount * job.noiseCount, points = job.ratioCount * count;
  const zero = every<T>(0.0);
  let most = every<T>(-Infinity), total = zero, doubt = zero, constant = zero;
  for (let p = 0; p < points; p++) most = larger<T>(most, load<T>(entryOf<T>(group.logs, p)));
  for (let p = 0; p < points; p++) {
    const entry = entryOf<T>(group.logs, p), weight = expLanes<T>(sub<T>(load<T>(entry), most));
    store<T>(entry, weight);
    total = add<T>(total, weight);
  }
  store<T>(group.most, most);
  store<T>(group.total, total);
  const share = div<T>(every<T>(1.0), total);
  memory.fill(group.mean, 0, <usize>d * sizeof<T>());
  for (let r = 0; r < job.ratioCount; r++) {
    const systems = changetype<LaneSystems>(group.systems + <usize>r * group.systemsBytes);
    memory.fill(group.coefficients, 0, <usize>job.shiftCount * sizeof<T>());
    for (let s = 0, p = r * count; s < job.slopeCount; s++, p += job.noiseCount) {
      const to = entryOf<T>(group.coefficients, job.slopeCount - 1 - s);
      addLanes<T>(share, entryOf<T>(group.logs, p), to, job.noiseCount);
    }
    for (let shift = 0; shift < job.shiftCount; shift++) {
      const weight = load<T>(entryOf<T>(group.coefficients, shift)), asked = every<T>(load<f64>(at(job.shifts, shift)));
      doubt = add<T>(doubt, whereLess<T>(asked, load<T>(entryOf<T>(systems.shifts, shift)), weight, zero));
    }
    combineLanes<T>(systems, group.coefficients, group.model, group.work);
    constant = add<T>(constant, addMean<T>(group, load<f64>(at(job.ratios, r))));
  }
  store<T>(group.constant, constant);
  // Not a number where the total is none.
  return add<T>(doubt, sub<T>(total, total));
}

/** mean[d] += that of a ratio's solution, whose part of the intercept it returns. */
function addMean<T>(group: FoldLanes, ratio: f64): T {
  const d = group.d, model = group.model;
  if (!group.wide) {
    addLanes<T>(every<T>(1.0), model, group.mean, d);
    return group.widened ? mul<T>(every<T>(Math.sqrt(ratio)), load<T>(entryOf<T>(model, d))) : every<T>(0.0);
  }
  for (let c = 0; c < d; c++) {
    const to = entryOf<T>(group.mean, c), column = entryOf<T>(group.rows, c * group.columnStep);
    store<T>(to, add<T>(load<T>(to), dotLanes<T>(model, column, group.k)));
  }
  let sum = every<T>(0.0);
  for (let j = 0; j < group.k; j++) sum = add<T>(sum, load<T>(entryOf<T>(model, j)));
  return mul<T>(every<T>(ratio), sum);
}
