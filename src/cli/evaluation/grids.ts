/**
 * The ranges searched where the user gives none. `evaluate --settings` replaces them.
 * @module
 */
import type { Grid } from "../../learning/index.js";

const powers = (from: number, to: number, perDecade: number): number[] =>
  Array.from({ length: Math.round((to - from) * perDecade) + 1 }, (_, k) =>
    Number((10 ** (to - k / perDecade)).toPrecision(3)),
  );

/** By method; strongest penalty first, which the one-standard-error rule prefers. */
const GRIDS: Readonly<Record<string, Grid>> = {
  "single-task": { lambda: powers(-4, 0, 2) },
  "trace-norm": { lambda: powers(-3, 1, 2) },
  "group-sparse": { lambda: powers(-3, 1, 2) },
  "mean-regularized": { lambda: powers(-4, 0, 1) },
  "task-relationship": { lambda: powers(-4, -1, 1), lambda2: powers(-5, -2, 1) },
  "low-rank-sparse": { lambda: powers(-2, 1, 1), lambda2: powers(-2, 1, 1) },
  "mp-low-rank": { lambda: powers(-1.5, 0.5, 2) },
  "mp-group-sparse": { lambda: powers(-1.5, 0.5, 2) },
};

/** The documented range of a method; nothing to search where it has rules of its own. */
export function defaultGrid(method: string): Grid {
  return GRIDS[method] ?? {};
}
