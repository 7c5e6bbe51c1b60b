/**
 * Noise against signal at the papers' noise and in the task relationship baseline, over the budget.
 */
import { makeEstimator, simulate } from "../../../build/modules/index.js";
import { curveFigure } from "../../../build/modules/report/index.js";
import { EPSILONS, methodsOf } from "../settings.js";
import { OLDER } from "./older-noise.js";

const [[, algorithm2]] = methodsOf("low-rank", ["mp-low-rank"]);
const [[, relationship]] = methodsOf("low-rank", ["dp-task-relationship"]);

const VARIANTS = [
  ["mp-low-rank", "mp-low-rank", algorithm2],
  ["newest text's noise (nominal eps)", "mp-low-rank", { ...algorithm2, mechanism: "wishart" }],
  ["older text's noise (nominal eps)", "mp-low-rank", { ...algorithm2, ...OLDER }],
  ["dp-task-relationship", "dp-task-relationship", relationship],
];

/** Mean over the rounds of a fit of ||noise|| / ||statistic||. */
async function ratioOf(method, options, epsilon, seed) {
  const { train } = simulate({ pattern: "low-rank", seed });
  const ratios = [];
  let exact;
  const observe = ({ stage, values }) => {
    if (stage === "exact") exact = values.slice();
    if (stage !== "released") return;
    const noise = Math.hypot(...values.map((value, at) => value - exact[at]));
    ratios.push(noise / Math.hypot(...exact));
  };
  const random = { mode: "seeded", seed };
  const settings = { ...options, epsilon, delta: "papers", random };
  await makeEstimator(method, settings).fit(train, { observe });
  return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
}

function meanAndError(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const error = values.length > 1 ? Math.sqrt(squares / (values.length - 1) / values.length) : null;
  return { mean, error };
}

export async function noiseToSignalPrinted(harness) {
  const points = [];
  // The ratio hardly moves between replicates.
  const seeds = Array.from({ length: Math.min(harness.replicates, 5) }, (_, k) => `paper/${k}`);
  for (const [series, method, options] of VARIANTS) {
    for (const epsilon of EPSILONS) {
      const ratios = [];
      for (const seed of seeds) ratios.push(await ratioOf(method, options, epsilon, seed));
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
