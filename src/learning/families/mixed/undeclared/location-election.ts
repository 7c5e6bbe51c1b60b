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

/** A level's bins of a sum against bumps at all positions, `FINE` to a bin. */
interface Against {
  readonly level: number;
  /** Width of a bin, and where 0 stands. */
  readonly cell: number;
  readonly origin: number;
  /** Products of bins and bumps, and the bumps' squared norms, by what votes give to the level. */
  readonly heights: Float64Array;
  readonly squares: Float64Array;
}

/** Mean bumps of a level at all its positions, and their squared norms. */
interface Bumps {
  readonly bumps: readonly Float64Array[];
  readonly squares: Float64Array;
}

/** Those by how far apart tasks are; they are few, and asked for by every column. */
const kept = new Map<string, Bumps>();

/** @param values of which those from `from` on are taken. */
function dot(bump: Float64Array, values: Float64Array, from: number): number {
  let sum = 0;
  for (let b = 0; b < bump.length; b++) sum += bump[b]! * values[from + b]!;
  return sum;
}

function bumpsOf(level: number, apart: number): Bumps {
  const circle = Math.min(level, 1);
  const key = `${circle} ${apart}`;
  const known = kept.get(key);
  if (known) return known;
  const { bins } = binsOf(level);
  const positions = level === 0 ? FINE * (bins - 1) + 1 : FINE * bins;
  const bumps = Array.from({ length: positions }, (_, at) =>
    meanVote((position) => digit(circle, position), at / FINE, apart),
  );
  const made = { bumps, squares: Float64Array.from(bumps, (bump) => dot(bump, bump, 0)) };
  kept.set(key, made);
  return made;
}

function against(
  counts: Float64Array,
  { level, size, apart, half }: { level: number; size: number; apart: number; half: number },
): Against {
  const { from } = binsOf(level);
  const { bumps, squares } = bumpsOf(level, Math.min(apart, EVERYWHERE));
  return {
    level,
    cell: cellOf(half, level),
    origin: positionOn(0, half, level),
    heights: Float64Array.from(bumps, (bump) => size * dot(bump, counts, from)),
    squares: squares.map((square) => size * size * square),
  };
}

/** The entry of a level's positions for a value. */
function entryOf(value: number, { level, cell, origin, heights }: Against): number {
  const { length } = heights;
  const at = Math.round((value / cell + origin) * FINE);
  if (level === 0) return Math.min(Math.max(at, 0), length - 1);
  return at - length * Math.floor(at / length);
}

/** Log likelihood of a place at the height that suits it best; a height below 0 speaks against it. */
function fitOf(value: number, levels: readonly Against[], noise: number): number {
  let [height, square] = [0, 0];
  for (const level of levels) {
    const at = entryOf(value, level);
    height += level.heights[at]!;
    square += level.squares[at]!;
  }
  return (height * Math.abs(height)) / square / (2 * noise);
}

/** Room for the places of one election after the other. */
const places: Places = { values: [], levels: [], evidences: [], length: 0 };

/**
 * The mean of the places around the likeliest one, weighed by their largest likelihood over the height times the prior.
 * @param half values are looked for within [-half, half].
 */
export function electedLocation({ counts, deviation }: NoisyVotes, half: number): Located {
  const noise = Math.max(deviation * deviation, Number.EPSILON);
  const { values, levels: tried, evidences } = places;
  places.length = 0;
  for (const { width, prior } of APART) {
    let cells = Array.from({ length: cellsOf(0) + 1 }, (_, cell) => cell);
    for (let level = 0; level <= FINEST; level++) {
      const cellWidth = cellOf(half, level);
      const levels = digitSizes(level).map((size, l) =>
        against(counts, { level: l, size, apart: (width * cellsOf(l)) / cellsOf(level), half }),
      );
      const believed = cellBelief(level, half);
      const logPrior = log(prior);
      const best = cells.map((cell) => {
        let most = -Infinity;
        for (let step = 0; step < FINE; step++) {
          const value = (cell + step / FINE - 1 / 2) * cellWidth - half;
          const evidence = fitOf(value, levels, noise) + logPrior + believed(value);
          values[places.length] = value;
          tried[places.length] = level;
          evidences[places.length++] = evidence;
          most = Math.max(most, evidence);
        }
        return { cell, evidence: most };
      });
      cells = finer(best);
    }
  }
  return meanOf(places, half);
}

/** Bins of the next level within the likeliest of this one. */
function finer(tried: readonly { readonly cell: number; readonly evidence: number }[]): number[] {
  const likeliest = tried.toSorted((one, other) => other.evidence - one.evidence).slice(0, KEPT);
  return likeliest.flatMap(({ cell }) =>
    Array.from({ length: FINER }, (_, k) => (cell - 1 / 2) * FINER + k),
  );
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
