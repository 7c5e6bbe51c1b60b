/**
 * Configurations in which tasks vote on columns, which chance seldom reaches: it takes more tasks and a larger budget.
 * @module
 */
import type { Configuration } from "./configurations.js";

/** What is changed of a configuration that was drawn. */
export type Change = (drawn: Configuration) => Pick<Configuration, "options" | "shape">;

/** Tasks that vote on columns of which nothing is declared. */
export const undeclared: Change = ({
  options: { intercept: _, publicPrior: __, ...options },
  shape,
}) => ({
  options: { ...options, loss: "squared", unit: "task", scale: "auto" },
  shape: {
    ...shape,
    declared: false,
    d: 1,
    rows: Array.from({ length: 9 }, (_, i) => shape.rows[i] ?? 2 + i),
  },
});

/** Tasks of labels that vote on columns, and compare what all have in common with what each learns alone in units of its own rows. */
export const ownUnits: Change = (drawn) => {
  const { options, shape } = undeclared(drawn);
  return {
    options: { ...options, loss: "logistic" },
    shape: { ...shape, d: 1 + (drawn.seed % 2) },
  };
};

/** A fourth of what is drawn for the mixed model has labels and votes; all else is as it was drawn. */
export function withVotes(drawn: Configuration): Configuration {
  if (drawn.method !== "mp-mixed" || drawn.seed % 4 !== 0) return drawn;
  const { options, shape } = ownUnits(drawn);
  const { taskEpsilons: _, ...others } = options;
  return { ...drawn, options: { ...others, epsilon: 100, delta: 0.1 }, shape };
}
