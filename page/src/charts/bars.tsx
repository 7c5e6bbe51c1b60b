/**
 * A few amounts, one below the other. Text and bars in the page itself, so it reads without a picture.
 * @module
 */
import { short } from "../text/numbers.js";
import type { Look } from "./line-chart.js";

/** One amount; null where it is not known. */
export interface Bar {
  readonly name: string;
  readonly note?: string;
  readonly look: Look;
  readonly value: number | null;
}

/** The bars, from 0 to `most`. */
export function Bars({
  bars,
  most,
  label,
  unit = "",
  pending = false,
}: {
  bars: readonly Bar[];
  most: number;
  label: string;
  unit?: string;
  /** Unknown amounts are on their way. */
  pending?: boolean;
}) {
  return (
    <dl class="bars" aria-label={label}>
      {bars.map(({ name, note, look, value }) => (
        <div key={name}>
          <dt>
            {name}
            {note && <span class="small"> {note}</span>}
          </dt>
          <dd>
            <svg class="bar" width="100%" height="14" aria-hidden="true">
              <rect class="ground" width="100%" height="14" />
              {value !== null && (
                <rect
                  class={`fill ${look}`}
                  width={`${Math.max(0.5, Math.min(100, (100 * value) / most))}%`}
                  height="14"
                />
              )}
            </svg>
            <span class="value">
              {value === null ? (pending ? "…" : "–") : `${short(value)}${unit}`}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
