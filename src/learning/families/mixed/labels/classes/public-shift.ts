/**
 * What classes' lines against the rest miss of a softmax where the released effects have tasks in the mean: later scores of the effects are asked
 * there, and so lead to a softmax's. Of releases and public sizes alone.
 * @module
 */
import { PROBIT } from "../effects/logistic-attenuation.js";
import { missedOf } from "./missed.js";

/** What is added to x . w at every row, [n], for rows [n, d] with the constant last. */
export type RowShift = (x: Float64Array, n: number) => Float64Array;

/** Where a class's models lie: mean and standard deviations, [d] each. */
export interface ClassLine {
  readonly effects: Float64Array;
  readonly scales: Float64Array;
}

/** The shift of one class's rows by the lines of all. */
export function publicShift(lines: readonly ClassLine[], label: number): RowShift {
  const d = lines[0]!.effects.length;
  return (x, n) => {
    const shift = new Float64Array(n);
    for (let row = 0; row < n; row++) {
      const at = x.subarray(row * d, (row + 1) * d);
      shift[row] = missedOf(
        lines.map((line) => meanLogOdds(line, at)),
        label,
      );
    }
    return shift;
  };
}

/** Log-odds of a row's mean probability over the tasks, nearly (Zeger, Liang and Albert 1988). */
function meanLogOdds({ effects, scales }: ClassLine, x: Float64Array): number {
  let [odds, inflation] = [0, 1];
  effects.forEach((effect, j) => {
    odds += effect * x[j]!;
    inflation += PROBIT * (scales[j]! * x[j]!) ** 2;
  });
  return odds / Math.sqrt(inflation);
}
