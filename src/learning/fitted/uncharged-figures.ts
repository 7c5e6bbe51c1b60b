/**
 * What a private fit lists under `guarantee.notCharged`: pooled figures, which nobody but the curator sees, and what was learned from several
 * tasks before, which columns, names and units of everything after tell of.
 * @module
 */
import type { FittedModelState } from "./model-state.js";

/** Pooled figures of a private fit that nobody but the curator should see. */
export const POOLED_FIGURES: readonly string[] = [
  "objective",
  "rank",
  "nonzeroRows",
  "weightsNorm",
  "train",
  "test",
];

/** What a fit with a journal lists: it is in the journal's first record and nowhere else. */
export const JOURNAL_DIGEST = "the journal's digest of all data";

/** Of a list of what was not charged, what is not for the curator only: it shows in what every task is given. */
export const learnedOf = (notCharged: readonly string[]): string[] =>
  notCharged.filter((what) => !POOLED_FIGURES.includes(what) && what !== JOURNAL_DIGEST);

/** The latter of a model; nothing of one that promises nothing. */
export const learnedWithoutCharge = ({
  guarantee,
}: Pick<FittedModelState, "guarantee">): readonly string[] =>
  guarantee.kind === "none" ? [] : learnedOf(guarantee.notCharged);
