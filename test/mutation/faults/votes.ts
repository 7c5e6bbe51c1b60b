/**
 * Sizes that are learned by votes.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = faultsIn("src/learning/votes", {
  "election.ts": [
    {
      from: "(h * Math.abs(h)) / noise",
      to: "0",
      breaks: "Votes decide.",
    },
  ],
  "size-votes.ts": [
    {
      from: "return bump.map((x) => x / length);",
      to: "return bump;",
      breaks: "A vote has norm 1.",
    },
  ],
});
