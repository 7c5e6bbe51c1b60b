/**
 * Privacy loss distributions: what is rounded, and to which side.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = faultsIn("src/privacy/accounting/pld", {
  "remembered.ts": [
    {
      from: "[bound, ...groups.map",
      to: "[...groups.map",
      breaks: "A figure is remembered for its own delta or epsilon only.",
    },
  ],
  "allocation/allocation-blocks.ts": [
    {
      from: "count: count * blocks,",
      to: "count,",
      breaks: "Every block of an allocation counts.",
    },
  ],
  "allocation/allocation-law.ts": [
    {
      from: "weakened: () => (weaker ??= boundedLaw(outcomesOf(s, sigma), direction)),",
      to: "weakened: undefined!,",
      breaks: "The lower bound comes from outcomes that the rounds decide.",
    },
  ],
  "allocation/allocation.ts": [
    {
      from: "lostQ: lost * (1 + error) + UNDERFLOW,",
      to: "lostQ: 0,",
      breaks: "What an allocation's grid does not hold counts the other way, too.",
    },
  ],
  "allocation/geometric-grid.ts": [
    {
      from: "(n - 1) + TAIL",
      to: "TAIL",
      breaks: "The grid of a sum holds its mean.",
    },
  ],
  "allocation/geometric-sum.ts": [
    {
      from: "out[k + 1] = out[k + 1]! + further;",
      to: "out[k] = out[k]! + further;",
      breaks: "A sum that is rounded up keeps its mean.",
    },
    {
      from: "mean[k] = mean[k]! + (xMean[i]! * other + own * yMean[i + shift]!);",
      to: "mean[k] = mean[k]! + xMean[i]! * other;",
      breaks: "An outcome has the means of both summands.",
    },
  ],
  "allocation/bounded-law.ts": [
    {
      from: "sorted(p.low, q.high, 1)",
      to: "sorted(p.high, q.low, 1)",
      breaks: "A lower bound takes the least of P and the most of Q.",
    },
  ],
  "circle.ts": [
    {
      from: "while (length < longest && (length - 2) * step",
      to: "while (length < longest && false && step",
      breaks: "A grid is as fine as the transform allows.",
    },
  ],
  "compose.ts": [
    {
      from: "logAbove: beyond,",
      to: "logAbove: -Infinity,",
      breaks: "Losses beyond the window count.",
    },
    {
      from: "logFinite += count * math.log1p(-grid.infinite);",
      to: "logFinite += math.log1p(-grid.infinite);",
      breaks: "An infinite loss may come in every round.",
    },
  ],
  "discretize.ts": [
    {
      from: "mass[0] = lowest.pBelow;",
      to: "mass[0] = 0;",
      breaks: "Mass below the grid is kept at its first point.",
    },
    {
      from: "return { start: first, mass, infinite: highest.pAbove };",
      to: "return { start: first, mass, infinite: law.infinite };",
      breaks: "Mass above the grid counts as an infinite loss.",
    },
  ],
  "fft.ts": [
    {
      from: "re[half] = a[0]! - b[0]!;",
      to: "re[half] = a[0]! + b[0]!;",
      breaks: "A spectrum has its own highest frequency.",
    },
  ],
  "laws.ts": [
    {
      from: "infinite: without ? -math.expm1(-b / 2) : 0,",
      to: "infinite: 0,",
      breaks: "A release that is impossible with the task is an infinite loss.",
    },
    {
      from: "weakened: (step) => pureLaw(step * Math.floor(epsilon / step)),",
      to: "weakened: (step) => pureLaw(step * Math.ceil(epsilon / step)),",
      breaks: "A lower bound comes from a weaker law.",
    },
    {
      from: '["subsampled-gaussian", "random-allocation", "wishart"].includes(event.kind)',
      to: '["subsampled-gaussian", "random-allocation"].includes(event.kind)',
      breaks: "One-sided Wishart releases are accounted in both directions.",
    },
  ],
  "merge.ts": [
    {
      from: "if (upper || strengths[i]! >= low) counts",
      to: "if (strengths[i]! >= low) counts",
      breaks: "No weak round is left out of an upper bound.",
    },
  ],
  "optimistic.ts": [
    {
      from: "excess: -lowest.pBelow * (1 + 16 * UNIT)",
      to: "excess: 0",
      breaks: "A lower bound drops what lies below its grid.",
    },
  ],
  "outline.ts": [
    {
      from: "const EXACT: Allowance = { margin: 18, truncation: 17, resolved: Infinity };",
      to: "const EXACT: Allowance = { margin: 1, truncation: 1, resolved: Infinity };",
      breaks: "Bounds are within their accuracy of the truth.",
    },
  ],
  "parts.ts": [
    {
      from: "return count * math.log1p(-infinite);",
      to: "return math.log1p(-infinite);",
      breaks: "An infinite loss may come in every round of a kind.",
    },
    {
      from: "(law.weakened?.(1) ?? law)",
      to: "law",
      breaks: "A lower bound counts no loss as infinite that only may be.",
    },
  ],
  "power.ts": [
    {
      from: "n > 0; n = Math.floor(n / 2)",
      to: "n > 1; n = Math.floor(n / 2)",
      breaks: "A power is taken to its last factor.",
    },
  ],
  "read.ts": [
    {
      from: "if (k >= loss.mass.length) return upper ? Math.min(1, rest) : rest;",
      to: "if (k >= loss.mass.length) return 0;",
      breaks: "Beyond the window delta is what was not resolved.",
    },
    {
      from: "if (Number.isNaN(total)) return upper ? 1 : 0;",
      to: "if (Number.isNaN(total)) return 0;",
      breaks: "A delta that is no number counts as 1.",
    },
  ],
  "sparse.ts": [
    {
      from: "if (j3 === n) j3 = 0;",
      to: "",
      breaks: "Losses that leave the circle come back at its start.",
    },
  ],
  "tail.ts": [
    {
      from: "logDelta = Math.max(estimate, -650);",
      to: "break;",
      breaks:
        "What counts as infinite is little beside delta, however small delta turns out to be.",
    },
  ],
  "tilt.ts": [
    {
      from: "variance += count * Math.max(0,",
      to: "variance += Math.max(0,",
      breaks: "The variance of all rounds sets the window.",
    },
  ],
  "two-steps.ts": [
    {
      from: "const greatest = sum(parts.length, (i) => parts[i]!.count * parts[i]!.law.supremum);",
      to: "const greatest = sum(parts.length, (i) => parts[i]!.law.supremum);",
      breaks: "The greatest loss is that of all rounds.",
    },
  ],
});
