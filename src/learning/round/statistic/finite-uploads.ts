/**
 * What the curator makes of uploads that are no numbers before it sums them where noise is added: nothing.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";

/**
 * Rows of V[m,n] with NaN or an infinity in them become 0, in place, as where uploads come over a network (`clipRows`): a sum
 * with such a row in it is no number, which noise on a grid takes for 0, so that one task would erase what all others had added.
 * Allocates nothing unless there is such a row.
 */
export function zeroNonFinite({ kernels, arena }: Core, rows: Pointer, m: number, n: number): void {
  if (kernels.firstNonFinite(rows, m * n) === m * n) return;
  for (let row = rows; row < rows + 8 * m * n; row += 8 * n) {
    if (kernels.firstNonFinite(row, n) < n) arena.view(row, n).fill(0);
  }
}
