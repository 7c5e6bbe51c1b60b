/**
 * Noise against signal at the papers' noise and in the task relationship baseline, over the budget.
 */
import { curveFigure } from "../../../build/modules/report/index.js";
import { EPSILONS, methodsOf } from "../settings.js";
import { meanAndError, noiseRatios, seedsOf } from "./noise-ratios.js";
import { OLDER } from "./older-noise.js";

const [[, algorithm2]] = methodsOf("low-rank", ["mp-low-rank"]);
const [[, relationship]] = methodsOf("low-rank", ["dp-task-relationship"]);

const VARIANTS = [
  ["mp-low-rank", "mp-low-rank", algorithm2],
  ["newest text's noise (nominal eps)", "mp-low-rank", { ...algorithm2, mechanism: "wishart" }],
  ["older text's noise (nominal eps)", "mp-low-rank", { ...algorithm2, ...OLDER }],
  ["dp-task-relationship", "dp-task-relationship", relationship],
];

export async function noiseToSignalPrinted(harness) {
  const points = [];
  const seeds = seedsOf(harness.replicates);
  for (const [series, method, options] of VARIANTS) {
    for (const epsilon of EPSILONS) {
      const ratios = [];
      for (const seed of seeds) {
        const { ratios: ofRounds } = await noiseRatios(method, options, epsilon, seed);
        ratios.push(meanAndError(ofRounds).mean);
      }
      const { mean, error } = meanAndError(ratios);
      points.push({ series, x: epsilon, y: mean, error });
    }
  }
  return [
    curveFigure({
      name: "noise-to-signal-printed",
      title: "Noise to signal with the papers' noise",
      caption:
        "Frobenius norm of the noise over that of what is released, mean over the rounds: W W^T in Algorithm 2, all models in the " +
        `task relationship baseline. Low-rank data, ${seeds.length} replicates. With the papers' noise eps is nominal: NO guarantee holds.`,
      alt: "Line chart of the noise-to-signal ratio against eps for Algorithm 2 with three kinds of noise and for the task relationship baseline.",
      command: harness.command("noise-to-signal-printed"),
      x: { title: "eps (logarithmic)", scale: "log" },
      y: { title: "noise / signal (logarithmic)", scale: "log" },
      points,
    }),
  ];
}
