/**
 * Lines over an axis, with reference lines and a moving mark.
 * @module
 */
import { short } from "../text/numbers.js";
import { makeScale, paddedRange, type Scale } from "./scale.js";
import { useWidth } from "./use-width.js";

/** How a series is drawn: a colour of the style sheet, and a dash, so that colour is never alone. */
export type Look = "ours" | "alone" | "together" | "noise" | "past";

/** A line, with its points. */
export interface Series {
  readonly name: string;
  readonly look: Look;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Points only. */
  readonly scattered?: boolean;
}

/** A horizontal line. */
export interface Reference {
  readonly name: string;
  readonly look: Look;
  readonly y: number;
}

/** An axis. */
export interface Axis {
  readonly title: string;
  readonly scale: "linear" | "log";
  /** Ticks at whole numbers only. */
  readonly whole?: boolean;
  /** By default what the points need. */
  readonly range?: readonly [number, number];
}

interface LineChartProps {
  readonly alt: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  readonly references?: readonly Reference[];
  /** A vertical line. */
  readonly mark?: { readonly x: number; readonly label: string } | undefined;
  readonly height?: number;
}

const MARGIN = { top: 26, right: 14, bottom: 40, left: 52 };

function AxisLines({
  x,
  y,
  xScale,
  yScale,
  width,
  height,
}: {
  x: Axis;
  y: Axis;
  xScale: Scale;
  yScale: Scale;
  width: number;
  height: number;
}) {
  const bottom = height - MARGIN.bottom;
  return (
    <g class="axis">
      {yScale.ticks.map((tick) => (
        <g key={tick}>
          <line x1={MARGIN.left} x2={width - MARGIN.right} y1={yScale(tick)} y2={yScale(tick)} />
          <text x={MARGIN.left - 7} y={yScale(tick)} dy="0.32em" text-anchor="end">
            {short(tick)}
          </text>
        </g>
      ))}
      <line class="base" x1={MARGIN.left} x2={width - MARGIN.right} y1={bottom} y2={bottom} />
      {xScale.ticks.map((tick) => (
        <g key={tick}>
          <line class="base" x1={xScale(tick)} x2={xScale(tick)} y1={bottom} y2={bottom + 4} />
          <text x={xScale(tick)} y={bottom + 17} text-anchor="middle">
            {short(tick)}
          </text>
        </g>
      ))}
      <text
        class="title"
        x={(MARGIN.left + width - MARGIN.right) / 2}
        y={height - 4}
        text-anchor="middle"
      >
        {x.title}
      </text>
      <text class="title" x={2} y={10}>
        {y.title}
      </text>
    </g>
  );
}

function path(points: Series["points"], xScale: Scale, yScale: Scale): string {
  return points
    .map(([x, y], k) => `${k === 0 ? "M" : "L"}${xScale(x).toFixed(1)} ${yScale(y).toFixed(1)}`)
    .join("");
}

/** From this many points on a line is drawn without dots. */
const DOTTED = 25;

/** The chart, as wide as its place. */
export function LineChart(props: LineChartProps) {
  const { alt, x, y, series, references = [], mark, height = 260 } = props;
  const [ref, width] = useWidth<HTMLDivElement>();
  return (
    <div ref={ref} class="chart">
      {width > 0 && <Drawing {...{ alt, x, y, series, references, mark, height, width }} />}
      <Legend entries={[...series, ...references]} />
    </div>
  );
}

type DrawingProps = Required<Omit<LineChartProps, "mark">> &
  Pick<LineChartProps, "mark"> & { width: number };

function Drawing({ alt, x, y, series, references, mark, height, width }: DrawingProps) {
  const drawn = series.map((entry) => ({
    ...entry,
    points: entry.points.filter(([, value]) => y.scale === "linear" || value > 0),
  }));
  const xs = drawn.flatMap(({ points }) => points.map(([value]) => value));
  const ys = [
    ...drawn.flatMap(({ points }) => points.map(([, value]) => value)),
    ...references.map((reference) => reference.y),
  ];
  const xRange = x.range ?? paddedRange(xs, x.scale, 0.02);
  const yRange = y.range ?? paddedRange(ys, y.scale);
  const ends = [MARGIN.left, width - MARGIN.right] as const;
  const xScale = makeScale(x.scale, xRange, ends, Math.max(2, Math.floor(width / 70)), x.whole);
  const yScale = makeScale(y.scale, yRange, [height - MARGIN.bottom, MARGIN.top], 6);
  return (
    <svg role="img" aria-label={alt} width={width} height={height}>
      <AxisLines {...{ x, y, xScale, yScale, width, height }} />
      {references.map(({ name, look, y: value }) => (
        <line
          key={name}
          class={`line ${look}`}
          x1={MARGIN.left}
          x2={width - MARGIN.right}
          y1={yScale(value)}
          y2={yScale(value)}
        />
      ))}
      {drawn.map(({ name, look, points, scattered }) => (
        <g key={name}>
          {!scattered && points.length > 1 && (
            <path class={`line ${look}`} d={path(points, xScale, yScale)} />
          )}
          {(scattered ?? points.length <= DOTTED) &&
            points.map(([px, py], k) => (
              <circle
                key={k}
                class={`dot ${look}`}
                cx={xScale(px)}
                cy={yScale(py)}
                r={scattered ? 5 : 3.5}
              />
            ))}
        </g>
      ))}
      {mark && (
        <g class="mark">
          <line
            x1={xScale(mark.x)}
            x2={xScale(mark.x)}
            y1={MARGIN.top}
            y2={height - MARGIN.bottom}
          />
          <MarkLabel at={xScale(mark.x)} width={width} label={mark.label} />
        </g>
      )}
    </svg>
  );
}

function MarkLabel({ at, width, label }: { at: number; width: number; label: string }) {
  const left = at > width / 2;
  return (
    <text x={at + (left ? -5 : 5)} y={MARGIN.top + 6} text-anchor={left ? "end" : "start"}>
      {label}
    </text>
  );
}

function Legend({
  entries,
}: {
  entries: readonly { name: string; look: Look; scattered?: boolean }[];
}) {
  return (
    <ul class="legend" aria-hidden="true">
      {entries.map(({ name, look, scattered }) => (
        <li key={name}>
          <svg width="26" height="10">
            {scattered ? (
              <circle class={`dot ${look}`} cx="13" cy="5" r="4" />
            ) : (
              <line class={`line ${look}`} x1="1" x2="25" y1="5" y2="5" />
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
