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
import { circleOf, widestPart, type Circle } from "./circle.js";
import { pessimistic, type GridLaw } from "./discretize.js";
import { optimistic } from "./optimistic.js";
import { multiplyPower } from "./power.js";
import { convolveSparse, isSparse, type Taps } from "./sparse.js";
import { RealFft } from "./fft.js";
import type { Bound, Part } from "./loss-law.js";
import { outline, type Plan } from "./outline.js";
import type { Target } from "./tilt.js";

const UNIT = 2 ** -53;
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

type Discretize = typeof pessimistic;

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
 * @param bound    `"upper"` for a loss that dominates the true one, `"lower"` for one it dominates.
 * @param accuracy relative error of eps aimed at; the lengths of the transforms limit it.
 */
export function composeLosses(
  parts: readonly Part[],
  target: Target,
  bound: Bound,
  accuracy: number,
): ComposedLoss {
  const plan = outline(parts, target, accuracy);
  const circle = circleOf(parts, plan);
  const { start, step, length } = circle;
  const sum = convolved(parts, plan, circle, bound === "upper" ? pessimistic : optimistic);
  const mass = new Float64Array(length);
  let square = 0;
  for (let k = 0; k < length; k++) {
    mass[k] = sum.onCircle[wrappedTo(length, start + k)]!;
    square += mass[k]! ** 2;
  }
  const { logMoment } = sum;
  const last = start + length - 1;
  const beyond = sum.greatest > last ? sum.logAbove - plan.tiltAbove * last * step : -Infinity;
  const before = sum.least < start ? sum.logBelow - plan.tiltBelow * start * step : -Infinity;
  const rounds = parts.reduce((total, { count }) => total + count, 0);
  // The transform's l2 error against the l2 norm of the weights e^(-tilt y) on the grid.
  const weightNorm = Math.sqrt(Math.min(length, 1 + 1 / (2 * plan.tilt * step || 1e-300)));
  return {
    start,
    step,
    tilt: plan.tilt,
    logMoment,
    mass,
    infinite: -math.expm1(sum.logFinite),
    logAbove: beyond,
    // The same bounds in the tilted measure.
    logWrapped: math.log(
      math.exp(before + plan.tilt * start * step - logMoment) +
        math.exp(beyond + plan.tilt * last * step - logMoment),
    ),
    noise: 4 * UNIT * (rounds + 4 * math.binaryExponent(length)) * Math.sqrt(square) * weightNorm,
    drift: UNIT * rounds * (64 + 8 * widestPart(plan)),
  };
}

/** The tilted sum of all rounds, wrapped around the circle, with the totals that bound what wrapped. */
function convolved(
  parts: readonly Part[],
  plan: Plan,
  { step, length }: Circle,
  discretize: Discretize,
) {
  const fft = transformOf(length);
  const half = length / 2;
  const product = { re: new Float64Array(half + 1).fill(1), im: new Float64Array(half + 1) };
  const sparse: Taps[] = [];
  const totals = { logMoment: 0, logAbove: 0, logBelow: 0, logFinite: 0, least: 0, greatest: 0 };
  parts.forEach(({ law, count }, part) => {
    const { first, last } = around(plan.ranges[part]!, step);
    const grid = discretize(law, step, first, last);
    const main = tilted(grid, step, plan.tilt);
    totals.logMoment += count * main.logMoment;
    totals.logAbove += count * tilted(grid, step, plan.tiltAbove).logMoment;
    totals.logBelow += count * tilted(grid, step, plan.tiltBelow).logMoment;
    totals.logFinite += count * math.log1p(-grid.infinite);
    totals.least += count * grid.start;
    totals.greatest += count * (grid.start + grid.mass.length - 1);
    if (isSparse(main, count)) for (let i = 0; i < count; i++) sparse.push(main);
    else multiplyPower(product, fft.forward(wrapped(main, length)), count);
  });
  return { ...totals, onCircle: convolveSparse(fft.inverse(product), sparse) };
}

/** Entries of the grid around a range, the first strictly below it; the divisions may round to the wrong side of an atom. */
function around({ low, high }: Plan["ranges"][number], step: number) {
  let [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  if (first * step >= low) first--;
  if (last * step < high) last++;
  return { first, last };
}

function wrapped({ start, weights }: Taps, length: number): Float64Array {
  const onCircle = new Float64Array(length);
  for (let i = 0; i < weights.length; i++) {
    const at = wrappedTo(length, start + i);
    onCircle[at] = onCircle[at]! + weights[i]!;
  }
  return onCircle;
}

const wrappedTo = (length: number, at: number) => ((at % length) + length) % length;
