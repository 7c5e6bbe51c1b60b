/**
 * The loop, its statistics, and the tasks' steps.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = faultsIn("src/learning", {
  "round/curator.ts": [
    {
      from: "round - first + 1",
      to: "round",
      breaks: "A rule counts the rounds of its own stage.",
    },
    {
      from: "privacy.perturb(this.#at, round);\n    return this.#answer(round);\n  }\n\n  /** Float64s",
      to: "return this.#answer(round);\n  }\n\n  /** Float64s",
      breaks: "A sum with noise shares is charged.",
    },
    {
      from: "i * (d + n)",
      to: "i * d",
      breaks: "A task's block is shown where its vector has it.",
    },
    {
      from: "core.arena.view(this.#at, d).set(given);",
      to: "core.arena.view(this.#at, d - 1).set(given.subarray(1));",
      breaks: "Blocks side by side are the sum.",
    },
  ],
  "round/statistic/finite-uploads.ts": [
    {
      from: "if (kernels.firstNonFinite(row, n) < n) arena.view(row, n).fill(0);",
      to: "",
      breaks: "One task's upload that is no number erases nobody else's.",
    },
  ],
  "round/participation.ts": [
    {
      from: "uniforms(this.#stream, marks.length).forEach((u, i) => (marks[i] = u < rate ? 1 : 0));",
      to: "uniforms(this.#stream, 1).forEach((u) => marks.fill(u < rate ? 1 : 0));",
      breaks: "Tasks are sampled independently.",
    },
    {
      from: "if (kept) marks.set(kept);",
      to: "",
      breaks: "What an earlier process drew stands.",
    },
  ],
  "round/allocated-rounds.ts": [
    {
      from: "if (drawn) this.#taken[i]! |= flag;",
      to: "",
      breaks: "Every task takes part in as many rounds as were charged.",
    },
    {
      from: "visit(i, block!, !fresh && (this.#taken[i]! & flag) !== 0);",
      to: "visit(i, block!, (this.#taken[i]! & flag) !== 0);",
      breaks: "Every task takes part in a round of every block.",
    },
  ],
  "round/statistic/any-order.ts": [
    {
      from: "const rounded = (term: number) => Math.round(term / step);",
      to: "const rounded = (term: number) => term / step;",
      breaks: "Terms are integers of the grid, so that every partial sum is exact.",
    },
    {
      from: "(shape.m + 1) * 2 ** -53",
      to: "(shape.m + 1) * 2 ** -50",
      breaks: "The error stays within what noise is calibrated to.",
    },
    {
      from: 'clip * clip + (name === "augmented-covariance" ? 1 : 0)',
      to: "clip * clip + 1",
      breaks: "No term is rounded up beyond its sensitivity, however small the bound.",
    },
  ],
  "round/statistic/robust-sum.ts": [
    {
      from: "if (count > size) for (let j = 0; j < d; j++) own[j]! *= size / count;",
      to: "",
      breaks: "A task of a larger group moves the median of means no more than one of a smaller.",
    },
    {
      from: "column.sort();",
      to: "",
      breaks: "What is left out of a trimmed mean is the smallest and the largest.",
    },
    {
      from: "return { groups: m, left, size: 1, divisor: m - 2 * left };",
      to: "return { groups: m, left, size: 1, divisor: m };",
      breaks: "A trimmed mean is divided by what is kept.",
    },
  ],
  "round/record-noise.ts": [
    {
      from: "streamNumber.recordNoise(round, positions[i]!)",
      to: "streamNumber.recordNoise(1, positions[i]!)",
      breaks: "Record noise is fresh in every round.",
    },
    {
      from: "(epsilon / rounds) * (1 - 1e-12 - rounds * 2 ** -46)",
      to: "epsilon * (1 - 1e-12 - rounds * 2 ** -46)",
      breaks: "All rounds share the records' epsilon.",
    },
    {
      from: "if (marks?.every((mark) => mark === 0)) return this.#nothing();",
      to: "",
      breaks: "Who takes no part pays nothing.",
    },
  ],
  "round/common-work.ts": [
    {
      from: "part < stretch.length",
      to: "part < stretch.length - length",
      breaks: "Every part of work that threads divide is in its sum.",
    },
  ],
  "round/release-plan.ts": [
    {
      from: "label === undefined ? rounds : 0",
      to: "rounds",
      breaks: "A choice among models is not a round of the method.",
    },
  ],
  "round/run.ts": [
    { from: "round === last);", to: "false);", breaks: "The last broadcast is taken as the last." },
  ],
  "round/statistic/statistic.ts": [
    {
      from: "to[(d + 1) ** 2 - 1] = m;",
      to: "to[(d + 1) ** 2 - 1] = 1;",
      breaks: "An augmented covariance counts its tasks.",
    },
  ],
  "round/statistic/task-tree.ts": [
    {
      from: "sum({ lo: middle, hi }, spare,",
      to: "sum({ lo, hi: middle }, spare,",
      breaks: "Both halves of a node are in its sum.",
    },
  ],
  "steps/momentum.ts": [
    {
      from: "(round - 1) / (round + 2)",
      to: "round / (round + 3)",
      breaks: "Momentum is (t - 1) / (t + 2).",
    },
  ],
  "steps/proximal-gradient.ts": [
    {
      from: "this.#upload = this.#isClipped && !options.clipIterate ?",
      to: "this.#upload = this.#isClipped ?",
      breaks: "The clipped model is projected, as in the papers.",
    },
    {
      from: "if (strongConvexity > 0) {",
      to: "if (strongConvexity > 1) {",
      breaks: "Strong convexity is part of the objective.",
    },
  ],
  "steps/initial-models.ts": [
    {
      from: "batch?.positions[i] ?? i",
      to: "i",
      breaks: "A task starts from its own row of the given models.",
    },
  ],
  "steps/line-search.ts": [
    {
      from: "reached <= value + ARMIJO * step * slope + rounding",
      to: "reached <= value + rounding + 1",
      breaks: "A step brings a decrease.",
    },
  ],
  "steps/local-rounds.ts": [
    {
      from: "this.#operatorsAt === lambda ? this.#operators : 0",
      to: "this.#operators",
      breaks: "Steps that are taken at once are of their own lambda.",
    },
  ],
  "steps/mini-batches.ts": [
    {
      from: "this.#used[task] = from + count;",
      to: "this.#used[task] = from;",
      breaks: "An epoch goes through all rows.",
    },
  ],
  "steps/minimize.ts": [
    {
      from: "kernels.axpy(-1, this.#gradient, y, size);",
      to: "",
      breaks: "A minimisation knows the curvature.",
    },
  ],
  "steps/projection.ts": [
    {
      from: "kernels.scaleColumns(coordinates, factors, coordinates, m, rank);",
      to: "",
      breaks: "A projection in factors is that of the matrix.",
    },
  ],
  "steps/task-steps.ts": [
    {
      from: "kernels.axpy(-lambda, global, this.#gradient, shared);",
      to: "",
      breaks: "Local steps are pulled to the shared model.",
    },
  ],
  "sharing/group-sparse.ts": [
    {
      from: "if (!(factor > 0)) return;",
      to: "",
      breaks: "The rank is that of the features that pass.",
    },
  ],
  "sharing/low-rank.ts": [
    {
      from: "kernels.shrinkFactors(squares, factors, d, thresholdNow(threshold));",
      to: "kernels.shrinkFactors(squares, factors, d, thresholdNow(threshold) / 2);",
      breaks: "The shared covariance is shrunk by the threshold.",
    },
  ],
  "sharing/spectral.ts": [
    {
      from: "inFactors && rank < d / 2",
      to: "rank < d / 2",
      breaks: "What is broadcast is the matrix, whatever its rank.",
    },
    {
      from: "? 0 : thresholdNow(threshold)",
      to: "? 0 : thresholdNow(threshold) / 2",
      breaks: "Without eigenvectors, too, the shared covariance is shrunk by the threshold.",
    },
  ],
  "sharing/tracked-directions.ts": [
    {
      from: "this.#steps === STEPS",
      to: "this.#steps > STEPS",
      breaks: "Directions orthogonal to those that are followed are found.",
    },
  ],
});
