/**
 * The marks of points: forms of about the same area around their place.
 * @module
 */
import type { Mark, SeriesLook } from "./style.js";
import { element } from "./svg.js";

/** Paths around the origin, in units of the mark's size. */
const FORMS: Readonly<Record<Mark, string>> = {
  circle: "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z",
  square: "M-.89-.89h1.78v1.78h-1.78z",
  triangle: "M0-1.4L1.25 .8H-1.25z",
  diamond: "M0-1.35L1.1 0L0 1.35L-1.1 0z",
  cross: "M-.4-1.2h.8v.8h.8v.8h-.8v.8h-.8v-.8h-.8v-.8h.8z",
  star: "M0-1.5L.4-.4L1.5 0L.4 .4L0 1.5L-.4 .4L-1.5 0L-.4-.4z",
};

/** A mark at a place; `size` is the radius of the circle, in pixels. */
export function drawMark([x, y]: readonly [number, number], look: SeriesLook, size = 3.7): string {
  const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size})`;
  return element("path", { class: `dot ${look.className}`, transform, d: FORMS[look.mark] });
}
