/**
 * Options that the record-level baselines share.
 * @module
 */
import { OptionError } from "../../../core/index.js";
import { commonOptions } from "../../options/common-options.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import {
  aBoolean,
  aLength,
  aPositive,
  aWord,
  aWordOr,
  type OptionKind,
} from "../../options/kinds.js";
import { option, type OptionDeclarations, type OptionsOf } from "../../options/option.js";
import {
  budgetOptions,
  featureBound,
  mechanismFor,
  type BudgetOptions,
} from "../../options/private-options.js";

const own = {
  /**
   * What epsilon and delta are of: "task" (default), all rows of a task, to which the guarantee of one record is lifted; "record", one
   * row of one task, for far less noise, against all who get the models. See docs/PRIVACY.md.
   */
  unit: option(aWord(["task", "record"]), {
    group: "privacy",
    help: "What the budget is of: all rows of a task, by the lift of one record's, or one record (row) of it.",
    default: "task",
  }),
  /** Weight of (lambda/2) ||W||_F^2, > 0; default 0.1. More of it means less noise. */
  lambda: option(aPositive, {
    group: "model",
    help: "Weight of the ridge penalty; more of it means less noise.",
    default: 0.1,
  }),
  /** B > 0, public bound on the l2 norm of every row; rows are held to it. Default 1. */
  featureBound,
  /**
   * G > 0, bound that |loss'| is clipped to for the squared loss, from public knowledge; default 1,
   * which the logistic loss keeps by itself. "data": the largest |loss'| at the solution, as the
   * papers do: not sound, for reproduction.
   */
  slopeBound: option(aWordOr(["data"], aLength), {
    group: "privacy",
    symbol: "G",
    help:
      "Public bound that the squared loss's slopes are clipped to; data: the largest at hand, which is not " +
      "sound.",
    default: 1,
  }),
  /**
   * Whether a task whose held-out rows are clearly better predicted by its own ridge model keeps that one;
   * default false: the published baselines, whose models protect a record from everyone. With it the
   * guarantee against the other tasks is the same, but a record is no longer protected from whoever
   * holds its own task's model.
   */
  safeguard: option(aBoolean, {
    group: "model",
    help: "Whether a task that clearly does better alone stays alone, with a model without noise.",
    default: false,
  }),
};

/** Options of {@link DpAggregation} and {@link DpTaskRelationship}. */
export interface RecordLevelOptions extends CommonOptions, BudgetOptions, OptionsOf<typeof own> {}

const noIntercept: OptionKind<boolean> = {
  ...aBoolean,
  expected:
    "false: an unpenalised intercept has no bounded sensitivity here; add a constant column",
  expectedText:
    "no: an unpenalised intercept has no bounded sensitivity here; add a constant column",
  accept: (value) => (value === false ? false : undefined),
};

export const recordLevelOptions: OptionDeclarations<RecordLevelOptions> = {
  ...commonOptions,
  intercept: option(noIntercept, {
    group: "model",
    help: "There is none: its sensitivity has no bound. Add a constant column.",
    default: false,
  }),
  ...budgetOptions,
  mechanism: mechanismFor(["vector"]),
  ...own,
};

/** @throws OptionError where the logistic loss is given a bound other than its own. */
export function checkSlopeBound(method: string, { loss, slopeBound }: RecordLevelOptions): void {
  if (loss === "squared" || slopeBound === 1) return;
  throw new OptionError(
    `${method}: slopeBound: the logistic loss has |loss'| <= 1 by itself; leave it at 1.`,
  );
}
