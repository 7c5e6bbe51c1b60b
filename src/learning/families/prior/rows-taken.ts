/**
 * Which rows the methods whose broadcast is a prior take.
 * @module
 */
import type { RowsTaken } from "../../options/rows-taken.js";

export const priorTakes = (): RowsTaken => ({
  weights:
    "every task chooses the prior's strength by leaving out its rows, each of which counts as one",
  sparse: { madeDense: "every task solves systems of d x d numbers under the shared prior" },
});
