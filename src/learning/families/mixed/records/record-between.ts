/**
 * How far the mean scores of tasks lie apart, with a sensitivity to one record that does not grow with a task.
 *
 * **Statement.** Task i of n rows has v = sum_j f_j / sqrt(n), f_j the row's residual times (1, scaled features) clipped to
 * norm c, 0 where its norm is beyond all numbers, and v clipped to norm g sqrt(n). It uploads (v_0^2, |v_1..|^2) / (2 g c). One
 * record replaced changes that by at most 2; one that contributes nothing, by at most 1.
 *
 * **Proof.** A record moves v by at most 2 c / sqrt(n) (c / sqrt(n)), and the projection onto the ball moves no two
 * points apart. On the ball v -> (v_0^2, |v_1..|^2) has derivatives 2 v_0 and 2 v_1.. on separate coordinates, so it is
 * Lipschitz with 2 g sqrt(n), and the ball is convex. QED
 * @module
 */
import type { TaskRows } from "../spectra/task-spectrum.js";

/** What everyone knows from earlier releases. */
export interface BetweenScale {
  /** Residuals are of these effects, [d]. */
  readonly effects: Float64Array;
  /** Factor of the features. */
  readonly features: number;
  /** c, and g. */
  readonly row: number;
  readonly task: number;
}

/** Pays for rounding: the divisor is that much larger. */
const ABOVE_ONE = 1 + 2 ** -20;

/** What the uploads are divided by. */
export const betweenUnit = ({ row, task }: BetweenScale) => 2 * row * task * ABOVE_ONE;

/** Uploads of all tasks, [m, 2]. */
export function betweenUploads({ x, y, offsets }: TaskRows, scale: BetweenScale): Float64Array {
  const { effects, features } = scale;
  const d = effects.length;
  const m = offsets.length - 1;
  const out = new Float64Array(2 * m);
  const [v, f] = [new Float64Array(d), new Float64Array(d)];
  for (let i = 0; i < m; i++) {
    const n = offsets[i + 1]! - offsets[i]!;
    v.fill(0);
    for (let row = offsets[i]!; row < offsets[i + 1]!; row++) {
      let residual = y[row]!;
      for (let k = 0; k < d; k++) residual -= x[row * d + k]! * effects[k]!;
      let square = residual * residual;
      f[0] = residual;
      for (let k = 0; k < d - 1; k++) {
        f[k + 1] = residual * features * x[row * d + k]!;
        square += f[k + 1]! * f[k + 1]!;
      }
      if (!(square > 0 && square < Infinity)) continue;
      const factor = Math.min(1, scale.row / Math.sqrt(square));
      for (let k = 0; k < d; k++) v[k]! += factor * f[k]!;
    }
    const squares = v.map((value) => (value * value) / Math.max(n, 1));
    const total = squares.reduce((sum, value) => sum + value, 0);
    const most = scale.task * scale.task * n;
    const part = total > most ? most / total : 1;
    out[2 * i] = (part * squares[0]!) / betweenUnit(scale);
    out[2 * i + 1] = (part * (total - squares[0]!)) / betweenUnit(scale);
  }
  return out;
}
