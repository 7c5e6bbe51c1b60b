/**
 * Pooled figures of a solution W: rank, nonzero rows, norm.
 * @module
 */
import { ConvergenceError, withCore } from "../../core/index.js";
import { notDecomposed } from "../../linalg/not-decomposed.js";

/** Relative size below which a singular value or a row counts as zero. */
const NEGLIGIBLE = 1e-9;

/**
 * @param weights W, [m, d], row i is task i.
 * @param perFeature entries of a row that belong to one feature, side by side.
 * @returns numerical rank, features with a nonzero row of W (columns here), Frobenius norm.
 * @throws ConvergenceError if the fit ran away, so that a weight is none that numbers hold, or W cannot be decomposed.
 */
export function weightFigures(
  weights: Float64Array,
  m: number,
  d: number,
  perFeature: number,
): { rank: number; nonzeroRows: number; weightsNorm: number } {
  // One task may run away without stopping the others' fit, or showing in what is released.
  if (!weights.every(Number.isFinite)) {
    throw new ConvergenceError(
      "the weights of a task grew beyond what numbers hold: the fit ran away; look for wrong values in the tasks' data, leave " +
        "stepSize out or make it smaller, or scale the features and the target (ranges)",
    );
  }
  return withCore(({ arena, kernels }) => {
    const v = arena.copyOf(weights);
    const squares = arena.f64(d);
    kernels.columnSquares(v, squares, m, d);
    const columns = arena.view(squares, d);
    const rows = Float64Array.from({ length: d / perFeature }, (_, j) =>
      Math.sqrt(columns.subarray(j * perFeature, (j + 1) * perFeature).reduce((a, b) => a + b)),
    );
    const largest = rows.reduce((a, b) => Math.max(a, b));
    const nonzeroRows = rows.filter((norm) => norm > NEGLIGIBLE * largest).length;
    const r = Math.min(m, d);
    const [u, s, w] = [arena.f64(m * r), arena.f64(r), arena.f64(d * r)];
    const work = arena.bytes(kernels.svdWorkspace(m, d));
    if (kernels.svd(v, u, s, w, m, d, work) !== 0) {
      throw notDecomposed("the tasks' models together");
    }
    const values = arena.view(s, r);
    const rank = values.filter((value) => value > NEGLIGIBLE * values[0]!).length;
    return { rank, nonzeroRows, weightsNorm: norm(values) };
  });
}

/** Euclidean norm of descending values >= 0, without overflow. */
function norm(values: Float64Array): number {
  const top = values[0]!;
  if (!(top > 0)) return Math.abs(top);
  return top * Math.sqrt(values.reduce((sum, value) => sum + (value / top) ** 2, 0));
}
