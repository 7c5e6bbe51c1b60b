/**
 * Noise against signal in what is released, round by round, and what the ledger says was spent.
 */
import { curveFigure, spendingFigure } from "../../../build/modules/report/index.js";
import { EPSILONS, methodsOf } from "../settings.js";
import { meanAndError, noiseRatios, seedsOf } from "./noise-ratios.js";

export async function noiseToSignal(harness) {
  const [[method, options]] = methodsOf("low-rank", ["mp-low-rank"]);
  const seeds = seedsOf(harness.replicates);
  const points = [];
  const ledgers = [];
  for (const epsilon of EPSILONS) {
    const series = `eps ${epsilon}`;
    const fits = [];
    for (const seed of seeds) fits.push(await noiseRatios(method, options, epsilon, seed));
    fits[0].ratios.forEach((_, t) => {
      const { mean, error } = meanAndError(fits.map(({ ratios }) => ratios[t]));
      points.push({ series, x: t + 1, y: mean, error });
    });
    // Of every replicate the same.
    ledgers.push({ series, ledger: fits[0].model.ledger });
  }
  const ratio = curveFigure({
    name: "noise-to-signal",
    title: "Noise to signal over rounds",
    caption:
      "Frobenius norm of the noise over that of W W^T in every release of mp-low-rank (Gaussian mechanism, " +
      `guarantee holds), low-rank data, ${seeds.length} replicates, mean and one standard error. The noise is known to the curator of a simulation only.`,
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
