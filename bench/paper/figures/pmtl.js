/**
 * PMTL against private FedAvg and FedProx on the FEMNIST digits, with each finetuning; loss and eps over rounds.
 */
import { Pmtl, PrivateFedAvg, TaskSet } from "../../../build/modules/index.js";
import { curveFigure, spendingFigure } from "../../../build/modules/report/index.js";
import { digits } from "../data.js";
import { noIntercept } from "../settings.js";
import { splitDigits } from "../../accuracy/pmtl/digits.js";

/** As in bench/accuracy/pmtl: found on other splits and seeds. */
const federated = {
  ...noIntercept,
  safeguard: false,
  clip: 0.1,
  serverStepSize: 60,
  localSteps: 20,
};
const FINETUNINGS = ["vanilla", "mean-regularized", "symmetrized-kl", "ewc"];
const TEXT_UPDATE = "pmtl, update of the text";
const tuning = (kind) => ({ kind, steps: 20, stepSize: 1, strength: 0.1 });

async function accuracies(harness, tasks, rounds) {
  const common = { ...federated, rounds };
  const variants = [
    ["private-fedavg", "private-fedavg", common],
    ["private-fedprox", "private-fedprox", { ...common, lambda: 0.2 }],
    ...FINETUNINGS.map((kind) => [
      `private-fedavg, ${kind}`,
      "private-fedavg",
      { ...common, finetune: tuning(kind) },
    ]),
    ["pmtl", "pmtl", { ...common, lambda: 0.2 }],
    [
      "pmtl, mean-regularized",
      "pmtl",
      { ...common, lambda: 0.2, finetune: tuning("mean-regularized") },
    ],
    [TEXT_UPDATE, "pmtl", { ...common, lambda: 0.2, update: "from-local" }],
    ["alone", "single-task", { ...noIntercept, lambda: 3e-4 }],
  ];
  const points = [];
  for (const [series, method, options] of variants) {
    const rows = await harness.evaluate(`pmtl-femnist-${series.replaceAll(/\W+/g, "-")}`, {
      methods: [[method, options]],
      epsilons: [0.8, 2, 8],
      loss: "softmax",
      data: { kind: "table", tasks, trainFraction: 0.7 },
      normalize: "none",
      common: { adjacency: "zero-out", delta: 1 / tasks.names.length },
    });
    for (const { epsilon, metrics } of rows) {
      const { mean, standardError } = metrics.accuracy;
      points.push({ series, x: epsilon, y: mean, error: standardError });
    }
  }
  return points;
}

/** Mean training loss over tasks, which a real release would have to charge. */
async function overRounds(tasks, rounds) {
  const { train } = splitDigits(TaskSet.adopt(tasks), "paper");
  const common = { ...federated, loss: "softmax", epsilon: 2, delta: 1 / train.m };
  const budget = { adjacency: "zero-out", random: { mode: "seeded", seed: "paper" } };
  const points = [];
  let ledger;
  const counts = [...[1, 2, 5, 10, 20].filter((count) => count < rounds), rounds];
  for (const [series, Method, extra] of [
    ["pmtl", Pmtl, { lambda: 0.2 }],
    ["private-fedavg", PrivateFedAvg, {}],
  ]) {
    for (const count of counts) {
      const model = await new Method({ ...common, ...budget, ...extra, rounds: count }).fit(train);
      points.push({ series, x: count, y: model.objective / train.m });
      if (Method === Pmtl) ledger = model.ledger;
    }
  }
  return { points, ledger };
}

export async function pmtlFemnist(harness) {
  const tasks = digits(harness.dataFolder);
  const rounds = harness.full ? 50 : 15;
  const command = harness.command("pmtl-femnist");
  const about = `FEMNIST digits, ${tasks.names.length} writers, softmax regression, ${rounds} rounds, delta 1/m, zero-out`;
  const points = await accuracies(harness, tasks, rounds);
  const { points: losses, ledger } = await overRounds(tasks, rounds);
  return [
    curveFigure({
      name: "pmtl-femnist",
      title: "PMTL against one global model",
      caption: `${about}. Mean over replicates; the band is one standard error to each side. Settings are the same for every eps and not charged to it.`,
      alt: "Line chart of test accuracy against eps for PMTL, private FedAvg with and without finetuning, FedProx, and learning alone.",
      command,
      x: { title: "eps (logarithmic)", scale: "log" },
      y: { title: "accuracy (higher is better)" },
      points: points.filter(({ series }) => series !== TEXT_UPDATE),
    }),
    curveFigure({
      name: "pmtl-update",
      title: "PMTL: what an update is relative to",
      caption: `${about}. The update of the text is the new local model minus the old one; the default is the new local model minus the shared one.`,
      alt: "Line chart of test accuracy against eps for PMTL with either update and for learning alone.",
      command,
      x: { title: "eps (logarithmic)", scale: "log" },
      y: { title: "accuracy (higher is better)" },
      points: points.filter(({ series }) => [TEXT_UPDATE, "pmtl", "alone"].includes(series)),
    }),
    curveFigure({
      name: "pmtl-loss",
      title: "Training loss and number of rounds, eps 2",
      caption: `${about}. Every point is a run of that many rounds whose whole cost is eps 2.`,
      alt: "Line chart of the mean training loss against the number of rounds for PMTL and private FedAvg.",
      command,
      x: { title: "rounds (logarithmic)", scale: "log" },
      y: { title: "mean training loss" },
      points: losses,
    }),
    spendingFigure([{ series: "pmtl", ledger }], {
      name: "pmtl-eps",
      title: "PMTL: eps over rounds",
      caption: `${about}. What the ledger says was spent after each release; the budget is eps 2.`,
      alt: "Line chart of the eps spent over rounds, rising to 2.",
      command,
    }),
  ];
}
