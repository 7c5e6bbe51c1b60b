/**
 * Noise: its scale, its draw, what is left of it.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = faultsIn("src/privacy/mechanisms", {
  "catalogue.ts": [
    {
      from: '["poisson", "allocation"].includes(options.sampling.kind)',
      to: '["all"].includes(options.sampling.kind)',
      breaks: "A sampled mean is accounted with its sampling.",
    },
  ],
  "sampled-events.ts": [
    {
      from: "...new Array<PrivacyEvent>(rounds - 1).fill(PAID),",
      to: "",
      breaks: "Every round of an allocation has an event.",
    },
    {
      from: 'if (sampling.kind !== "allocation") return { event };',
      to: "if (sampling.kind !== undefined) return { event };",
      breaks: "An allocation is one release of all its rounds.",
    },
  ],
  "create.ts": [
    {
      from: 'if (delta === 0 && budgetKind === "mu") {',
      to: 'if (delta === 1 && budgetKind === "mu") {',
      breaks: "Gaussian noise is refused at delta 0.",
    },
  ],
  "diagonal.ts": [
    {
      from: "core.kernels.addLaplace(random.state, at, d, noiseScale(budget))",
      to: "core.kernels.addLaplace(random.state, at, d - 1, noiseScale(budget))",
      breaks: "Every entry has Laplace noise.",
    },
  ],
  "gaussian.ts": [
    {
      from: "core.kernels.addSymmetricNormal(random.state, at, n, noiseScale(budget))",
      to: "core.kernels.addSymmetricNormal(random.state, at, n, noiseScale(budget) / Math.SQRT2)",
      breaks: "Symmetric normal noise has the scale that is charged.",
    },
  ],
  "mechanism.ts": [
    {
      from: 'if (statistic === "augmented-covariance") return dimension + 1;',
      to: 'if (statistic === "augmented-covariance") return dimension;',
      breaks: "All of an augmented covariance has noise.",
    },
  ],
  "noise-law.ts": [
    {
      from: "const mean = (n + 1) * scale;",
      to: "const mean = n * scale;",
      breaks: "The one-sided Wishart noise has its own mean.",
    },
  ],
  "prefer-exact.ts": [
    {
      from: "if (error instanceof RangeError) return make(false);",
      to: "return make(false);",
      breaks: "Only a range falls back to floating point, no other error.",
    },
  ],
  "two-sided-wishart.ts": [
    {
      from: "arena.wipe(work, scratch - work + kernels.wishartWorkspace(n));",
      to: "void arena;",
      breaks: "No chunk of noise is left in memory.",
    },
  ],
  "unit.ts": [
    { from: "clip: 1,", to: "clip: 2,", breaks: "A mechanism named alone is at unit sensitivity." },
  ],
  "vector.ts": [
    {
      from: "requireCovered(sampling, adjacency);",
      to: "",
      breaks: "A sample that amplifies is refused under replace where the mechanism is made.",
    },
  ],
  "wishart.ts": [
    {
      from: "arena.wipe(work, sample + kernels.wishartWorkspace(d));",
      to: "void arena;",
      breaks: "No one-sided noise is left in memory.",
    },
  ],
});
