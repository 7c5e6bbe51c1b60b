/**
 * Which columns of a plan nobody declared, and what its run does about them: everyone works it out of the plan and public sizes.
 * @module
 */
import { OptionError } from "../../../core/index.js";
import { declaredColumns } from "../../../data/schema/declared-encoding.js";
import { budgetOf } from "../../../learning/families/mixed/mixed-releases.js";
import { columnsToLearn, type MixedOptions } from "../../../learning/families/mixed/options.js";
import type { PublicSizes } from "../../../learning/round/halves.js";
import type { Plan } from "./plan-form.js";

/** Rows of a task, of which a plan knows nothing. */
export const UNKNOWN_ROWS = 10;

/** What says how columns are read. */
type Reading = Pick<Plan, "features" | "schema" | "normalize">;

/**
 * Positions of columns of whose size the plan says nothing, the number of features standing for the target: without a schema all.
 * They are those that `publicSizes` finds in tasks that were read by the plan.
 */
export function undeclaredColumns({ features, schema, normalize }: Reading): readonly number[] {
  const target = schema?.target;
  const open = target?.kind === "number" && target.range ? [] : [features.length];
  // Rows of length 1 are of a size that is known.
  if (normalize === "rows") return open;
  const columns = schema ? declaredColumns(schema) : [];
  const numbers = new Set<string>();
  const declared = new Set<string>();
  for (const { encoding, features: own } of columns) {
    for (const name of own) declared.add(name);
    // Of a number's features the first is its value.
    if (encoding.kind === "number" && !encoding.range) numbers.add(own[0]!);
  }
  const isOpen = (name: string) => !declared.has(name) || numbers.has(name);
  return [...features.flatMap((name, at) => (isOpen(name) ? [at] : [])), ...open];
}

/** Those whose size the run learns, by charged votes of all tasks. */
export function learnedColumns(plan: Reading & Pick<Plan, "options">): readonly number[] {
  const { options, features } = plan;
  if (options["scale"] !== "auto") return [];
  const sizes = { d: features.length, undeclared: undeclaredColumns(plan) };
  return columnsToLearn(sizes, options as unknown as MixedOptions);
}

/** What a run learns of columns' sizes. */
export interface LearnedScale {
  /** How many columns, the target as one of them. */
  readonly columns: number;
  /** Releases of votes. */
  readonly votes: number;
  /** Part of the budget, as mu^2. */
  readonly part: number;
  /** Whether of differences within tasks alone. */
  readonly within: boolean;
  /** Whether of these after all where the first votes leave open where columns lie. */
  readonly mayOpen: boolean;
}

/**
 * What a run of so many tasks learns, of {@link UNKNOWN_ROWS} rows each; undefined where nothing is to be learned.
 * @throws OptionError where all votes would be lost in their noise.
 */
export function learnedScale(plan: Plan, m: number): LearnedScale | undefined {
  if (learnedColumns(plan).length === 0) return undefined;
  const sizes: PublicSizes = {
    m,
    d: plan.features.length,
    rows: m * UNKNOWN_ROWS,
    mostRows: UNKNOWN_ROWS,
    undeclared: undeclaredColumns(plan),
  };
  const { columns, scale } = budgetOf(plan.options as unknown as MixedOptions, sizes);
  const { votes, part, within, openFrom } = scale;
  const mayOpen = openFrom !== undefined;
  return { columns: columns.length, votes: votes.length, part, within, mayOpen };
}

/** Whether so many tasks are too few to learn what nobody declared. */
export function tooFewToLearn(plan: Plan, m: number): boolean {
  try {
    learnedScale(plan, m);
    return false;
  } catch (error) {
    if (error instanceof OptionError) return true;
    throw error;
  }
}
