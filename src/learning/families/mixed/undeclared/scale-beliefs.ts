/**
 * What is believed of columns before any vote: how large, where and how wide the columns of tables tend to be. Public, weak
 * beside votes that stand out of their noise, and what decides where they do not.
 * @module
 */
import { exp, log } from "../../../../core/elementary.js";
import { cellOf, cellsOf } from "./location-code.js";
import { magnitudePosition } from "../../../votes/size-votes.js";

/** Density of a normal. */
const normal = (value: number, center: number, deviation: number) =>
  exp(-(((value - center) / deviation) ** 2) / 2) / (deviation * Math.sqrt(2 * Math.PI));

/** Magnitudes, in bins: about 16, within a factor of 64. */
const MAGNITUDES = { center: magnitudePosition(16), deviation: 3 } as const;

/** How far values lie apart within tasks, in bins: about 4, within a factor of 32. */
const DIFFERENCES = { center: magnitudePosition(4), deviation: 2.5 } as const;

/** Columns of any unit, dollars of whole countries or parts per billion: their part of all columns, and how far off they are, in bins. */
const ANY = { columns: 0.05, deviation: 14 } as const;

/**
 * Calendar years, the columns of tables that most often lie far from zero against their spread: their part of all columns, and of
 * those of their magnitude; where they lie, and how wide bins are that suit their spread.
 */
const YEARS = {
  columns: 0.08,
  part: 0.3,
  position: magnitudePosition(1990),
  within: 0.3,
  halves: [1300, 4400],
  center: 1990,
  deviation: 20,
  cells: [2, 40],
} as const;

/** How finely tasks vote: prior of every level. */
const LEVELS = [0.6, 0.15, 0.1, 0.08, 0.07] as const;

/** Spreads, in bins: about half a magnitude, less and less often smaller; where votes on the location were fine, about as wide as its bins. */
const SPREADS = { least: 0.25, most: 0.35, decay: 0.7, fine: 0.5, deviation: 1.2 } as const;

/** Density of a position where most columns are of such sizes. */
const sized = (position: number, { center, deviation }: typeof MAGNITUDES | typeof DIFFERENCES) =>
  (1 - ANY.columns) * normal(position, center, deviation) +
  ANY.columns * normal(position, center, ANY.deviation);

/** Log of what is believed of a magnitude at a position, up to a constant. */
export function magnitudeBelief(position: number): number {
  const general = sized(position, MAGNITUDES);
  const years = Math.abs(position - YEARS.position) < YEARS.within ? 1 / (2 * YEARS.within) : 0;
  return log((1 - YEARS.columns) * general + YEARS.columns * years);
}

/** The same of the size of differences within tasks. */
export const differenceBelief = (position: number): number => log(sized(position, DIFFERENCES));

/** Log of what is believed of a cell of a level around a value, in a window of [-half, half]. */
export function cellBelief(level: number, half: number): (value: number) => number {
  const uniform = LEVELS[level]! / cellsOf(level);
  const [least, most] = YEARS.halves;
  const suits = (l: number) => cellOf(half, l) > YEARS.cells[0] && cellOf(half, l) < YEARS.cells[1];
  if (!(half > least && half < most)) {
    const same = log(uniform);
    return () => same;
  }
  const levels = LEVELS.filter((_, l) => suits(l)).length;
  const part = suits(level) ? (YEARS.part * cellOf(half, level)) / levels : 0;
  return (value) =>
    log((1 - YEARS.part) * uniform + part * normal(value, YEARS.center, YEARS.deviation));
}

/** Log of what is believed of a spread at a position, up to a constant, after a location of a level. */
export function spreadBelief(position: number, level: number): number {
  const { least, most, decay, fine, deviation } = SPREADS;
  const general = position < 1 ? least : most * exp((position - 1) * log(decay));
  if (level === 0) return log(general);
  // Bins of a level are a quarter of a magnitude wide, and a quarter of those of the level before.
  const near = normal(position, 2.5 + 2 * level, deviation);
  return log((1 - fine) * general + fine * near);
}
