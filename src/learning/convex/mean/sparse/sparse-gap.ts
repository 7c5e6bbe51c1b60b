/**
 * The duality gap of `DenseMean` for tasks with sparse rows: slopes, gradients and their corrections of every task lie in the
 * columns that it uses, since its rows, centred or not, are 0 in the others.
 *
 * The system of all rows is solved by conjugate gradients; slopes of the logistic loss that this leaves beyond the ends of
 * their range, as where all rows of a column have one label, are set to the ends. The bound holds if what the gradients' sum
 * is off 0 by then is no more than their rounding: else there is no bound.
 * @module
 */
import { largest } from "../../../../core/largest.js";
import { dot, sum } from "../../../../linalg/dot.js";
import { norm } from "../../../../linalg/norm.js";
import type { Gap } from "../../certificates/duality-gap.js";
import { conjugateGradients, type System } from "../conjugate-gradients.js";
import type { SparseAsked } from "./sparse-asked.js";
import { SPARSE_ASK } from "./sparse-questions.js";
import { SPARSE_SUMS } from "./sparse-totals.js";

/** Of the gradients' sizes summed over tasks: what their sum may be off 0, and what is aimed at. */
const ROUNDING = 1e-13;
const AIM = 3e-14;

/**
 * The gap at the tasks' present models; moves their intercepts to the minimisers given the weights.
 * @param squares sum_i X_i^T S_i X_i v, [d], for v[d]. @param diagonal about that of the sum.
 */
export async function sparseGap(
  tasks: SparseAsked,
  squares: System["times"],
  diagonal: Float64Array,
): Promise<Gap> {
  const { m, d, lambda } = tasks;
  const [losses, apart, slopes, steepest, farthest] = await tasks.ask(SPARSE_ASK.gap);
  const [gradient, slope] = [largest(steepest!), largest(farthest!)];
  const [total, sizes, differences] = await tasks.sums({
    kind: SPARSE_SUMS.gradients,
    bounds: [gradient, gradient, slope],
  });
  const mean = differences!.map((entry) => entry / m);
  const objective = sum(losses!) + lambda * (sum(apart!) - m * dot(mean, mean));

  const size = norm(sizes!);
  const system = { times: squares, b: total!, distance: AIM * size, most: 10 * d, diagonal };
  const { x: v, residual } = await conjugateGradients(system);
  const [duals, prices, changed, corrected] = await tasks.ask(SPARSE_ASK.correct, v);
  const [moved, left] = await tasks.sums({
    kind: SPARSE_SUMS.corrected,
    bounds: [largest(changed!), largest(corrected!)],
  });
  const off = left!.map((entry) => entry / m);
  const price = (sum(prices!) - m * dot(off, off)) / (4 * lambda);
  const isBound = residual + norm(moved!) <= ROUNDING * size;
  const bound = isBound ? Math.max(0, sum(duals!) - price) : 0;
  const relative = objective === 0 ? 0 : Math.max(0, (objective - bound) / objective);
  return { objective, relative, interceptResidual: largest(slopes!) };
}
