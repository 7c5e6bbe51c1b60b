export { curveFigure, type CurveAxis, type CurveOptions, type CurvePoint } from "./curves.js";
export type { Figure, FigureCell, FigureTable, FigureText } from "./figure.js";
export { heatMapFigure, MAX_SIDE, type HeatMap, type HeatMapOptions } from "./heat-maps.js";
export { reportHtml, type Report, type ReportTable, type Statement } from "./html.js";
export { renderSvg } from "./render.js";
export {
  accuracyFigure,
  accuracyTable,
  metricsOf,
  sweepFigure,
  type AccuracyRow,
  type Estimate,
} from "./accuracy.js";
export { spendingFigure, spentByRelease } from "./spending.js";
