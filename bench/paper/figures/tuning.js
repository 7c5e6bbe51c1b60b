/**
 * What tuning is worth, and what it costs when it is paid for: one public setting for all eps, 5-fold
 * cross-validation for every eps and replicate as in the papers (not charged), private selection
 * (charged: eps includes it).
 */
import { expandGrid } from "../../../build/modules/index.js";
import { curveFigure } from "../../../build/modules/report/index.js";
import { EPSILONS, methodsOf } from "../settings.js";

const METHOD = { "low-rank": "mp-low-rank", "group-sparse": "mp-group-sparse" };
/** A decade and a half to each side of what suits the data; clip and rounds are public. */
const candidates = expandGrid({ lambda: [5, 1.5, 0.5, 0.15] });

const TUNINGS = {
  "one setting for all eps, not charged": { kind: "none" },
  "cross-validated for every eps, not charged": {
    kind: "cv",
    candidates,
    folds: 5,
    oneStandardError: false,
  },
  "private selection, all four charged": {
    kind: "private",
    candidates,
    folds: 5,
    repetitions: "all",
    scoreShare: 0.15,
  },
};

async function tuning(harness, pattern) {
  const [[method, options]] = methodsOf(pattern, [METHOD[pattern]]);
  const points = [];
  for (const [series, choice] of Object.entries(TUNINGS)) {
    const rows = await harness.evaluate(`tuning-${pattern}-${choice.kind}`, {
      methods: [[method, options]],
      epsilons: EPSILONS,
      tuning: choice,
      data: { kind: "simulation", options: { pattern } },
    });
    for (const { epsilon, metrics } of rows) {
      const { mean, standardError } = metrics.nmse;
      points.push({ series, x: epsilon, y: mean, error: standardError });
    }
  }
  return curveFigure({
    name: `tuning-${pattern}`,
    title: `What tuning costs: ${method}, ${pattern} data`,
    caption:
      "lambda out of 5, 1.5, 0.5, 0.15. Private selection runs every candidate once and lets the tasks' noisy " +
      "utility scores decide; its eps covers all runs and the choice. Mean over replicates; the band is one " +
      "standard error to each side.",
    alt: "Line chart of nMSE against eps for three ways of choosing lambda.",
    command: harness.command("tuning"),
    x: { title: "eps (logarithmic)", scale: "log" },
    y: { title: "nMSE (lower is better)" },
    legend: "lambda",
    points,
  });
}

export async function tuningFigures(harness) {
  return [await tuning(harness, "low-rank"), await tuning(harness, "group-sparse")];
}

/** K and the schedule too, as the papers choose them; uncharged. */
const asPrinted = expandGrid({
  lambda: [5, 1.5, 0.5],
  clip: [10, 20, 60],
  schedule: [
    { kind: "constant" },
    { kind: "polynomial", exponent: 0.4 },
    { kind: "polynomial", exponent: 1.5 },
  ],
});

export async function tuningAsPrinted(harness) {
  const [[method, options]] = methodsOf("low-rank", ["mp-low-rank"]);
  const common = {
    methods: [[method, options]],
    epsilons: [0.1, 1, 10],
    data: { kind: "simulation", options: { pattern: "low-rank" } },
  };
  const cv = { kind: "cv", candidates: asPrinted, folds: 5, oneStandardError: false };
  const points = [];
  for (const [series, choice] of [
    ["one setting for all eps", { kind: "none" }],
    ["lambda, K and schedule cross-validated for every eps", cv],
  ]) {
    const rows = await harness.evaluate(`tuning-as-printed-${choice.kind}`, {
      ...common,
      tuning: choice,
    });
    for (const { epsilon, metrics } of rows) {
      const { mean, standardError } = metrics.nmse;
      points.push({ series, x: epsilon, y: mean, error: standardError });
    }
  }
  return [
    curveFigure({
      name: "tuning-as-printed",
      title: "lambda, K and schedule cross-validated, low-rank data",
      caption: `Five folds, ${asPrinted.length} candidates, for every eps in every replicate as in the papers; not charged. Mean over replicates; the band is one standard error to each side.`,
      alt: "Line chart of nMSE against eps for one setting and for cross-validated ones.",
      command: harness.command("tuning-as-printed"),
      x: { title: "eps (logarithmic)", scale: "log" },
      y: { title: "nMSE (lower is better)" },
      legend: "settings",
      points,
    }),
  ];
}
