/**
 * A spectral broadcast M = U diag(factors) U^T in factors, where its rank is low: 4 r d flops a task to apply instead of 2 d^2.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";

/** Where the parts of such a broadcast are: M[d, d], or U[d, rank]; then factors[d]; then the rank, or -1 of an M. */
const layout = (broadcast: Pointer, d: number) => ({
  factors: broadcast + 8 * d * d,
  rank: broadcast + 8 * d * (d + 1),
});

/** Float64s of one. */
export const factoredLength = (d: number): number => d * (d + 1) + 1;

/** Says that what was written at `broadcast` is U[d, rank], with factors[rank]. */
export function markFactored(
  { arena }: Core,
  broadcast: Pointer,
  d: number,
  { factors, rank }: { readonly factors: Pointer; readonly rank: number },
): void {
  const at = layout(broadcast, d);
  arena.view(at.factors, rank).set(arena.view(factors, rank));
  arena.view(at.rank, 1)[0] = rank;
}

/** Says that what was written at `broadcast` is M itself. */
export function markWhole({ arena }: Core, broadcast: Pointer, d: number): void {
  arena.view(layout(broadcast, d).rank, 1)[0] = -1;
}

/** The factors of a broadcast, and how many; undefined where it is M itself. */
export function readFactored(
  { arena }: Core,
  broadcast: Pointer,
  d: number,
): { readonly factors: Pointer; readonly rank: number } | undefined {
  const at = layout(broadcast, d);
  const rank = arena.view(at.rank, 1)[0]!;
  return rank < 0 ? undefined : { factors: at.factors, rank };
}
