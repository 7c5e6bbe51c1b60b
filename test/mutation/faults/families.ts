/**
 * What the families' tasks upload, and their curators make of it.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = faultsIn("src/learning", {
  "options/configured-estimator.ts": [
    {
      from: "heldInPrecision(heldRows(rows), rowPrecision)",
      to: "heldRows(rows)",
      breaks: "No feature, however large, ends a private fit of rows in Float32.",
    },
  ],
  "families/averaging/updates/local-updates.ts": [
    {
      from: "if (marks && this.#idle) {",
      to: "if (marks && !this.#idle) {",
      breaks: "Who is not drawn works as long as who is.",
    },
  ],
  "families/averaging/running-mean.ts": [
    {
      from: "const factor = stepSize / divisor;",
      to: "const factor = stepSize;",
      breaks: "The shared model moves by the mean update.",
    },
  ],
  "families/averaging/halves.ts": [
    {
      from: 'random.mode === "secure" ? START : random',
      to: "random",
      breaks: "A fit that goes on with its journal starts from where it had.",
    },
    {
      from: "robust?.divisor ?? expectedParticipants(options.sampling, sizes.m, options.rounds);",
      to: "robust?.divisor ?? sizes.m;",
      breaks: "The mean is over the expected sample.",
    },
    {
      from: "if (robustShape(options.aggregate, m) && context.noiseShares) {",
      to: "if (false as boolean) {",
      breaks: "Sums that the curator does not see into are no trimmed means.",
    },
  ],
  "families/averaging/participants.ts": [
    {
      from: 'choice !== "last"',
      to: 'choice === "last"',
      breaks: "Tasks select where they are to.",
    },
  ],
  "families/averaging/selection/selection.ts": [
    {
      from: "work.participants.restore(this.#checkpoints.get(round)!);",
      to: "",
      breaks: "A candidate is the model of its own round.",
    },
  ],
  "families/averaging/selection/finetune.ts": [
    {
      from: "g[j]! += strength * weights[j]! * apart;",
      to: "g[j]! += weights[j]! * apart;",
      breaks: "Finetuning pulls to the shared model with its strength.",
    },
  ],
  "families/custom/local-step.ts": [
    {
      from: "kernels.clipRows(this.weights, this.#upload, this.m, this.uploadLength, clipNow(this.#clip));",
      to: "core.arena.view(this.#upload, this.m * this.uploadLength).set(core.arena.view(this.weights, this.m * this.uploadLength));",
      breaks: "Models of one's own step are clipped before they are uploaded.",
    },
  ],
  "families/prior/local-solve.ts": [
    {
      from: "if (!unit) return this.#upload;",
      to: "if (!unit) return this.weights;",
      breaks: "Own models are clipped before they are uploaded.",
    },
  ],
  "families/prior/participants.ts": [
    {
      from: "records ?? uploading,",
      to: "participants,",
      breaks: "Against an untrusted curator uploads carry record noise.",
    },
  ],
  "families/prior/covariance/coordinates.ts": [
    {
      from: "covariance[k]! *= d / trace;",
      to: "covariance[k]! *= 1;",
      breaks: "A refined prior keeps mean variance 1.",
    },
  ],
  "families/prior/covariance/covariance-prior.ts": [
    {
      from: "core.arena.view(broadcast + 8 * d * d, d).fill(0);",
      to: "",
      breaks: "A prior without a center has its center at zero.",
    },
  ],
  "families/prior/covariance/diagonal-prior.ts": [
    {
      from: "Math.max(LEAST, value / mean)",
      to: "value / mean",
      breaks: "No feature's variance vanishes.",
    },
  ],
  "families/prior/halves.ts": [
    {
      from: 'options.choice === "pooled" || outweighsNoise',
      to: 'options.choice === "pooled" && outweighsNoise',
      breaks: "A vote is held where it pays or is asked for.",
    },
  ],
  "families/prior/covariance/hierarchical-prior.ts": [
    {
      from: "released[j * (d + 1) + k]! - m * mean[j]! * mean[k]!",
      to: "released[j * (d + 1) + k]!",
      breaks: "The shared mean is taken off the covariance.",
    },
  ],
  "families/prior/rounds.ts": [
    {
      from: 'return Math.min(MOST, statistic === "covariance" ? rounds : rounds + 1);',
      to: "return MOST;",
      breaks: "Rounds are no more than the budget pays for.",
    },
  ],
  "sharing/shrink-spectrum.ts": [
    {
      from: "Math.max(0, values[j]! - mean - options.edge * edge)",
      to: "Math.max(0, values[j]! - mean)",
      breaks: "Eigenvalues are cut by the edge of the noise.",
    },
  ],
  "families/prior/strength/strength-vote.ts": [
    {
      from: 'curator === "untrusted") return undefined;',
      to: 'curator === "trusted") return undefined;',
      breaks: "Votes are not shown to an untrusted curator.",
    },
  ],
  "families/projected/halves.ts": [
    {
      from: "[{ ...of, clip }]",
      to: "[{ ...of, clip: clip / 2 }]",
      breaks: "Noise is calibrated to the clip that uploads are held to.",
    },
  ],
  "families/projected/participants.ts": [
    {
      from: "records ?? exposed,",
      to: "exposed,",
      breaks: "Against an untrusted curator projected uploads carry record noise.",
    },
  ],
  "families/projected/projected-tasks.ts": [
    {
      from: "const parts = local ? 2 : 1;",
      to: "const parts = 1;",
      breaks: "The step of two parts is half as long.",
    },
  ],
  "families/projected/selection.ts": [
    {
      from: 'options.initial === "single-task"\n        ? own\n        : placeModels',
      to: "placeModels",
      breaks: "Held-out rows have not made the model that they score.",
    },
  ],
  "options/check-feature-bound.ts": [
    {
      from: "if (row < tasks.size) throw",
      to: "if (row < tasks.size - 1) throw",
      breaks: "Every row of a private fit is held to the declared bound, the last one too.",
    },
  ],
  "families/projected/options.ts": [
    {
      from: "Math.sqrt(featureBound * featureBound + 1)",
      to: "featureBound",
      breaks: "The public smoothness includes the intercept.",
    },
  ],
  "families/record-level/clipped-slopes.ts": [
    {
      from: "Math.abs(slope) <= bound ? y[j]! : p[j]! - Math.sign(slope) * bound;",
      to: "y[j]!;",
      breaks: "Slopes of the squared loss are clipped.",
    },
  ],
  "families/record-level/solve-to-distance.ts": [
    {
      from: "- math.log(strongConvexity) -",
      to: "- 40 -",
      breaks: "A solution is near for weak convexity, too.",
    },
    {
      from: "const smoothness = knownSmoothness(tasks, strongConvexity, problem);",
      to: "const smoothness = Math.max(...tasks.smoothness()) + strongConvexity;",
      breaks: "A record of one task moves no other task's own solution.",
    },
  ],
  "families/record-level/release-plan.ts": [
    {
      from: 'slopeBound === "data" ? { ...plan, ledger: { ...plan.ledger, nominal: true } } : plan;',
      to: "plan;",
      breaks: "A ledger whose noise is scaled to the data says that its charges are nominal.",
    },
    {
      from: "groupSize: mostRows }",
      to: "groupSize: 1 }",
      breaks: "A promise for a record is lifted to the largest task.",
    },
  ],
  "families/record-level/guarantee.ts": [
    {
      from: "...withoutClaims(lifted),",
      to: "...lifted,",
      breaks: "Nothing is said to follow from figures that nothing proves.",
    },
  ],
  "families/record-level/rounds.ts": [
    {
      from: "shared[j]! /= this.parts",
      to: "shared[j]! /= 1",
      breaks: "The average of the models is released.",
    },
  ],
  "families/record-level/fallback.ts": [
    {
      from: "given[all]! - part * (whole[all]! - own[at]!)",
      to: "given[all]!",
      breaks: "A task judges the release without its own held-out rows.",
    },
  ],
  "families/subspace/exchange.ts": [
    {
      from: "a === b ? value : value * Math.SQRT2",
      to: "value",
      breaks: "A packed matrix has its Frobenius norm.",
    },
  ],
  "families/subspace/plan.ts": [
    {
      from: "const perRound = (1 - START) / options.rounds;",
      to: "const perRound = 1 / options.rounds;",
      breaks: "All releases together take the whole budget.",
    },
  ],
  "families/subspace/size-quantile.ts": [
    {
      from: "if (part >= CLIP_QUANTILE * counted)",
      to: "if (part >= counted)",
      breaks: "The clip is a quantile of the sizes.",
    },
  ],
  "families/subspace/spectrum.ts": [
    {
      from: "values[k]! - median > edge",
      to: "values[k]! - median > 0",
      breaks: "Only directions that stand out of noise are taken.",
    },
  ],
  "families/subspace/step.ts": [
    {
      from: "const kept = square > noise ? 1 - noise / square : 0;",
      to: "const kept = 1;",
      breaks: "A step is shrunk by what is noise of it.",
    },
  ],
  "families/subspace/task-gradients.ts": [
    {
      from: "task.freedom <= k ||",
      to: "task.freedom < k ||",
      breaks: "A gradient needs more rows than coefficients.",
    },
  ],
  "tuning/select-privately.ts": [
    {
      from: 'charge("run", plans[index]!);',
      to: "",
      breaks: "Where all candidates run, each is charged.",
    },
    {
      from: "() => randomBits(stream)",
      to: "() => 1n << 63n",
      breaks: "Nobody knows beforehand how many runs a selection makes.",
    },
    { from: "noisy > best.score", to: "noisy < best.score", breaks: "The best run is chosen." },
  ],
  "tuning/selection-budget.ts": [
    {
      from: "clip: 1 / 2, adjacency",
      to: "clip: 1 / 4, adjacency",
      breaks: "The score's noise is calibrated to one task's score.",
    },
  ],
  "tuning/held-out.ts": [
    {
      from: "if (error instanceof DataError) return undefined;",
      to: "if (error instanceof TypeError) return undefined;",
      breaks: "No task's rows end a private selection after its releases.",
    },
  ],
  "local-selection/fallback.ts": [
    {
      from: "if (!Number.isFinite(a) && Number.isFinite(b)) {",
      to: "if (a === 0 && b < 0) {",
      breaks: "A task falls back from a model that loses more than can be counted.",
    },
  ],
  "local-selection/private-selection.ts": [
    {
      from: "const deviation = noiseScaleAt(stage, 1);",
      to: "const deviation = 0;",
      breaks: "Noise does not choose far from the default.",
    },
  ],
});
