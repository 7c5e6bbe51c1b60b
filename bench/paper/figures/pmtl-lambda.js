/**
 * PMTL and the strength lambda of its pull to the shared model, at several budgets: small, every task nearly on its own; large, nearly
 * one model for all.
 */
import { curveFigure } from "../../../build/modules/report/index.js";
import { digits } from "../data.js";
import { noIntercept } from "../settings.js";

/** As in `pmtl-femnist`, at fewer rounds so that small budgets say something. */
const common = {
  ...noIntercept,
  safeguard: false,
  clip: 0.1,
  serverStepSize: 60,
  localSteps: 20,
  rounds: 15,
};
const LAMBDAS = [0.003, 0.01, 0.05, 0.2, 1, 5];
/** At 1e40 noise is below rounding. */
const EPSILONS = [0.8, 2, 8, 1e40];
const NO_NOISE = 1e40;

export async function pmtlLambda(harness) {
  const tasks = digits(harness.dataFolder);
  const points = [];
  for (const lambda of LAMBDAS) {
    const rows = await harness.evaluate("pmtl-lambda", {
      methods: [["pmtl", { ...common, lambda }]],
      epsilons: EPSILONS,
      loss: "softmax",
      data: { kind: "table", tasks, trainFraction: 0.7 },
      normalize: "none",
      common: { adjacency: "zero-out", delta: 1 / tasks.names.length },
    });
    for (const { epsilon, metrics } of rows) {
      const { mean, standardError } = metrics.accuracy;
      const series = epsilon === NO_NOISE ? "no noise" : `eps ${epsilon}`;
      points.push({ series, x: lambda, y: mean, error: standardError });
    }
  }
  return [
    curveFigure({
      name: "pmtl-lambda",
      title: "PMTL: accuracy and the strength of the pull to the shared model",
      caption: `FEMNIST digits, ${tasks.names.length} writers, softmax regression, ${common.rounds} rounds, delta 1/m, zero-out. Mean over replicates; the band is one standard error to each side.`,
      alt: "Line chart of test accuracy against lambda, one line for each eps and one without noise.",
      command: harness.command("pmtl-lambda"),
      x: { title: "lambda (logarithmic)", scale: "log" },
      y: { title: "accuracy (higher is better)" },
      points,
    }),
  ];
}
