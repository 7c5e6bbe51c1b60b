export { paddedRange, shortNumber, type Axis } from "./axes.js";
export { escapeText } from "./escape-text.js";
export { colourOf, extentOf, type Colour } from "./colours.js";
export { heatMap, type HeatMapChart } from "./heat-map.js";
export {
  lineChart,
  type ChartPoint,
  type ChartReference,
  type ChartSeries,
  type LineChart,
} from "./line-chart.js";
export {
  CHART_STYLE,
  DISTINCT_SERIES,
  lookOf,
  PLAIN_COLOURS,
  type Mark,
  type SeriesLook,
} from "./style.js";
export { svg, svgFile, type Drawing } from "./svg.js";
