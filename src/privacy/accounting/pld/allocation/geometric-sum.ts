/**
 * Laws of sums of independent positive variables on geometric grids, rounded to a chosen side.
 *
 * **Statement.** Above: every sum of two points goes to its two neighbours with its mean kept, those below the grid to 0 and its
 * first point; so the law is larger in the convex order. Below: every sum goes to the nearest point and takes its part of the
 * mean along, so that masses and means are those of an outcome that the summands decide.
 *
 * **Proof.** Sums of independent variables keep the convex order. QED
 *
 * A sum of points e^x >= e^y is e^x (1 + e^(y - x)): how far beyond x it goes, and in which parts, depends on x - y only. All
 * terms are positive, so that masses have small relative errors, in whatever tail.
 * @see Feldman and Shenfeld (2026), "Efficient privacy loss accounting for subsampling and random allocation": sums on
 *   geometric grids, there rounded to one side.
 * @module
 */
import * as math from "../../../../core/elementary.js";
import type { Grid } from "./geometric-grid.js";

/** Probabilities at the points of a grid and at 0; what is nowhere, with its part of the mean. */
export interface LawAbove {
  readonly grid: Grid;
  readonly mass: Float64Array;
  readonly zero: number;
  readonly lost: number;
  readonly lostMean: number;
}

/** Probabilities of outcomes, one a point, and their parts of the mean. */
export interface LawBelow {
  readonly grid: Grid;
  readonly mass: Float64Array;
  readonly mean: Float64Array;
}

/** Pairs of entries i of the one and i + shift of the other, begin <= i < end; the first goes to entry k, the next `ratio` further. */
interface Run {
  readonly shift: number;
  readonly begin: number;
  readonly end: number;
  readonly k: number;
  readonly ratio: number;
}

/** Where the pairs of a larger and a smaller point go. */
interface Pairs {
  /** Steps of the new grid from the larger one to the sum. */
  round(exact: number): number;
  /** Pairs d steps apart that go `up` steps further, within the grid. */
  run(run: Run, d: number, up: number): void;
  /** Others such as these: entries i and j, to entry k. */
  outside(pair: { i: number; j: number; k: number }, d: number, up: number): void;
  /** Entry j of the smaller is from now on so far below i that the sum is beside that. */
  nearing(j: number, weight: number, decay: number): void;
  /** Entry i with all that are far below it, to entry k. */
  far(i: number, k: number): void;
}

/** All pairs of a point of `large` with one of `small` at least `least` steps below it. */
function eachPair([large, small, to]: readonly [Grid, Grid, Grid], least: number, pairs: Pairs) {
  const ratio = Math.round(large.step / to.step);
  const base = ratio * large.first - to.first;
  const gap = large.first - small.first;
  let d = Math.max(least, gap - small.length + 1);
  for (; d < gap + large.length; d++) {
    const up = pairs.round(math.log1p(math.exp(-d * large.step)) / to.step);
    // From here on all sums are beside their larger summand.
    if (up === 0) break;
    const [low, high] = [Math.max(0, d - gap), Math.min(large.length, small.length + d - gap)];
    const first = base + up;
    const within = (i: number) => Math.min(high, Math.max(low, i));
    const begin = within(Math.ceil(-first / ratio));
    const end = Math.max(begin, within(Math.floor((to.length - 2 - first) / ratio) + 1));
    pairs.run({ shift: gap - d, begin, end, k: first + ratio * begin, ratio }, d, up);
    const rest = (i: number) => pairs.outside({ i, j: i + gap - d, k: first + ratio * i }, d, up);
    for (let i = low; i < begin; i++) rest(i);
    for (let i = end; i < high; i++) rest(i);
  }
  const decay = math.exp(-large.step);
  for (let [i, j] = [0, 0]; i < large.length; i++) {
    pairs.nearing(-1, 0, decay);
    for (; j < small.length && i + gap - j >= d; j++) {
      pairs.nearing(j, math.exp(-(i + gap - j) * large.step), 1);
    }
    if (j > 0) pairs.far(i, base + ratio * i);
  }
}

/** The sum of two independent variables, rounded up. */
export function sumAbove(a: LawAbove, b: LawAbove, to: Grid): LawAbove {
  const mass = new Float64Array(to.length);
  const grow = math.expm1(to.step);
  const bottom = math.exp(to.first * to.step);
  let { zero, lost, lostMean } = besideNothing(a, b);
  /** Mass at entry k, of which `part` is one further on. */
  const place = (k: number, all: number, part: number) => {
    if (k >= 0 && k < to.length - 1) {
      mass[k] = mass[k]! + (all - part);
      mass[k + 1] = mass[k + 1]! + part;
      return;
    }
    const value = math.exp((to.first + k) * to.step) * (all + grow * part);
    if (k < 0) {
      const first = Math.min(all, value / bottom);
      mass[0] = mass[0]! + first;
      zero += all - first;
    } else {
      lost += all;
      lostMean += value;
    }
  };
  const ordered = (x: LawAbove, y: LawAbove, least: number) => {
    const partOf = (d: number, up: number) => {
      const rest = math.exp(-d * x.grid.step) - math.expm1(up * to.step);
      return Math.min(1, Math.max(0, rest / (math.exp(up * to.step) * grow)));
    };
    // Of what is far below: mass, and mass times its share of the larger one.
    let [far, farShare] = [0, 0];
    eachPair([x.grid, y.grid, to], least, {
      round: Math.floor,
      run: (run, d, up) => spreadPairs(mass, x.mass, y.mass, run, partOf(d, up)),
      outside({ i, j, k }, d, up) {
        const pair = x.mass[i]! * y.mass[j]!;
        place(k, pair, partOf(d, up) * pair);
      },
      nearing(j, share, decay) {
        farShare *= decay;
        if (j < 0) return;
        far += y.mass[j]!;
        farShare += y.mass[j]! * share;
      },
      far: (i, k) => place(k, x.mass[i]! * far, x.mass[i]! * Math.min(far, farShare / grow)),
    });
    const ratio = Math.round(x.grid.step / to.step);
    if (y.zero > 0) {
      x.mass.forEach((own, i) => place(ratio * (x.grid.first + i) - to.first, own * y.zero, 0));
    }
  };
  ordered(a, b, 0);
  ordered(b, a, 1);
  return { grid: to, mass, zero, lost, lostMean };
}

/** Pairs to an entry and, of each a part, the next. */
function spreadPairs(
  out: Float64Array,
  x: Float64Array,
  y: Float64Array,
  run: Run,
  part: number,
): void {
  const { shift, begin, end, ratio } = run;
  for (let i = begin, k = run.k; i < end; i++, k += ratio) {
    const pair = x[i]! * y[i + shift]!;
    const further = part * pair;
    out[k] = out[k]! + (pair - further);
    out[k + 1] = out[k + 1]! + further;
  }
}

/** What becomes of zeros and of what is nowhere. */
function besideNothing(a: LawAbove, b: LawAbove) {
  const found = a.mass.reduce((sum, x) => sum + x, a.zero);
  const meanOf = ({ mass, grid: { first, step } }: LawAbove) =>
    mass.reduce((sum, x, i) => sum + x * math.exp((first + i) * step), 0);
  return {
    zero: a.zero * b.zero,
    lost: a.lost + found * b.lost,
    lostMean: a.lostMean + meanOf(a) * b.lost + b.lostMean + a.lost * meanOf(b),
  };
}

/** The sum of two independent variables as an outcome of theirs. What is outside the grid goes to its ends. */
export function sumBelow(a: LawBelow, b: LawBelow, to: Grid): LawBelow {
  const [mass, mean] = [new Float64Array(to.length), new Float64Array(to.length)];
  const place = (at: number, all: number, part: number) => {
    const k = Math.min(to.length - 1, Math.max(0, at));
    mass[k] = mass[k]! + all;
    mean[k] = mean[k]! + part;
  };
  const ordered = (x: LawBelow, y: LawBelow, least: number) => {
    let [far, farMean] = [0, 0];
    eachPair([x.grid, y.grid, to], least, {
      round: Math.round,
      run: (run) => movePairs({ mass, mean }, x, y, run),
      outside({ i, j, k }) {
        const part = x.mean[i]! * y.mass[j]! + x.mass[i]! * y.mean[j]!;
        place(k, x.mass[i]! * y.mass[j]!, part);
      },
      nearing(j) {
        if (j < 0) return;
        far += y.mass[j]!;
        farMean += y.mean[j]!;
      },
      far: (i, k) => place(k, x.mass[i]! * far, x.mean[i]! * far + x.mass[i]! * farMean),
    });
  };
  ordered(a, b, 0);
  ordered(b, a, 1);
  return { grid: to, mass, mean };
}

/** Pairs to one entry each. */
function movePairs(
  { mass, mean }: Pick<LawBelow, "mass" | "mean">,
  { mass: x, mean: xMean }: LawBelow,
  { mass: y, mean: yMean }: LawBelow,
  { shift, begin, end, k: start, ratio }: Run,
): void {
  for (let i = begin, k = start; i < end; i++, k += ratio) {
    const [own, other] = [x[i]!, y[i + shift]!];
    mass[k] = mass[k]! + own * other;
    mean[k] = mean[k]! + (xMean[i]! * other + own * yMean[i + shift]!);
  }
}
