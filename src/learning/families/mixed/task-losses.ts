/**
 * What the rows of every task lose under the posterior means of its model, or, of several classes, of its models.
 * @module
 */
import { apply } from "../../../linalg/small-matrices.js";
import { againstRest } from "../../fitted/posterior/posterior-mixture.js";
import { lossAndSlopes } from "../../models/output-losses.js";
import type { LossName } from "../../tasks/losses.js";
import type { TaskRows } from "./spectra/task-spectrum.js";

/** Rows of m tasks, of d coordinates, perhaps with weights. */
interface WeightedRows extends TaskRows {
  readonly d: number;
  readonly m: number;
  readonly weights?: Float64Array | undefined;
}

/**
 * Means over the rows of every task, [m].
 * @param models [m, d], of C classes [m, C, d].
 */
export function taskLosses(
  loss: LossName,
  { x, y, offsets, d, m, weights }: WeightedRows,
  models: Float64Array,
): Float64Array<ArrayBuffer> {
  const losses = new Float64Array(m);
  const count = models.length / (m * d);
  for (let i = 0; i < m; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    const rows = x.subarray(from * d, to * d);
    const outputs = new Float64Array((to - from) * count);
    for (let c = 0; c < count; c++) {
      const ofClass = apply(rows, models.subarray((i * count + c) * d), to - from, d);
      for (let row = 0; row < ofClass.length; row++) {
        const z = ofClass[row]!;
        outputs[row * count + c] = count > 1 ? againstRest(z, count) : z;
      }
    }
    const own = weights?.subarray(from, to);
    const sum = lossAndSlopes(loss, outputs, y.subarray(from, to), count, own);
    losses[i] = sum / Math.max(to - from, 1);
  }
  return losses;
}
