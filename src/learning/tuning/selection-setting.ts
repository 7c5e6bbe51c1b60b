/**
 * What a private selection is told, and what all its runs have in common. Refused is whatever no theorem covers.
 * @module
 */
import { OptionError, positive } from "../../core/index.js";
import { MECHANISM_NAMES, mechanismNamed } from "../../privacy/mechanisms/catalogue.js";
import {
  repetitionsOfMean,
  resolveDelta,
  type Adjacency,
  type DeltaChoice,
  type Repetitions,
} from "../../privacy/index.js";
import { checkRepetitions } from "../../privacy/selection/repetitions.js";
import type { RandomOptions } from "../../random/index.js";
import { methodNamed } from "../methods.js";
import type { Candidate } from "./candidates.js";

/** What `selectPrivately` is told. */
export interface PrivateSelectionOptions {
  /** The command line's name of a private method. */
  readonly method: string;
  /** Options that all candidates share, the total budget (`epsilon`, `delta`) among them. */
  readonly options: Candidate;
  /** At least two, from public knowledge: a documented range, never this data. */
  readonly candidates: readonly Candidate[];
  /**
   * The law of the number of runs, or "all": every candidate once, everything charged. "auto" (default):
   * all of up to four candidates, of more a geometric number of runs with a mean of ten.
   */
  readonly repetitions?: Repetitions | "all" | "auto";
  /** Share of every run's budget that its score takes, in (0, 1); default 0.15. */
  readonly scoreShare?: number;
  /** Folds of every task's utility score; default 5. */
  readonly folds?: number;
  /** Seed of the folds; default "0". It protects nothing and may be known. */
  readonly seed?: string;
  /** Figures that were computed from several tasks' data and not charged, in words, for the guarantee's list. */
  readonly notCharged?: readonly string[];
  /** Ends the selection, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What all runs have in common, checked. */
export interface SelectionSetting {
  readonly epsilon: number;
  readonly delta: number;
  readonly adjacency: Adjacency;
  readonly random: RandomOptions;
  readonly repetitions: Repetitions | "all";
  readonly share: number;
}

/** Up to so many candidates are cheaper charged one and all than drawn at random. */
const FEW = 4;
const MEAN = 10;

/** What "auto" stands for. */
function resolveRepetitions(
  asked: Repetitions | "all" | "auto",
  candidates: number,
): Repetitions | "all" {
  if (asked === "all") return asked;
  if (asked !== "auto") return checkRepetitions(asked);
  return candidates <= FEW ? "all" : repetitionsOfMean(1, MEAN);
}

/** What is asked that no theorem covers. */
function uncovered({ method, options, candidates }: PrivateSelectionOptions): string[] {
  const problems: string[] = [];
  const { privacy } = methodNamed(method);
  if (!privacy) problems.push(`${method} has no budget to choose under`);
  if (privacy?.unit === "record") {
    problems.push(`${method} protects one record; no theorem here covers its private selection`);
  }
  if ([options, ...candidates].some(({ unit = "task" }) => unit !== "task")) {
    problems.push("unit: votes and scores of a private selection hide tasks; expected unit task");
  }
  if (candidates.length < 2) {
    problems.push(`candidates: expected at least two, got ${candidates.length}`);
  }
  const unsound: unknown[] = MECHANISM_NAMES.filter((name) => !mechanismNamed(name).sound);
  for (const one of [options, ...candidates]) {
    if (unsound.includes(one["mechanism"])) {
      problems.push("mechanism: the one-sided Wishart noise gives no guarantee to select under");
    }
    if ((one["sampling"] as { kind?: string } | undefined)?.kind === "allocation") {
      problems.push(
        "sampling: with allocation a task's judgement of a run would draw its rounds again, which no account here covers",
      );
    }
    if (one["curator"] === "untrusted") {
      problems.push("curator: an untrusted curator would see the runs that must stay unseen");
    }
  }
  const fixed = ["epsilon", "delta", "adjacency", "random"];
  const varied = fixed.filter((name) => candidates.some((candidate) => name in candidate));
  if (varied.length > 0) problems.push(`candidates: ${varied.join(", ")} cannot be chosen`);
  // What is stated of the noise is stated of the choice, which rests on every run.
  const forms = new Set(candidates.map((one) => ({ ...options, ...one })["noise"] === "float"));
  if (forms.size > 1) problems.push("candidates: noise: expected float in all of them, or in none");
  return [...new Set(problems)];
}

/**
 * Fills the defaults in.
 * @param m number of tasks.
 * @throws OptionError naming everything that no theorem covers; RangeError for a share outside (0, 1).
 */
export function settingOf(selection: PrivateSelectionOptions, m: number): SelectionSetting {
  const { options, candidates } = selection;
  const problems = uncovered(selection);
  if (problems.length > 0) throw new OptionError(problems.join("; "));
  const share = positive("scoreShare", selection.scoreShare ?? 0.15);
  if (share >= 1) throw new RangeError(`scoreShare: expected 0 < scoreShare < 1, got ${share}`);
  return {
    epsilon: positive("epsilon", (options["epsilon"] as number | undefined) ?? 1),
    delta: resolveDelta((options["delta"] as DeltaChoice | undefined) ?? "auto", m),
    adjacency: (options["adjacency"] as Adjacency | undefined) ?? "replace",
    random: { ...((options["random"] as RandomOptions | undefined) ?? { mode: "secure" }) },
    repetitions: resolveRepetitions(selection.repetitions ?? "auto", candidates.length),
    share,
  };
}
