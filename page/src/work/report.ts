/**
 * A report of a fit: one HTML file that needs neither this page nor a network. Loaded only when it
 * is asked for.
 * @module
 */
import { transpose } from "../../../src/linalg/small-matrices.js";
import {
  curveFigure,
  heatMapFigure,
  MAX_SIDE,
  reportHtml,
  type CurvePoint,
  type Figure,
  type ReportTable,
} from "../../../src/report/index.js";
import { shortPromise } from "../text/numbers.js";
import type { ReportRequest } from "./messages.js";

function accuracy({ points, metric, code }: ReportRequest): {
  table: ReportTable;
  figure: Figure | null;
} {
  const table = {
    name: "accuracy",
    title: "Accuracy",
    caption: `Test ${metric}, on rows that no fit saw. A dash: the method has no privacy budget.`,
    columns: ["fit", "eps", metric],
    rows: points.map(({ series, epsilon, value }) => [series, epsilon, value]),
  };
  if (points.every(({ epsilon }) => epsilon === null)) return { table, figure: null };
  const figure = curveFigure({
    name: "privacy-accuracy",
    title: "Privacy and accuracy",
    caption: "Fits without a budget are horizontal lines. Every other point is a fit of its own.",
    alt: `Line chart of ${metric} against eps; the numbers are in the table.`,
    command: code,
    x: { title: "eps (logarithmic)", scale: "log" },
    y: { title: metric },
    legend: "fit",
    points: points.map(({ series, epsilon, value }) => ({ series, x: epsilon, y: value })),
  });
  return { table, figure };
}

function noise({ outcome, code }: ReportRequest): Figure[] {
  const points: CurvePoint[] = outcome.releases.flatMap(({ round, noise, signal }) => [
    { series: "noise", x: round, y: noise },
    { series: "signal", x: round, y: signal },
  ]);
  const drawn = points.filter(({ y }) => y > 0);
  if (drawn.length === 0) return [];
  return [
    curveFigure({
      name: "noise-and-signal",
      title: "Noise and signal",
      caption:
        "Size (Frobenius norm) of what the tasks uploaded and of the noise added to it, round by round. " +
        "The signal is computed without noise: it is for the curator's eyes only.",
      alt: "Line chart of the size of noise and signal over rounds.",
      command: code,
      x: { title: "round" },
      y: { title: "size", scale: "log" },
      legend: "part",
      points: drawn,
    }),
  ];
}

function spending({ outcome, code }: ReportRequest): Figure[] {
  if (outcome.spent.length === 0) return [];
  return [
    curveFigure({
      name: "eps-over-rounds",
      title: "Budget spent",
      caption: `Epsilon spent after each release, at delta ${shortPromise(outcome.budget?.delta ?? 0)}; the budget is ${outcome.budget?.epsilon}.`,
      alt: "Line chart of the epsilon spent over releases.",
      command: code,
      x: { title: "release" },
      y: { title: "epsilon spent" },
      legend: "ledger",
      points: outcome.spent.map((y, k) => ({ series: outcome.method, x: k + 1, y })),
    }),
  ];
}

function models({ outcome, code }: ReportRequest): Figure[] {
  const { weights, width, taskNames, featureNames } = outcome;
  const shown = Math.min(taskNames.length, MAX_SIDE);
  if (width > MAX_SIDE) return [];
  const all = shown === taskNames.length;
  return [
    heatMapFigure({
      name: "models",
      title: "Models",
      caption: `Weights of ${all ? "every" : `the first ${shown} of ${taskNames.length}`} tasks' models: for the curator's eyes only.`,
      alt: `Heat map of the weights of ${shown} tasks.`,
      command: code,
      rowTitle: "feature",
      columnTitle: "task",
      valueTitle: "weight",
      maps: [
        {
          title: outcome.method,
          values: transpose(weights.subarray(0, shown * width), shown, width),
          rows: width,
          columns: shown,
          ...(featureNames.length === width ? { rowNames: featureNames } : {}),
          columnNames: taskNames.slice(0, shown),
        },
      ],
    }),
  ];
}

/** The whole report as HTML. */
export function makeReport(request: ReportRequest): string {
  const { outcome, dataTitle, words } = request;
  const { table, figure } = accuracy(request);
  return reportHtml({
    title: `${outcome.method} on ${dataTitle}`,
    conclusion: request.conclusion,
    guarantee: words,
    notes: [
      "This report shows all tasks' models: it is for the curator only, no part of the guarantee.",
      "Made in the mp-mtl playground. The same in code, where the noise is drawn anew:",
    ],
    command: request.code,
    tables: [table],
    figures: [
      ...(figure ? [figure] : []),
      ...noise(request),
      ...spending(request),
      ...models(request),
    ],
    configuration: JSON.parse(outcome.card) as unknown,
  });
}
