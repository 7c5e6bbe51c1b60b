/**
 * Noise against signal in what is released, round by round, and what the ledger says was spent.
 */
import { makeEstimator, simulate } from "../../../build/modules/index.js";
import { curveFigure, spendingFigure } from "../../../build/modules/report/index.js";
import { EPSILONS, methodsOf } from "../settings.js";

export async function noiseToSignal(harness) {
  const { train } = simulate({ pattern: "low-rank", seed: "paper" });
  const [[method, options]] = methodsOf("low-rank", ["mp-low-rank"]);
  const points = [];
  const ledgers = [];
  for (const epsilon of EPSILONS) {
    const series = `eps ${epsilon}`;
    const random = { mode: "seeded", seed: "paper" };
    let exact;
    const observe = ({ stage, round, values }) => {
      if (stage === "exact") exact = values.slice();
      if (stage !== "released") return;
      const noise = Math.hypot(...values.map((value, at) => value - exact[at]));
      points.push({ series, x: round, y: noise / Math.hypot(...exact) });
    };
    const model = await makeEstimator(method, { ...options, epsilon, random }).fit(train, {
      observe,
    });
    ledgers.push({ series, ledger: model.ledger });
  }
  const ratio = curveFigure({
    name: "noise-to-signal",
    title: "Noise to signal over rounds",
    caption:
      "Frobenius norm of the noise over that of W W^T in every release of mp-low-rank (Gaussian mechanism, " +
      "guarantee holds), low-rank data. The noise is known to the curator of a simulation only.",
    alt: "Line chart of the noise-to-signal ratio over rounds for five budgets; it falls with rounds and with eps.",
    command: harness.command("noise-to-signal"),
    x: { title: "round" },
    y: { title: "noise / signal (logarithmic)", scale: "log" },
    legend: "budget",
    points,
  });
  const spent = spendingFigure(ledgers.slice(2), {
    name: "eps-over-rounds",
    title: "eps over rounds",
    caption:
      "What the ledger says was spent after each release of mp-low-rank, budgets 1, 3 and 10.",
    alt: "Line chart of eps spent over rounds for three budgets, each rising to its budget.",
    command: harness.command("noise-to-signal"),
  });
  return [ratio, spent];
}
