/**
 * PMTL's table on local finetuning: one global model and PMTL, each as it is and with each kind of finetuning, at eps 0.1 and without
 * noise. Every cell's settings are chosen among as many candidates as every other's, on other splits.
 */
import { curveFigure } from "../../../build/modules/report/index.js";
import { digits } from "../data.js";
import { noIntercept } from "../settings.js";
import { chooseSetting } from "./choose-setting.js";

const METHODS = ["private-fedavg", "pmtl"];
const KINDS = ["none", "vanilla", "mean-regularized", "symmetrized-kl", "ewc"];
/** The second stands for no noise: at eps 1e40 it is below rounding. */
const EPSILONS = [0.1, 1e40];

const common = {
  ...noIntercept,
  safeguard: false,
  clip: 0.1,
  serverStepSize: 60,
  localSteps: 20,
};

/** Three settings of the rounds, and with each, where there is finetuning, a short and a long one. */
function candidatesOf(method, kind) {
  const rounds =
    method === "pmtl"
      ? [{ lambda: 0.003 }, { lambda: 0.05 }, { lambda: 0.2 }]
      : [{ localSteps: 5 }, { localSteps: 20 }, { localSteps: 50 }];
  if (kind === "none") return rounds;
  return rounds.flatMap((own) =>
    [20, 200].map((steps) => ({ ...own, finetune: { kind, steps, stepSize: 1, strength: 0.1 } })),
  );
}

export async function finetuning(harness) {
  const tasks = digits(harness.dataFolder);
  const rounds = harness.full ? 50 : 15;
  const data = { kind: "table", tasks, trainFraction: 0.7 };
  const budget = { adjacency: "zero-out", delta: 1 / tasks.names.length };
  const experiment = { data, loss: "softmax", normalize: "none", common: budget };
  const points = [];
  const cells = EPSILONS.flatMap((epsilon) =>
    KINDS.flatMap((kind) => METHODS.map((method) => ({ epsilon, kind, method }))),
  );
  for (const { epsilon, kind, method } of cells) {
    const name = `pmtl-finetuning-${rounds}-${method}-${kind}`;
    const chosen = await chooseSetting(
      harness,
      `${name}-${epsilon}`,
      [method, { ...common, rounds }],
      candidatesOf(method, kind),
      { ...experiment, epsilons: [epsilon], metric: "accuracy", higherIsBetter: true },
    );
    if (!chosen) continue;
    const rows = await harness.evaluate(name, {
      ...experiment,
      epsilons: [epsilon],
      methods: [[method, chosen]],
    });
    for (const row of rows) {
      const { mean, standardError } = row.metrics.accuracy;
      const series = `${method}, ${kind === "none" ? "as it is" : kind}`;
      points.push({ series, x: epsilon === 0.1 ? 0.1 : 10, y: mean, error: standardError });
    }
  }
  return [
    curveFigure({
      name: "pmtl-finetuning",
      title: "Local finetuning of one global model and of PMTL",
      caption:
        `FEMNIST digits, ${tasks.names.length} writers, softmax regression, ${rounds} rounds, delta 1/m, zero-out. Left: eps 0.1; right, drawn at 10: ` +
        "no noise. Settings of every cell are the best of three (as it is) or six on other splits, not charged. Mean over replicates.",
      alt: "Line chart of test accuracy at eps 0.1 and without noise for a global model and PMTL, with each kind of finetuning.",
      command: harness.command("pmtl-finetuning"),
      x: { title: "eps 0.1, and without noise (drawn at 10)", scale: "log" },
      y: { title: "accuracy (higher is better)" },
      points,
    }),
  ];
}
