/**
 * The marks of points.
 * @module
 */
import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  type SymbolType,
} from "d3-shape";
import type { Mark, SeriesLook } from "./style.js";
import { element } from "./svg.js";

const FORMS: Readonly<Record<Mark, SymbolType>> = {
  circle: symbolCircle,
  square: symbolSquare,
  triangle: symbolTriangle,
  diamond: symbolDiamond,
  cross: symbolCross,
  star: symbolStar,
};

/** A mark of `area` square pixels at a place. */
export function drawMark([x, y]: readonly [number, number], look: SeriesLook, area = 44): string {
  const d = symbol(FORMS[look.mark], area).digits(2)()!;
  const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
  return element("path", { class: `dot ${look.className}`, transform: at, d });
}
