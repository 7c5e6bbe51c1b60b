/**
 * l2-Laplace noise on a vector in exact arithmetic: the real vector, rounded to a grid.
 *
 * **Statement.** With Delta' the l2 sensitivity of what is computed (`computed-statistic.ts`) and d entries, the release is
 * (Delta' + grid sqrt(d)) / scale -DP.
 *
 * **Proof.** What is released is grid (S + round(b / grid)): S the value rounded to the grid, in cells, b of density
 * proportional to exp(-||b|| / scale). Since S holds integers, S + round(x) = round(S + x): the release is a function of
 * grid S + b, the mechanism of `vector.ts` on grid S, whose sensitivity is Delta' and at most a cell an entry. b is
 * scale R Z / ||Z||, Z of d standard normal numbers and R the sum of d exponential ones, which is Gamma(d, 1); the
 * numbers are exact (`assembly/random/exact-reals.ts`), and an entry is rounded only when all that the bits drawn so
 * far allow rounds to the same cell, in floating point or by integers with ever more bits. QED
 *
 * **Error in floating point.** Cut off are less than 2^-46 of every number, so d 2^-46 of R and sqrt(d) 2^-46 of ||Z||; the
 * sums and what follows round to (2 d + 10) 2^-53 of the entry. The bound is taken a hundredth larger, and used
 * only where all this together is below 2^-10 of R / ||Z||, so that products of errors are below that hundredth.
 *
 * @module
 */
import type { Core } from "../../../core/core.js";
import { sphericalLaplaceEvent } from "../../events/events.js";
import type { Mechanism, MechanismOptions } from "../mechanism.js";
import { sphericalLaplaceMechanism } from "../vector.js";
import { computedStatistic } from "./computed-statistic.js";
import { ExactReals, exactRealsWorkspace, FIRST_BITS, isNegative } from "./exact-reals.js";
import { cellOf, roundedScale } from "./range.js";
import { roundInterval } from "./round-interval.js";

const MOST_BITS = 40;
/** Bits of a quotient beyond those of the numbers it is made of. */
const GUARD = 64;

/** Gamma(d, 1) exceeds 2 d + 300 with probability below 2^-184: exp(-x / 2) 2^d by Chernoff at 1/2. */
const reachOf = (d: number) => 2 * d + 300;

/** Exact form of l2-Laplace output perturbation; a round's budget is its eps. */
export function roundedSphericalLaplaceMechanism(options: MechanismOptions): Mechanism {
  const { dimension: d, adjacency = "replace" } = options;
  const real = sphericalLaplaceMechanism(options);
  const statistic = computedStatistic({ ...options, adjacency }, "frobenius");
  const scaled = (budget: number) =>
    roundedScale(budget, statistic, { reach: reachOf(d), most: MOST_BITS });
  return {
    ...real,
    exact: true,
    why: "noise of density exp(-||b|| / scale), from exact random numbers and rounded to a grid by integer arithmetic, calibrated to the l2 sensitivity: pure DP",
    noiseScale: (budget) => scaled(budget).scale,
    event(budget) {
      const { scale, grid } = scaled(budget);
      const sensitivity = statistic.sensitivity + grid * statistic.spread;
      return sphericalLaplaceEvent({ scale, sensitivity, adjacency });
    },
    perturb(core, random, at, budget, work) {
      const { grid, bits } = scaled(budget);
      const reals = exactRealsWorkspace(core);
      const vector = Math.ceil(d / 2) * 16;
      const normals = new ExactReals(core, random, "normal", work, d, work + 2 * vector);
      const radii = new ExactReals(
        core,
        random,
        "exponential",
        work + vector,
        d,
        work + 2 * vector + reals,
      );
      const cell = roundedEntries(normals, radii, d, bits);
      const values = core.arena.view(at, d);
      for (let j = 0; j < d; j++) values[j] = (cellOf(values[j]!, grid) + cell(j)) * grid;
      normals.wipe();
      radii.wipe();
    },
    workspace: (core: Core) => 2 * Math.ceil(d / 2) * 16 + 2 * exactRealsWorkspace(core),
  };
}

/** round(2^bits R Z_j / ||Z||). */
function roundedEntries(
  normals: ExactReals,
  radii: ExactReals,
  d: number,
  bits: number,
): (j: number) => number {
  const cut = 2 ** -FIRST_BITS;
  const radius = radii.values.reduce((sum, x) => sum + x, 0);
  const norm = Math.sqrt(normals.values.reduce((sum, x) => sum + x * x, 0));
  const relative =
    1.01 * ((2 * d + 10) * 2 ** -53 + (d * cut) / radius + (Math.sqrt(d) * cut) / norm);
  const usable = relative < 2 ** -10;
  return (j) => {
    const scale = (2 ** bits * radius) / norm;
    const value = scale * normals.values[j]! + 0.5;
    const width =
      1.01 * (Math.abs(value) + 1) * relative + 1.01 * scale * cut + Math.abs(value) * 2 ** -51;
    const cell = Math.floor(value);
    if (usable && value - width > cell && value + width < cell + 1) return cell;
    return roundInterval((precision) => enclosedEntry(normals, radii, d, j, bits, precision));
  };
}

/** Both ends of 2^bits R Z_j / ||Z||; undefined while ||Z|| may be 0. */
export function enclosedEntry(
  normals: ExactReals,
  radii: ExactReals,
  d: number,
  j: number,
  bits: number,
  precision: number,
) {
  let [radius, least, most] = [0n, 0n, 0n];
  for (let i = 0; i < d; i++) {
    radius += radii.size(i, precision);
    const size = normals.size(i, precision);
    least += size * size;
    most += (size + 1n) * (size + 1n);
  }
  const norm = squareRoot(least);
  if (norm === 0n) return undefined;
  const size = normals.size(j, precision);
  const guard = BigInt(GUARD);
  const low = ((radius * size) << guard) / (squareRoot(most) + 1n);
  const high = (((radius + BigInt(d)) * (size + 1n)) << guard) / norm + 1n;
  const fraction = precision + GUARD - bits;
  return isNegative(normals.values[j]!)
    ? { low: -high, high: -low, fraction }
    : { low, high, fraction };
}

/** floor(sqrt(n)), by Newton's method from above. */
export function squareRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let x = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}
