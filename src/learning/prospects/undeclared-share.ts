/**
 * What the mixed model is expected to keep where nobody declared how large some columns are, which it then has to learn for a part of
 * the budget, or cannot.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { LossName } from "../tasks/losses.js";
import { scalePlan, type ScalePlan } from "../families/mixed/undeclared/scale-plan.js";
import { expectedShare, UNKNOWN_ROWS, type ShareFacts } from "./expected-share.js";

/** Undeclared features of numbers from which it is asked whether every task had better scale its own. */
const MANY_FEATURES = 20;

/** Part of an expected share that differences within tasks reach: the median of 26, 18 and 18 raw tables at eps 0.3, 0.6 and 1. */
export const WITHIN = 0.6;

/** What is worth releasing still is, as those tables were better than learning alone where little is promised too. */
const withinTasks = (share: number, least: number) =>
  Math.max(WITHIN * share, Math.min(share, least));

/** Public sizes, and how many columns nobody declared, a target of numbers as one of them. */
export interface UndeclaredFacts extends ShareFacts {
  readonly columns: number;
  readonly loss: LossName;
  /** The share from which a release is worth its noise. */
  readonly least: number;
  /** Whether there is a public prior; default none. */
  readonly hasPrior?: boolean;
}

/** A share, and how the sizes of columns are learned. */
export interface UndeclaredShare {
  readonly share: number;
  readonly plan: ScalePlan;
}

/** The share; null where the sizes cannot be learned. With no such column it is `expectedShare`. */
export function undeclaredShare(facts: UndeclaredFacts): UndeclaredShare | null {
  const { columns, loss, least, hasPrior = false, ...sizes } = facts;
  const { mu, m, rowsPerTask: meanRows = UNKNOWN_ROWS } = sizes;
  try {
    const plan = scalePlan({ columns, m, meanRows, loss, hasPrior }, mu);
    const whole = expectedShare({ ...sizes, mu: mu * Math.sqrt(1 - plan.part) });
    return { share: plan.within ? withinTasks(whole, least) : whole, plan };
  } catch (error) {
    if (error instanceof OptionError) return null;
    throw error;
  }
}

/**
 * Whether every task had better scale its own features than that tasks vote on the size of so many: where the budget does not pay for all three votes
 * on each, or where a task has a row for every two features, so that its own model says much. On 15 tables of 30 raw columns the mixed model is 14 and
 * 21 % ahead of hierarchical learning at eps 3 and 10, on few of them where tasks have that many rows; on simulated tasks with models in a few directions it
 * is far behind from 15 rows on.
 * @param features how many of the undeclared columns are features.
 */
export function everyTaskScales(features: number, facts: UndeclaredFacts): boolean {
  const { loss, d, rowsPerTask = UNKNOWN_ROWS } = facts;
  if (loss !== "squared" || features < MANY_FEATURES) return false;
  return rowsPerTask >= d / 2 || (undeclaredShare(facts)?.plan.within ?? true);
}
