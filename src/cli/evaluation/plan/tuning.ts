/**
 * How the methods of an evaluation are tuned, and what that costs.
 * @module
 */
import { isPrivateMethod, type Candidate } from "../../../learning/index.js";
import { findMethod } from "../../../learning/methods.js";
import type { Tuning } from "../cells/cell.js";
import type { Ranges } from "../../../learning/options/method.js";
import { gridCandidates, randomCandidates } from "../../tuning/ranges.js";
import { parseRepetitions } from "../../tuning/repetitions.js";

/** Values of `--tune`. */
export const TUNINGS = ["cv", "random", "private", "none"] as const;

/** What the command line says of tuning. */
export interface TuningValues {
  readonly tune: (typeof TUNINGS)[number];
  readonly trials: number | undefined;
  readonly folds: number;
  readonly oneStandardError: boolean;
  readonly repetitions: string;
  readonly scoreShare: number;
  readonly seed: string;
}

const DEFAULT_TRIALS = 20;

/** Whether private selection covers the method: one that protects whole tasks by its own ledger. */
function coversSelection(method: string): boolean {
  return findMethod(method)?.privacy?.unit === "task";
}

/** The candidates of a method, and how one is chosen; a single candidate is simply used. */
export function tuningOf(
  method: string,
  ranges: Ranges,
  values: TuningValues,
): { readonly tuning: Tuning; readonly fixed: Candidate } {
  const { tune, folds, oneStandardError, seed } = values;
  const trials = values.trials ?? DEFAULT_TRIALS;
  const drawn = tune === "random" || (tune === "private" && values.trials !== undefined);
  const untuned = { tuning: { kind: "none" }, fixed: {} } as const;
  if (tune === "none") return untuned;
  const candidates = drawn
    ? randomCandidates(ranges, trials, `${seed}/${method}`)
    : gridCandidates(ranges);
  if (candidates.length < 2) return { ...untuned, fixed: candidates[0] ?? {} };
  if (tune === "private" && isPrivateMethod(method)) {
    // What no theorem covers keeps its defaults: choosing without a charge is not what was asked for.
    if (!coversSelection(method)) return untuned;
    const repetitions = parseRepetitions(values.repetitions);
    const { scoreShare } = values;
    return { tuning: { kind: "private", candidates, folds, repetitions, scoreShare }, fixed: {} };
  }
  return { tuning: { kind: "cv", candidates, folds, oneStandardError }, fixed: {} };
}

/** How a cell's hyper-parameters were chosen. */
type TuningKind = "none" | "cv" | "private";

/** What an evaluation must say of its private methods' tuning. */
export function tuningNotes(
  cells: readonly { readonly method: string; readonly tuning: TuningKind }[],
  asked: unknown,
): { readonly notCharged: string[]; readonly charged: string[]; readonly untuned: string[] } {
  const methodsOf = (kind: TuningKind) => [
    ...new Set(
      cells
        .filter(({ method, tuning }) => isPrivateMethod(method) && tuning === kind)
        .map(({ method }) => method),
    ),
  ];
  const [cv, selected, none] = [methodsOf("cv"), methodsOf("private"), methodsOf("none")];
  return {
    notCharged:
      cv.length > 0
        ? [`hyper-parameters of ${cv.join(", ")}, chosen by cross-validation over all tasks`]
        : [],
    charged:
      selected.length > 0
        ? [`hyper-parameters of ${selected.join(", ")}, chosen by private selection`]
        : [],
    untuned:
      asked === "private" && none.length > 0
        ? [`${none.join(", ")}: defaults, as no theorem here covers their private selection`]
        : [],
  };
}
