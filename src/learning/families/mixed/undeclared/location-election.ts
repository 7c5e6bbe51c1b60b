/**
 * Where a column's values lie, by a noisy sum of votes in digits: the places that the sum speaks for, wide bins first, then ever
 * narrower ones around the likeliest.
 * @module
 */
import { exp, log } from "../../../../core/elementary.js";
import {
  binsOf,
  cellOf,
  cellsOf,
  digit,
  digitSizes,
  FINER,
  FINEST,
  positionOn,
} from "./location-code.js";
import { placeDoubt, type Places } from "./place-doubt.js";
import { cellBelief } from "./scale-beliefs.js";
import { meanVote, type NoisyVotes } from "../../../votes/election.js";

/** How far tasks are apart: standard deviations of their means, in bins of the finest level that they vote on, with their prior. */
const APART = [
  { width: 0, prior: 0.4 },
  { width: 0.5, prior: 0.3 },
  { width: 1, prior: 0.2 },
  { width: 2, prior: 0.1 },
] as const;

/** From so many bins on votes on a circle say nothing. */
const EVERYWHERE = 3;

/** Positions in a bin that are tried. */
const FINE = 4;

/** Bins of a level around which the next is searched. */
const KEPT = 64;

/** Bins within which places are averaged. */
const NEAR = 2.5;

/** Where the values lie. */
export interface Located {
  readonly center: number;
  /** The level whose bins are about as wide as tasks' values spread. */
  readonly level: number;
  /** Probability that they lie elsewhere. */
  readonly doubt: number;
}

/** Positions of a level that are tried. */
function positionsOn(level: number): number {
  const { bins } = binsOf(level);
  return level === 0 ? FINE * (bins - 1) + 1 : FINE * bins;
}

/** A level's bins of a sum against bumps at all positions, `FINE` to a bin. */
class Against {
  readonly level: number;
  /** Width of a bin, and where 0 stands. */
  #cell = 1;
  #origin = 0;
  /** Products of bins and bumps, and the bumps' squared norms, by what votes give to the level. */
  readonly heights: Float64Array;
  readonly squares: Float64Array;

  constructor(level: number) {
    this.level = level;
    this.heights = new Float64Array(positionsOn(level));
    this.squares = new Float64Array(positionsOn(level));
  }

  /** Takes a sum. @param apart how far tasks are apart, in the level's bins. */
  take(counts: Float64Array, size: number, apart: number, half: number): void {
    const { level, heights, squares } = this;
    const { from } = binsOf(level);
    const known = bumpsOf(level, Math.min(apart, EVERYWHERE));
    this.#cell = cellOf(half, level);
    this.#origin = positionOn(0, half, level);
    for (let at = 0; at < heights.length; at++) {
      heights[at] = size * dot(known.bumps[at]!, counts, from);
      squares[at] = size * size * known.squares[at]!;
    }
  }

  /** The entry of the positions for a value. */
  entryOf(value: number): number {
    const { length } = this.heights;
    const at = Math.round((value / this.#cell + this.#origin) * FINE);
    if (this.level === 0) return Math.min(Math.max(at, 0), length - 1);
    return at - length * Math.floor(at / length);
  }
}

/** Mean bumps of a level at all its positions, and their squared norms. */
interface Bumps {
  readonly bumps: readonly Float64Array[];
  readonly squares: Float64Array;
}

/** Those of wide bins and of circles, by how far apart tasks are; they are few, and asked for by every column. */
const kept = [new Map<number, Bumps>(), new Map<number, Bumps>()] as const;

/** @param values of which those from `from` on are taken. */
function dot(bump: Float64Array, values: Float64Array, from: number): number {
  let sum = 0;
  for (let b = 0; b < bump.length; b++) sum += bump[b]! * values[from + b]!;
  return sum;
}

function bumpsOf(level: number, apart: number): Bumps {
  const circle = level === 0 ? 0 : 1;
  const known = kept[circle].get(apart);
  if (known) return known;
  const bumps = Array.from({ length: positionsOn(level) }, (_, at) =>
    meanVote((position) => digit(circle, position), at / FINE, apart),
  );
  const made = { bumps, squares: Float64Array.from(bumps, (bump) => dot(bump, bump, 0)) };
  kept[circle].set(apart, made);
  return made;
}

/** Bins that are tried on every level, at most. */
const CELLS: readonly number[] = Array.from({ length: FINEST }).reduce<number[]>(
  (all) => [...all, Math.min(all.at(-1)!, KEPT) * FINER],
  [cellsOf(0) + 1],
);
const PLACES = APART.length * FINE * CELLS.reduce((sum, cells) => sum + cells, 0);

/** Room for one election after the other: each goes through thousands of places. */
const against = CELLS.map((_, level) => new Against(level));
const places = {
  values: new Float64Array(PLACES),
  levels: new Uint8Array(PLACES),
  evidences: new Float64Array(PLACES),
  length: 0,
};
/** Bins of a level, with the evidence for the likeliest place in each, and the likeliest of them. */
const tried = {
  cells: new Float64Array(Math.max(...CELLS)),
  evidences: new Float64Array(Math.max(...CELLS)),
  likeliest: new Float64Array(KEPT),
  most: new Float64Array(KEPT),
};

/** Log likelihood of a place at the height that suits it best; a height below 0 speaks against it. */
function fitOf(value: number, level: number, noise: number): number {
  let [height, square] = [0, 0];
  for (let l = 0; l <= level; l++) {
    const one = against[l]!;
    const at = one.entryOf(value);
    height += one.heights[at]!;
    square += one.squares[at]!;
  }
  return (height * Math.abs(height)) / square / (2 * noise);
}

/**
 * The mean of the places around the likeliest one, weighed by their largest likelihood over the height times the prior.
 * @param half values are looked for within [-half, half].
 */
export function electedLocation({ counts, deviation }: NoisyVotes, half: number): Located {
  const noise = Math.max(deviation * deviation, Number.EPSILON);
  const { cells } = tried;
  places.length = 0;
  for (const { width, prior } of APART) {
    let count = CELLS[0]!;
    for (let cell = 0; cell < count; cell++) cells[cell] = cell;
    for (let level = 0; level <= FINEST; level++) {
      const sizes = digitSizes(level);
      for (let l = 0; l <= level; l++) {
        against[l]!.take(counts, sizes[l]!, (width * cellsOf(l)) / cellsOf(level), half);
      }
      tryCells(count, { level, half, noise, logPrior: log(prior) });
      if (level < FINEST) count = finer(count);
    }
  }
  return meanOf(places, half);
}

/** Goes through the places in the first `count` of the bins. */
function tryCells(
  count: number,
  {
    level,
    half,
    noise,
    logPrior,
  }: {
    readonly level: number;
    readonly half: number;
    readonly noise: number;
    readonly logPrior: number;
  },
): void {
  const { values, levels, evidences } = places;
  const believed = cellBelief(level, half);
  const cellWidth = cellOf(half, level);
  for (let c = 0; c < count; c++) {
    let most = -Infinity;
    for (let step = 0; step < FINE; step++) {
      const value = (tried.cells[c]! + step / FINE - 1 / 2) * cellWidth - half;
      const evidence = fitOf(value, level, noise) + logPrior + believed(value);
      values[places.length] = value;
      levels[places.length] = level;
      evidences[places.length++] = evidence;
      most = Math.max(most, evidence);
    }
    tried.evidences[c] = most;
  }
}

/** Puts bins of the next level within the likeliest of these in their place, the likeliest first. @returns how many. */
function finer(count: number): number {
  const { cells, evidences, likeliest, most } = tried;
  let kept = 0;
  for (let c = 0; c < count; c++) {
    const evidence = evidences[c]!;
    if (kept === KEPT && !(evidence > most[kept - 1]!)) continue;
    let at = kept < KEPT ? kept++ : KEPT - 1;
    for (; at > 0 && most[at - 1]! < evidence; at--) {
      most[at] = most[at - 1]!;
      likeliest[at] = likeliest[at - 1]!;
    }
    most[at] = evidence;
    likeliest[at] = cells[c]!;
  }
  for (let k = 0, next = 0; k < kept; k++) {
    for (let part = 0; part < FINER; part++) {
      cells[next++] = (likeliest[k]! - 1 / 2) * FINER + part;
    }
  }
  return kept * FINER;
}

function meanOf(places: Places, half: number): Located {
  const cells = Array.from({ length: FINEST + 1 }, (_, level) => cellOf(half, level));
  const { values, levels, evidences, length } = places;
  let likeliest = 0;
  for (let k = 1; k < length; k++) if (evidences[k]! > evidences[likeliest]!) likeliest = k;
  const [value, level, evidence] = [values[likeliest]!, levels[likeliest]!, evidences[likeliest]!];
  const most = { value, level, evidence };
  const reach = NEAR * cells[most.level]!;
  let [whole, sum] = [0, 0];
  for (let k = 0; k < length; k++) {
    if (Math.abs(values[k]! - most.value) > reach) continue;
    const weight = exp(evidences[k]! - most.evidence);
    whole += weight;
    sum += weight * values[k]!;
  }
  return { center: sum / whole, level: most.level, doubt: placeDoubt(places, most, cells) };
}
