/**
 * What the private fits of an evaluation tell that no budget paid for: decisions on columns by all tasks' rows.
 * @module
 */
import { gathered } from "../../fitted/guarantee-text.js";
import type { CellResult } from "../cells/cell.js";

/** In words, of all fits together, each once; of older results, which do not say, nothing. */
export function learnedIn(cells: readonly Pick<CellResult, "guarantee">[]): readonly string[] {
  return gathered([...new Set(cells.flatMap(({ guarantee }) => guarantee?.learned ?? []))]);
}
