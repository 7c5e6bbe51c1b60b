/**
 * Rows one below the other: what is predicted with its interval, and what the target is. In the page itself, as wide as its place; the
 * numbers beside it are for whoever does not see it.
 * @module
 */
import { short } from "../text/numbers.js";
import type { Look } from "./line-chart.js";

/** One row, in the units of the target. */
export interface IntervalRow {
  readonly prediction: number;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly actual: number;
}

/** Pixels of a row. */
const HEIGHT = 16;

/** The rows between `least` and `most`. */
export function Intervals({
  rows,
  least,
  most,
  look,
}: {
  rows: readonly IntervalRow[];
  least: number;
  most: number;
  look: Look;
}) {
  const at = (value: number) =>
    `${Math.min(Math.max((100 * (value - least)) / (most - least), 0), 100)}%`;
  return (
    <>
      <svg
        class={`intervals ${look}`}
        width="100%"
        height={HEIGHT * rows.length}
        aria-hidden="true"
      >
        {rows.map(({ prediction, lower, upper, actual }, row) => {
          const y = HEIGHT * (row + 0.5);
          return (
            <g key={row}>
              {lower !== null && upper !== null && (
                <line class="interval" x1={at(lower)} x2={at(upper)} y1={y} y2={y} />
              )}
              <circle class="predicted" cx={at(prediction)} cy={y} r="4" />
              <line class="actual" x1={at(actual)} x2={at(actual)} y1={y - 6} y2={y + 6} />
            </g>
          );
        })}
      </svg>
      <div class="scale-line intervals-scale" aria-hidden="true">
        <span>{short(least)}</span>
        <span>{short(most)}</span>
      </div>
    </>
  );
}
