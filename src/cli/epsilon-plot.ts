/**
 * Epsilon over rounds as a small SVG figure.
 * @module
 */
import { decimalAbove } from "../privacy/accounting/rounding.js";

const WIDTH = 560;
const HEIGHT = 320;
const MARGIN = { left: 64, right: 16, top: 28, bottom: 44 };

/** About five round numbers from 0 to `high`. */
function ticks(high: number): number[] {
  const rough = high / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough)!;
  return Array.from({ length: Math.floor(high / step) + 1 }, (_, i) => i * step);
}

const label = (x: number) => String(Number(x.toPrecision(3)));

/**
 * @param curve epsilon after a number of rounds; points without a finite epsilon are left out.
 * @param delta at which it holds, for the title.
 */
export function epsilonPlot(
  curve: readonly { round: number; epsilon: number }[],
  delta: number,
): string {
  const points = curve.filter(({ epsilon }) => Number.isFinite(epsilon));
  const lastRound = Math.max(1, ...points.map(({ round }) => round));
  const highest = Math.max(1e-300, ...points.map(({ epsilon }) => epsilon));
  const x = (round: number) =>
    MARGIN.left + (round / lastRound) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (epsilon: number) =>
    HEIGHT - MARGIN.bottom - (epsilon / highest) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const line = points.map(
    ({ round, epsilon }) => `${x(round).toFixed(1)},${y(epsilon).toFixed(1)}`,
  );
  const horizontal = ticks(highest).map(
    (value) =>
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" stroke="#ddd"/>` +
      `<text x="${MARGIN.left - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${label(value)}</text>`,
  );
  const vertical = ticks(lastRound).map(
    (value) =>
      `<text x="${x(value).toFixed(1)}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle">${label(value)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="12" role="img">`,
    `<title>epsilon over rounds at delta ${label(delta)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${MARGIN.left}" y="18">epsilon at delta ${decimalAbove(delta, 3)}</text>`,
    ...horizontal,
    ...vertical,
    `<text x="${(WIDTH + MARGIN.left) / 2}" y="${HEIGHT - 8}" text-anchor="middle">rounds</text>`,
    `<polyline fill="none" stroke="#1f6fb4" stroke-width="2" points="${line.join(" ")}"/>`,
    "</svg>",
    "",
  ].join("\n");
}
