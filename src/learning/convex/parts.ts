/**
 * Models that are a sum P + Q: the options of the two parts, and the parts in the fitted model.
 * @module
 */
import type { Core } from "../../core/index.js";
import type { Component } from "../fitted/model-state.js";
import type { ProximalGradient } from "../steps/proximal-gradient.js";
import { columnPenalty, frobeniusPenalty, l1Penalty } from "./penalties/local.js";
import type { LocalPenalty, MakePenalty } from "./penalties/penalty.js";
import { aWord } from "../options/kinds.js";
import { option, type OptionsOf } from "../options/option.js";

export const partOptions = {
  /** Of P: "trace" (default), ||P||_*, or "l21", sum over features of the row norms. */
  sharedPenalty: option(aWord(["trace", "l21"]), {
    group: "model",
    help: "Penalty of the shared part.",
    default: "trace",
  }),
  /**
   * Of Q: "l1" (default), ||Q||_1; "l12", sum over tasks of ||q_i||_2, for outlier tasks; or
   * "frobenius", ||Q||_F^2.
   */
  localPenalty: option(aWord(["l1", "l12", "frobenius"]), {
    group: "model",
    help: "Penalty of each task's own part.",
    default: "l1",
  }),
};

/** Remark 4's choices for the two parts of W = P + Q. */
export interface PartOptions extends OptionsOf<typeof partOptions> {}

const LOCAL = { l1: l1Penalty, l12: columnPenalty, frobenius: frobeniusPenalty } as const;

/** The penalty of Q. */
export function localPenaltyOf(
  { localPenalty }: PartOptions,
  lambda2: number,
): MakePenalty<LocalPenalty> {
  return LOCAL[localPenalty](lambda2);
}

/** P and Q of the last round, copied out of the core. */
export function partsOf(
  { m, uploadLength: d, output, localOutput }: ProximalGradient,
  { arena }: Core,
): Record<"shared" | "local", Component> {
  const part = (at: number) => ({ shape: [m, d], data: arena.view(at, m * d).slice() });
  return { shared: part(output), local: part(localOutput) };
}
