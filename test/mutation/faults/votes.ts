/**
 * Sizes that are learned by votes, and bounds on uploads that are.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = [
  ...faultsIn("src/learning/votes", {
    "clip-plan.ts": [
      {
        from: "if (part(NOISE.most) > PART.most) return undefined;",
        to: "",
        breaks: "Votes that would be lost in their noise cost nothing.",
      },
      {
        from: "(moved / gaussianMu(epsilon, delta)) ** 2",
        to: "moved / gaussianMu(epsilon, delta)",
        breaks: "Squares of budgets add up.",
      },
    ],
    "clip-rule.ts": [
      {
        from: "sizeAt(position + beyond * apart, CLIP_BINS)",
        to: "sizeAt(position, CLIP_BINS)",
        breaks: "So many sizes as a method says are beyond the bound over its factor.",
      },
    ],
    "clip-votes.ts": [
      {
        from: "size < Infinity ? magnitudePosition(size, CLIP_BINS) : NaN",
        to: "magnitudePosition(size, CLIP_BINS)",
        breaks: "What is no number has no vote.",
      },
    ],
    "election.ts": [
      {
        from: "(height * Math.abs(height)) / noise",
        to: "0",
        breaks: "Votes decide.",
      },
    ],
    "learning-clip.ts": [
      {
        from: "{ ...rounds, clip: 1 }",
        to: "{ ...rounds, clip: 2 }",
        breaks: "Uploads in units of the bound have norm 1.",
      },
    ],
    "size-votes.ts": [
      {
        from: "apart[b]! /= length;",
        to: "apart[b]! /= 1;",
        breaks: "A vote has norm 1.",
      },
    ],
  }),
  ...faultsIn("src/learning/round", {
    "learned-clip/learned-clip.ts": [
      {
        from: "if (!(value > 0 && value < Infinity)) {",
        to: "if (value < 0) {",
        breaks: "A broadcast that is no bound is refused.",
      },
    ],
    "learned-clip/unit-rule.ts": [
      {
        from: "? clip : clip ** 2",
        to: "? clip : clip",
        breaks: "Sums of products are in squares of the unit.",
      },
    ],
    "learned-clip/unit-uploads.ts": [
      {
        from: "kernels.clipRows(this.#uploads, this.#uploads, m, d, 1);",
        to: "",
        breaks: "An upload has norm 1 at most, whoever said what the bound is.",
      },
    ],
  }),
];
