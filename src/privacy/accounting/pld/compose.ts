/**
 * The composed privacy loss on a grid, by one Fourier transform per kind of round.
 *
 * Masses are tilted by e^(theta loss) and normalised before they are transformed, so that the tail of
 * interest is where the transform is accurate: its absolute error 1e-16 becomes a relative error of
 * delta, however small delta is. The circle of the transform wraps losses outside the window: those
 * below come out on top, which is pessimistic; those above are bounded by Chernoff's inequality and
 * added back.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { pessimistic, type GridLaw } from "./discretize.js";
import { optimistic } from "./optimistic.js";
import { multiplyPower } from "./power.js";
import { convolveSparse, isSparse, type Taps } from "./sparse.js";
import { RealFft } from "./fft.js";
import { outline, type Part } from "./outline.js";
import type { Target } from "./tilt.js";

const UNIT = 2 ** -53;
/** Longest transform, for few and for many kinds of rounds. */
const LARGEST_LENGTH = { few: 2 ** 18, many: 2 ** 17 };
const FEW_KINDS = 8;
const LARGEST_SUPPORT = 2 ** 20;

/** A composed loss: everything needed for delta at any eps of the window. */
export interface ComposedLoss {
  /** Loss of entry k: (start + k) * step. */
  start: number;
  step: number;
  tilt: number;
  /** ln of the moment E e^(tilt L) of the finite losses: masses are mass[k] e^(moment - tilt loss). */
  logMoment: number;
  mass: Float64Array;
  /** Probability of an infinite loss. */
  infinite: number;
  /** ln of a bound on P(L beyond the window, above). */
  logAbove: number;
  /** ln of a bound on the tilted mass that wrapped around. */
  logWrapped: number;
  /** Bound on sum_k g_k * (error of mass_k) for weights g_k <= e^(-tilt y) beyond eps. */
  noise: number;
  /** Bound on the displacement of losses by rounding of the tails. */
  drift: number;
}

interface Tilted extends Taps {
  logMoment: number;
}

function tilted({ start, mass }: GridLaw, step: number, tilt: number): Tilted {
  let high = -Infinity;
  for (let i = 0; i < mass.length; i++) {
    if (mass[i]! > 0) high = Math.max(high, math.log(mass[i]!) + tilt * (start + i) * step);
  }
  const weights = new Float64Array(mass.length);
  let total = 0;
  for (let i = 0; i < mass.length; i++) {
    if (mass[i]! > 0) {
      weights[i] = math.exp(math.log(mass[i]!) + tilt * (start + i) * step - high);
      total += weights[i]!;
    }
  }
  if (total === 0) return { start, weights, logMoment: -Infinity };
  for (let i = 0; i < mass.length; i++) weights[i] = weights[i]! / total;
  return { start, weights, logMoment: high + math.log(total) };
}

const transforms = new Map<number, RealFft>();

function transformOf(length: number): RealFft {
  let fft = transforms.get(length);
  if (!fft) {
    // One table at a time: the largest takes a few megabytes.
    if (transforms.size > 2) transforms.clear();
    transforms.set(length, (fft = new RealFft(length)));
  }
  return fft;
}

/**
 * Composes parts for a question.
 *
 * @param mode     `"upper"` for a loss that dominates the true one, `"lower"` for one it dominates.
 * @param accuracy relative error of eps aimed at; the lengths of the transforms limit it.
 */
export function composeLosses(
  parts: readonly Part[],
  target: Target,
  mode: "upper" | "lower",
  accuracy: number,
): ComposedLoss {
  const plan = outline(parts, target, accuracy);
  const rounds = parts.reduce((total, { count }) => total + count, 0);
  const widest = Math.max(...plan.ranges.map(({ low, high }) => high - low));
  // A bounded loss needs no more than its support, a step per round and end being lost to the grid; of very
  // many rounds that would be more than the circle.
  const many = rounds > LARGEST_LENGTH.many / 4;
  const windowAt = (step: number) => {
    const spare = (rounds + 1) * step;
    return {
      bottom: many || plan.bottom > plan.least + spare ? plan.bottom : plan.least - spare,
      top: many || plan.top < plan.greatest - spare ? plan.top : plan.greatest + spare,
    };
  };
  const widthAt = (step: number) => windowAt(step).top - windowAt(step).bottom;
  // Through the heaviest atom: there the profile has a kink that a polygon beside it would miss.
  const atom = parts.reduce(
    (best, { law, count }) =>
      count * (law.atoms.at(-1)?.loss ?? 0) ** 2 > best.weight
        ? { weight: count * law.atoms.at(-1)!.loss ** 2, at: law.atoms.at(-1)!.loss }
        : best,
    { weight: 0, at: 0 },
  ).at;
  const snap = (step: number) => (atom > step ? atom / Math.ceil(atom / step) : step);
  const finest = widest / LARGEST_SUPPORT;
  let step = snap(Math.max(plan.step, finest));
  const dense = parts.filter(({ law }) => !law.discrete).length;
  const longest = dense > FEW_KINDS ? LARGEST_LENGTH.many : LARGEST_LENGTH.few;
  let length = 256;
  while (length < longest && (length - 2) * step < widthAt(step)) length *= 2;
  // Use the whole circle; when it is too short, coarsen until it fits.
  step = snap(Math.max(widthAt(step) / (length - 2), finest));
  for (let coarser = step; (length - 2) * step < widthAt(step); step = snap(coarser)) {
    coarser *= 1.02;
  }
  const start = Math.floor(windowAt(step).bottom / step);

  const fft = transformOf(length);
  const half = length / 2;
  const product = { re: new Float64Array(half + 1).fill(1), im: new Float64Array(half + 1) };
  let logMoment = 0;
  let logAbove = 0;
  let logBelow = 0;
  let logFinite = 0;
  let least = 0;
  let greatest = 0;
  const sparse: Taps[] = [];
  const discretize = mode === "upper" ? pessimistic : optimistic;
  parts.forEach(({ law, count }, part) => {
    const { low, high } = plan.ranges[part]!;
    // Strictly below the lowest loss; the division may round to the wrong side of an atom.
    let [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
    if (first * step >= low) first--;
    if (last * step < high) last++;
    const grid = discretize(law, step, first, last);
    const main = tilted(grid, step, plan.tilt);
    logMoment += count * main.logMoment;
    logAbove += count * tilted(grid, step, plan.tiltAbove).logMoment;
    logBelow += count * tilted(grid, step, plan.tiltBelow).logMoment;
    logFinite += count * math.log1p(-grid.infinite);
    least += count * grid.start;
    greatest += count * (grid.start + grid.mass.length - 1);
    if (isSparse(main, count)) {
      for (let i = 0; i < count; i++) sparse.push(main);
      return;
    }
    const wrapped = new Float64Array(length);
    for (let i = 0; i < main.weights.length; i++) {
      const at = (((main.start + i) % length) + length) % length;
      wrapped[at] = wrapped[at]! + main.weights[i]!;
    }
    multiplyPower(product, fft.forward(wrapped), count);
  });
  const circle = convolveSparse(fft.inverse(product), sparse);
  const mass = new Float64Array(length);
  let square = 0;
  for (let k = 0; k < length; k++) {
    mass[k] = circle[(((start + k) % length) + length) % length]!;
    square += mass[k]! ** 2;
  }
  const last = start + length - 1;
  const beyond = greatest > last ? logAbove - plan.tiltAbove * last * step : -Infinity;
  const before = least < start ? logBelow - plan.tiltBelow * start * step : -Infinity;
  // The transform's l2 error against the l2 norm of the weights e^(-tilt y) on the grid.
  const weightNorm = Math.sqrt(Math.min(length, 1 + 1 / (2 * plan.tilt * step || 1e-300)));
  return {
    start,
    step,
    tilt: plan.tilt,
    logMoment,
    mass,
    infinite: -math.expm1(logFinite),
    logAbove: beyond,
    // The same bounds in the tilted measure.
    logWrapped: math.log(
      math.exp(before + plan.tilt * start * step - logMoment) +
        math.exp(beyond + plan.tilt * last * step - logMoment),
    ),
    noise: 4 * UNIT * (rounds + 4 * math.binaryExponent(length)) * Math.sqrt(square) * weightNorm,
    drift: UNIT * rounds * (64 + 8 * widest),
  };
}
