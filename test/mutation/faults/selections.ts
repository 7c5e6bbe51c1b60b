/**
 * Private selection: the number of runs, and their budget.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = faultsIn("src/privacy", {
  "selection/draw-repetitions.ts": [
    {
      from: "(a + b - 1n) / b;",
      to: "a / b;",
      breaks: "Bounds of probabilities are rounded outwards.",
    },
    {
      from: "if (from < sum.high) return undefined;",
      to: "if (from < sum.low) return undefined;",
      breaks: "Bits that leave the number of runs open do not decide it.",
    },
  ],
  "selection/repetitions.ts": [
    {
      from: "return (1 - gamma) / (gamma * ratio);",
      to: "return 1 / (gamma * ratio);",
      breaks: "The mean number of runs is that of the law.",
    },
  ],
  "selection/selection-budget.ts": [
    {
      from: "plans: [...distinct.values()], adjacency })];",
      to: "plans: [...distinct.values()].slice(0, 1), adjacency })];",
      breaks: "A selection is accounted with every candidate's releases.",
    },
  ],
  "selection/selection-event.ts": [
    {
      from: "if (!Number.isInteger(count) || count < 1) {",
      to: "if (!Number.isInteger(count)) {",
      breaks: "A run's releases are counted.",
    },
  ],
});
