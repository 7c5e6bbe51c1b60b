/**
 * What one effect may be, as a mixture of normals: of each kind of its column, and each size that effects have before anything is known.
 * @module
 */
import { log } from "../../../../../core/elementary.js";
import { softmax } from "../../../../../linalg/softmax.js";
import type { ColumnKind, Kinds } from "./column-kinds.js";
import type { EffectUnder } from "./column-under.js";
import { EFFECTS, UNSURE_COLUMN } from "../squared-settings.js";
import type { PartNormal } from "./stated-width.js";

/** A normal of the mixture. */
export interface Possible extends PartNormal {
  readonly kind: ColumnKind;
  /** What the last clip left. */
  readonly clip: number;
}

/** An effect, the variance that its sizes are multiples of, and whether it is the intercept's. */
export interface Effect {
  readonly c: number;
  readonly scale: number;
  readonly intercept: boolean;
}

const SIZES = { sizes: EFFECTS.slopes.sizes, prior: UNSURE_COLUMN.sizes };
const sizesOf = ({ intercept }: Effect) => (intercept ? EFFECTS.intercept : SIZES);

/** Variance of an effect before anything is known of it. */
export function widthOf(effect: Effect): number {
  const { sizes, prior } = sizesOf(effect);
  let width = 0;
  for (let s = 0; s < sizes.length; s++) width += sizes[s]! * prior[s]!;
  return effect.scale * width;
}

/**
 * Loops, no functions made for a call: these would be compiled again after each large collection.
 * @param under what releases say under each kind, one after the other.
 */
export function mixtureOf(effect: Effect, { kinds, prior }: Kinds, under: readonly EffectUnder[]) {
  const { sizes, prior: ofSizes } = sizesOf(effect);
  const width = widthOf(effect);
  const weights = new Float64Array(kinds.length * sizes.length);
  for (let k = 0, at = 0; k < kinds.length; k++) {
    const { precision, center } = alone(under[k]!, width);
    const before = under[k]!.evidence + log(prior[k]!);
    const ofWidth = logNormal(width, precision, center);
    for (let s = 0; s < sizes.length; s++, at++) {
      const own = logNormal(sizes[s]! * effect.scale, precision, center);
      weights[at] = before + own - ofWidth + log(ofSizes[s]!);
    }
  }
  softmax(weights, weights);
  const possible: Possible[] = [];
  for (let k = 0; k < kinds.length; k++) {
    const kind = kinds[k]!;
    const { precision, center } = alone(under[k]!, width);
    const clip = under[k]!.weight;
    for (const size of sizes) {
      const own = size * effect.scale;
      const free = kind === "constant" ? Math.max(own, UNSURE_COLUMN.free * effect.scale) : own;
      const left = free / (1 + free * precision);
      const weight = weights[possible.length]!;
      possible.push({ weight, kind, clip, mean: left * precision * center, variance: left });
    }
  }
  return possible;
}

/** What releases say without the normal that stood for the mixture. */
function alone({ mean, variance }: EffectUnder, width: number) {
  const precision = Math.max(1 / variance - 1 / width, 1e-9 / width);
  return { precision, center: mean / variance / precision };
}

/** Logarithm of the density of a center, seen with such a precision, of what varies so; up to a constant. */
function logNormal(variance: number, precision: number, center: number): number {
  const whole = variance + 1 / precision;
  return -(log(whole) + center ** 2 / whole) / 2;
}
