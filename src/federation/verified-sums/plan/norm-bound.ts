/**
 * The bound on the integers of one task's statistic that is proved of every report.
 *
 * The integers of a vector q, ||q|| <= R, are q itself, of norm at most R; its squares, of norm at most
 * R^2; or the upper triangle of q q^T, whose norm is at most the whole matrix's, R^2, and R^2 + a^2 of
 * [q; a][q; a]^T. So an honest report always holds it. A liar's integers are held to it too, but need not
 * be a product: a triangle of norm R^2 may stand for a matrix of norm sqrt(2) R^2.
 * @module
 */
import { object } from "../../../core/checks.js";
import type { AggregationGrid } from "../../secure-aggregation/integers/aggregation-grid.js";

/** A grid that is handed over. @throws TypeError for what is none. */
export function checkGrid(name: string, grid: AggregationGrid): AggregationGrid {
  object(`${name}.lattice`, object(name, grid).lattice);
  return grid;
}

/** The bound on the norm of a report's integers, in grid steps of the statistic. @throws TypeError for what is no grid. */
export function normBound(grid: AggregationGrid): bigint {
  const { statistic, lattice } = checkGrid("grid", grid);
  const radius = BigInt(lattice.radius);
  switch (statistic) {
    case "vector":
      return radius;
    case "augmented-covariance":
      return radius ** 2n + BigInt(lattice.one) ** 2n;
    default:
      return radius ** 2n;
  }
}
