/**
 * Private selection: the number of runs, and their budget.
 * @module
 */
import { faultsIn } from "./fault.js";

const BUDGETS = faultsIn("src/privacy", {
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

const RUNS = faultsIn("src/learning/tuning", {
  "select-privately.ts": [
    {
      from: "if (!best || noisy > best.score) best = { model, chosen, score: noisy };",
      to: "const exact = { exact: utilities.reduce((sum, one) => sum + one, 0) };\n      if (!best || exact.exact > (best as unknown as typeof exact).exact) best = { model, chosen, score: noisy, ...exact };",
      breaks: "The best run is the best by noisy scores.",
    },
    {
      from: "best = { model, chosen, score: noisy };",
      to: "best = { model, chosen, score: noisy + 1e-9 * utilities[0]! };",
      breaks: "No score without noise is told.",
    },
    {
      from: "const said = [...new Set(sources)];",
      to: "const said = sources.slice(1, 2);",
      breaks: "A prior that the choice rests on is named, whichever candidate starts from it.",
    },
  ],
  "selection-setting.ts": [
    {
      from: "if (forms.size > 1) problems.push(",
      to: "if (forms.size > 2) problems.push(",
      breaks: "The noise that is stated is that of all runs the choice rests on.",
    },
  ],
});

export const FAULTS = [...BUDGETS, ...RUNS];
