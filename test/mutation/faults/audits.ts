/**
 * Audits: what they take for a proof.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = [
  ...faultsIn("src/learning/audit", {
    "other-self.ts": [
      {
        from: "other.receive(...what);",
        to: "",
        breaks: "What the canary would upload follows from the broadcasts that there were.",
      },
    ],
    "canary.ts": [
      {
        from: "{ cosine: -1, resized: false },",
        to: "{ cosine: 1, resized: false },",
        breaks: "Sums of vectors move most between opposite ones.",
      },
    ],
  }),
  ...faultsIn("src/privacy", {
    "events/adjacency.ts": [
      {
        from: 'oneOf(name, adjacency, ["replace", "zero-out"])',
        to: "adjacency",
        breaks: "A relation that is none is not taken for the one that costs less.",
      },
    ],
    "guarantee/stated-pair.ts": [
      {
        from: "epsilon >= 0 && delta >= 0",
        to: "epsilon >= 0",
        breaks: "What states no delta states nothing.",
      },
    ],
  }),
  ...faultsIn("src/privacy/audit", {
    "attacks.ts": [
      {
        from: "else this.#proofs += Math.sign(score);",
        to: "else this.#proofs += 0;",
        breaks: "An impossible release proves the other world.",
      },
    ],
    "clopper-pearson.ts": [
      {
        from: "bisect(low, { inside: 0, outside: 1 }, 1e-13).inside",
        to: "successes / trials + 0 * bisect(low, { inside: 0, outside: 1 }, 1e-13).inside",
        breaks: "A lower confidence bound is below what was counted.",
      },
    ],
    "linear-discriminant.ts": [
      {
        from: "trained,\n    present:",
        to: "trained: 0,\n    present:",
        breaks: "Trials that trained a distinguisher do not choose its threshold.",
      },
    ],
    "mechanism-trials.ts": [
      {
        from: "this.#takesPart(event) ? neighbours[world] : neighbours.neighbour",
        to: "neighbours[world]",
        breaks: "Under sampling a canary takes part with its rate.",
      },
    ],
    "neighbours.ts": [
      {
        from: "neighbour: axis(d, 0, replace ? -k : 0)",
        to: "neighbour: axis(d, 0, 0)",
        breaks: "The worst replacement of a vector is its opposite.",
      },
    ],
    "prove-loss.ts": [
      {
        from: "const alpha = (1 - confidence) / 2;",
        to: "const alpha = 1 - confidence;",
        breaks: "Both events share the error probability.",
      },
    ],
    "release-checks.ts": [
      {
        from: "else missing++;",
        to: "else missing += 0;",
        breaks: "A release without a charge is found.",
      },
    ],
    "wishart-density.ts": [
      {
        from: "if (!figures) return -Infinity;",
        to: "if (!figures) return 0;",
        breaks: "A release outside of the cone of the noise is impossible.",
      },
    ],
  }),
];
