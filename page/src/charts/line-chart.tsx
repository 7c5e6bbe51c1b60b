/**
 * The library's line charts as a part of the page.
 * @module
 */
import { lineChart, svg, type Axis, type ChartPoint } from "../../../src/charts/index.js";
import { useWidth } from "./use-width.js";

/** How a series is drawn: a colour and a dash of the style sheet, so that colour is never alone. */
export type Look = "ours" | "alone" | "together" | "noise" | "past";

/** A line, with its points. */
export interface Series {
  readonly name: string;
  readonly look: Look;
  readonly points: readonly ChartPoint[];
  /** Points only. */
  readonly scattered?: boolean;
}

/** A horizontal line. */
export interface Reference {
  readonly name: string;
  readonly look: Look;
  readonly y: number;
  /** Half the height of its band. */
  readonly error?: number;
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

const looked = <T extends { readonly look: Look }>({ look, ...rest }: T) => ({
  ...rest,
  className: look,
  mark: "circle" as const,
});

/** The chart, as wide as its place. */
export function LineChart({ alt, x, y, series, references = [], mark, height }: LineChartProps) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const drawing = () =>
    lineChart(
      {
        x,
        y,
        series: series.map(looked),
        references: references.map(looked),
        ...(mark && { mark }),
        ...(height !== undefined && { height }),
      },
      width,
    );
  // The library escapes every text that it draws.
  const markup = width > 0 ? svg(drawing(), alt) : "";
  return <div ref={ref} class="chart-place" dangerouslySetInnerHTML={{ __html: markup }} />;
}
