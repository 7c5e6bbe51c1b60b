/**
 * PMTL against learning alone at eps 0.1: few rounds of many local steps, chosen on other splits.
 */
import { accuracyFigure } from "../../../build/modules/report/index.js";
import { digits } from "../data.js";
import { noIntercept } from "../settings.js";
import { chooseSetting } from "./choose-setting.js";

const EPSILON = 0.1;
const common = { ...noIntercept, safeguard: false, clip: 0.1 };
const few = { ...common, rounds: 5, localSteps: 200 };
const CANDIDATES = [0.001, 0.003, 0.01].flatMap((lambda) =>
  [6, 20, 60].map((serverStepSize) => ({ lambda, serverStepSize })),
);

export async function pmtlAlone(harness) {
  const tasks = digits(harness.dataFolder);
  const experiment = {
    epsilons: [EPSILON],
    loss: "softmax",
    normalize: "none",
    data: { kind: "table", tasks, trainFraction: 0.7 },
    common: { adjacency: "zero-out", delta: 1 / tasks.names.length },
  };
  const chosen = await chooseSetting(harness, "pmtl-alone", ["pmtl", few], CANDIDATES, {
    ...experiment,
    metric: "accuracy",
    higherIsBetter: true,
  });
  const variants = [
    ["alone", "single-task", { ...noIntercept, lambda: 3e-4 }],
    ...(chosen ? [["pmtl, T = 5, 200 local steps", "pmtl", chosen]] : []),
    [
      "pmtl, T = 15, 20 local steps",
      "pmtl",
      { ...common, rounds: 15, localSteps: 20, serverStepSize: 60, lambda: 0.2 },
    ],
  ];
  const rows = await harness.evaluateVariants("pmtl-alone", variants, experiment);
  return [
    accuracyFigure(rows, "accuracy", {
      name: "pmtl-alone",
      title: `PMTL against learning alone, eps ${EPSILON}`,
      caption: `FEMNIST digits, ${tasks.names.length} writers, softmax regression, delta 1/m, zero-out. The setting of five rounds is the best of nine on other splits, not charged. Mean over replicates.`,
      command: harness.command("pmtl-alone"),
    }),
  ];
}
