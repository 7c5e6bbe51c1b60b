/**
 * What a budget can buy and what it promises little of, said from public sizes before any of it is spent.
 * @module
 */
import { object } from "../../core/checks.js";
import { counted } from "../../core/messages/counted.js";
import { gaussianMu, readDelta, resolveDelta, type DeltaChoice } from "../../privacy/index.js";
import type { LossName } from "../tasks/losses.js";
import { expectedShare } from "./expected-share.js";
import { everyTaskScales, undeclaredShare } from "./undeclared-share.js";

/** From here on a guarantee leaves an attacker nearly sure. */
const LARGE_EPSILON = 10;

/** Below it a share is not worth a release. */
const LEAST = { numbers: 0.1, twoClasses: 0.005, severalClasses: 0.03 } as const;

/**
 * The expected share below which noise is all that a release would give. Of two classes models are hardly worse for their noise, as a
 * part of each is learned alone: on 73 tables `auto` did best where it released whenever anything is promised at all. Of several,
 * some lose where less is promised.
 */
export const leastShare = (classes = 0): number =>
  classes < 2 ? LEAST.numbers : classes === 2 ? LEAST.twoClasses : LEAST.severalClasses;

/** Public sizes and the budget. */
export interface BudgetFacts {
  /** Number of tasks. */
  readonly m: number;
  /** Number of features, without the constant. */
  readonly d: number;
  /** Classes of the target, where it has some: labels tell less than numbers, and more than two classes share the budget. */
  readonly classes?: number | undefined;
  /** Rows of a task, in the mean, which matter to labels; default 4, as few have. */
  readonly rowsPerTask?: number | undefined;
  /** Columns whose range nobody declared, a target of numbers as one of them; default none. Learning their sizes takes a part of the budget. */
  readonly undeclared?: number | undefined;
  /** Whether the fit takes undeclared columns as they are, so that the figure is of a fit that it is not; default false. */
  readonly columnsAsTheyAre?: boolean | undefined;
  /** The budget, epsilon > 0. */
  readonly epsilon: number;
  /** Its delta, in [0, 1); "auto" or "papers": by the number of tasks. */
  readonly delta: DeltaChoice;
}

/** What there is to say beforehand. */
export interface Prospects {
  /**
   * Expected share of what learning together without noise would gain on learning alone, 0 to 1, by simulations of the
   * mixed model; null for delta 0, whose noise is of another kind.
   */
  readonly share: number | null;
  /** The same as a sentence. */
  readonly expectation: string | null;
  /** What to think about before the budget is spent, each a sentence; none is usual. */
  readonly warnings: readonly string[];
}

/**
 * What to expect of a private fit at these sizes; nothing is read or spent for it.
 * @throws OptionError for `"papers"` below three tasks; RangeError for a number that is none of its kind.
 * @example prospectsOf({ m: 3, d: 5, epsilon: 1, delta: "auto" }).share // 0
 */
export function prospectsOf(facts: BudgetFacts): Prospects {
  const { m, d, classes, undeclared = 0, columnsAsTheyAre = false } = object("facts", facts);
  const { epsilon, delta } = facts;
  const known = resolveDelta(delta, m);
  const declared = known > 0 ? shareOf(facts, known, 0) : null;
  const share = known > 0 ? shareOf(facts, known, undeclared) : null;
  const several = classes !== undefined && classes >= 2 ? ` and ${classes} classes` : "";
  const sizes = `at ${counted(m, "task")}${several ? "," : " and"} ${counted(d, "feature")}${several}`;
  const open =
    undeclared > 0 ? `, with ${counted(undeclared, "column")} that nobody declared,` : "";
  const expectation =
    share === null
      ? null
      : `${sizes}${open} this budget is expected to buy about ${Math.round(100 * share)} % of what learning together ` +
        `without noise would gain on learning alone (a mixed model${columnsAsTheyAre ? " whose columns have declared ranges, as these have not" : ""}; simulations)`;
  // Undeclared columns have a remedy of their own.
  const nothing =
    declared !== null && declared < leastShare(classes)
      ? [
          `${sizes} a task-level epsilon of ${epsilon} buys next to nothing: the noise that hides one task drowns what all ` +
            "have in common, and every task would keep its own model. More tasks, fewer features or a larger epsilon " +
            "change that",
        ]
      : [];
  const large =
    epsilon >= LARGE_EPSILON
      ? [
          `epsilon ${LARGE_EPSILON} or more: an attacker may come to be nearly sure of a task; below 3 is usual`,
        ]
      : [];
  const { remark } = readDelta(known, m);
  return {
    share,
    expectation,
    warnings: [...nothing, ...large, ...(remark === undefined ? [] : [remark])],
  };
}

const lossOf = (classes = 0): LossName =>
  classes < 2 ? "squared" : classes === 2 ? "logistic" : "softmax";

/** The share with so many columns to learn the size of; 0 where that is too many. */
function shareOf(facts: BudgetFacts, delta: number, columns: number): number {
  const { m, d, classes, rowsPerTask, epsilon } = facts;
  const sizes = { mu: gaussianMu(epsilon, delta), m, d, classes, rowsPerTask };
  const loss = lossOf(classes);
  if (columns === 0) return expectedShare(sizes);
  const undeclared = { ...sizes, columns, loss, least: leastShare(classes) };
  // The target is one of them.
  if (everyTaskScales(columns - 1, undeclared)) return expectedShare(sizes);
  return undeclaredShare(undeclared)?.share ?? 0;
}
