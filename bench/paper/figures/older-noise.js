/**
 * What the papers' figures look like with the noise of the first versions' text, scale K / eps in place of
 * K^2 / (2 eps): which statements of the evaluation belong to it.
 *
 * No guarantee holds with either noise; eps is nominal throughout. Settings are those of the best test error on other
 * seeds, one for all eps, as the question is what can be reached at all.
 */
import { accuracyFigure } from "../../../build/modules/report/index.js";
import { EPSILONS, methodsOf } from "../settings.js";
import { alphaFigure } from "./budget.js";

/** Models do not come near K = 60, so nothing is clipped; eta lambda is about a twentieth of K. */
export const OLDER = { mechanism: "wishart-older", clip: 60, clipIterate: false, lambda: 3 };
const NEWEST = { mechanism: "wishart" };
const [[, algorithm2]] = methodsOf("low-rank", ["mp-low-rank"]);
const [[, algorithm3]] = methodsOf("group-sparse", ["mp-group-sparse"]);

/** Method, options, name in the legend. */
const VARIANTS = [
  ["mp-low-rank", { ...algorithm2, ...OLDER }, "Algorithm 2, older text's noise"],
  ["mp-group-sparse", { ...algorithm3, ...OLDER }, "Algorithm 3, older text's noise"],
  ["mp-low-rank", { ...algorithm2, ...NEWEST }, "Algorithm 2, newest text's noise"],
  ["mp-group-sparse", { ...algorithm3, ...NEWEST }, "Algorithm 3, newest text's noise"],
];

export async function olderNoise(harness) {
  const figures = [];
  for (const pattern of ["low-rank", "group-sparse"]) {
    const data = { kind: "simulation", options: { pattern } };
    const joint = pattern === "low-rank" ? "trace-norm" : "group-sparse";
    const name = `older-noise-${pattern}`;
    const run = (suffix, methods) =>
      harness.evaluate(`${name}-${suffix}`, { methods, epsilons: EPSILONS, data });
    const rows = await run("references", methodsOf(pattern, ["single-task", joint]));
    for (const [k, [method, options, title]] of VARIANTS.entries()) {
      const found = await run(`variant-${k}`, [[method, options]]);
      rows.push(...found.map((row) => ({ ...row, method: title })));
    }
    figures.push(
      accuracyFigure(rows, "nmse", {
        name,
        title: `The older text's noise, ${pattern} data`,
        caption:
          "320 tasks of 30 rows, 30 features. One-sided Wishart noise of scale K / eps (older text) and K² / (2 eps) " +
          "(newest), eps nominal: NO guarantee holds. Mean over replicates; the band is one standard error to each side.",
        command: harness.command("older-noise"),
      }),
    );
  }
  return figures;
}

/** Exponents of the budget, at nominal eps .1. */
export async function olderNoiseAlpha(harness) {
  return [
    await alphaFigure(harness, {
      name: "older-noise-alpha",
      title: "Budget exponent alpha with the older text's noise",
      epsilon: 0.1,
      about: "Algorithm 2 with one-sided Wishart noise of scale K / eps, nominal",
      extra: OLDER,
    }),
  ];
}
