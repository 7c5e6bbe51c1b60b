/**
 * What one effect may be, as a mixture of normals: of each kind of its column, and each size that effects have before anything is known.
 * @module
 */
import { log } from "../../../../../core/elementary.js";
import { softmax } from "../../softmax.js";
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
  return effect.scale * sizes.reduce<number>((sum, size, k) => sum + size * prior[k]!, 0);
}

/** @param under what releases say under each kind, one after the other. */
export function mixtureOf(effect: Effect, { kinds, prior }: Kinds, under: readonly EffectUnder[]) {
  const { sizes, prior: ofSizes } = sizesOf(effect);
  const width = widthOf(effect);
  const logs: number[] = [];
  const possible: Omit<Possible, "weight">[] = [];
  kinds.forEach((kind, k) => {
    const { evidence, mean, variance, weight } = under[k]!;
    // What releases say without the normal that stood for the mixture.
    const precision = Math.max(1 / variance - 1 / width, 1e-9 / width);
    const center = mean / variance / precision;
    const logOf = (size: number) => {
      const whole = size + 1 / precision;
      return -(log(whole) + center ** 2 / whole) / 2;
    };
    sizes.forEach((size, s) => {
      const own = size * effect.scale;
      logs.push(evidence + log(prior[k]!) + logOf(own) - logOf(width) + log(ofSizes[s]!));
      const free = kind === "constant" ? Math.max(own, UNSURE_COLUMN.free * effect.scale) : own;
      const left = free / (1 + free * precision);
      possible.push({ kind, clip: weight, mean: left * precision * center, variance: left });
    });
  });
  const weights = softmax(logs);
  return possible.map((one, at): Possible => ({ ...one, weight: weights[at]! }));
}
