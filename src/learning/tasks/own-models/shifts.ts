/**
 * The ratios of noise to slopes' variance that the grid of own models has.
 * @module
 */
import { SQUARED } from "./settings.js";

/** Both are half decades, so that a ratio is known by the difference of their positions in the grid. */
export const shiftOf = (s: number, e: number): number => SQUARED.slopes.length - 1 - s + e;

/** Every ratio, by its `shiftOf`. */
export const SHIFTS = /* @__PURE__ */ (() => {
  const { slopes, noise } = SQUARED;
  const shifts = new Float64Array(slopes.length + noise.length - 1);
  slopes.forEach((variance, s) =>
    noise.forEach((own, e) => (shifts[shiftOf(s, e)] = own / variance)),
  );
  return shifts;
})();
