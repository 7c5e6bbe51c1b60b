/**
 * From protecting one record to protecting all n records of a task.
 *
 * **Statement.** A mechanism that is (eps, delta)-DP for one changed record is
 * (n eps, n e^(n eps) delta)-DP for n changed records.
 *
 * **Proof.** Change the records one after another: P0(S) <= e^eps P1(S) + delta <= ... <=
 * e^(n eps) Pn(S) + delta sum_{k<n} e^(k eps), and the sum is at most n e^((n-1) eps) (Dwork and Roth
 * 2014, Theorem 2.2; Liang et al., Proposition 3). QED
 * @module
 */
import * as math from "../core/elementary.js";
import { integer, nonNegative, object, positive } from "../core/checks.js";
import { decimalAbove, roundUp } from "./accounting/rounding.js";
import { attackerGain } from "./guarantee/gaussian-summary.js";
import { statedPair } from "./guarantee/stated-pair.js";
import type { Guarantee } from "./guarantee/guarantee.js";
import { liftedNeighbours } from "./guarantee/guarantee-words.js";

/** A budget (epsilon, delta). */
export interface GroupBudget {
  /** Its eps, >= 0. */
  readonly epsilon: number;
  /** The delta that goes with it; above 1 it promises nothing. */
  readonly delta: number;
}

/** Relative reduction that covers the rounding of dividing, of multiplying again and of rounding up. */
const MARGIN = 1e-12;
const SMALLEST = 1e-290;

/**
 * The budget for one record, (eps / n, delta / (n e^eps)), whose lift to n records stays within
 * (eps, delta).
 *
 * @param budget    of a task: (eps, delta).
 * @param groupSize n, the most records that one task has; public.
 * @throws RangeError or TypeError unless epsilon > 0, 0 <= delta < 1 and `groupSize` is an integer >= 1.
 */
export function recordBudget(budget: GroupBudget, groupSize: number): GroupBudget {
  const { epsilon, delta } = object("budget", budget);
  positive("epsilon", epsilon);
  nonNegative("delta", delta);
  if (delta >= 1) throw new RangeError("delta: expected delta < 1");
  const n = integer("groupSize", groupSize, 1);
  const record = (delta / n) * math.exp(-epsilon) * (1 - MARGIN);
  return {
    epsilon: (epsilon / n) * (1 - MARGIN),
    // Below the normal range a product no longer rounds relative to its size.
    delta: record > SMALLEST ? record : 0,
  };
}

/**
 * What (epsilon, delta)-DP of one record is for `groupSize` = n records together: (n eps, n e^(n eps) delta), rounded up.
 * A delta above 1 promises nothing.
 * @throws RangeError unless epsilon and delta are >= 0 (Infinity is) and `groupSize` is an integer >= 1.
 */
export function liftBudget(budget: GroupBudget, groupSize: number): GroupBudget {
  const { epsilon, delta } = statedPair("budget", budget);
  const n = integer("groupSize", groupSize, 1);
  const lifted = n === 1 ? epsilon : roundUp(n * epsilon);
  // Nothing lifted is nothing, also where e^(n eps) is beyond all numbers.
  return { epsilon: lifted, delta: delta === 0 ? 0 : roundUp(n * math.exp(lifted) * delta) };
}

/** Where versions before the field `groupSize` wrote n: in the note of a statement without figures of one record. */
const NOTED = /by group privacy, n = (\d+); the ledger is kept for one record/;

/** A statement from a file, unchecked. */
interface Lifted {
  readonly groupSize?: unknown;
  readonly record?: unknown;
  readonly note?: unknown;
}

/** n of a statement that was lifted to n records; undefined for other statements. */
export function groupSizeOf({ groupSize, record, note }: Lifted): number | undefined {
  const ofRecord = (record as Guarantee["record"])?.groupSize;
  const noted = typeof note === "string" ? NOTED.exec(note)?.[1] : undefined;
  const n = Number(groupSize ?? ofRecord ?? noted);
  return Number.isSafeInteger(n) && n >= 1 ? n : undefined;
}

/**
 * A guarantee about one record restated for a task of at most `groupSize` records.
 * @throws TypeError or RangeError without an epsilon and a delta >= 0 in it and in what it says is spent; as {@link liftBudget}.
 * @param apart whether no row depends on others of its task; if one does, single records are promised nothing.
 */
export function liftGuarantee(guarantee: Guarantee, groupSize: number, apart = true): Guarantee {
  const { epsilon, delta, spent, note } = statedPair("guarantee", guarantee);
  statedPair("guarantee.spent", spent);
  const one = apart
    ? `the mechanism protects one record with epsilon ${decimalAbove(epsilon, 4)}, delta ${decimalAbove(delta, 4)}; `
    : "rows were prepared with statistics of their task's rows, so single records are promised nothing of their own; ";
  const lifted =
    `${one}epsilon and delta here are its lift to all records of a task ` +
    `by group privacy, n = ${groupSize}; the ledger is kept for one record`;
  // The figures of one record say nothing of n; what an attacker gains follows from the lifted pair.
  const { gaussian: _, attacker, ...others } = guarantee;
  const whole = liftBudget({ epsilon, delta }, groupSize);
  return {
    ...others,
    ...whole,
    neighbours: liftedNeighbours(guarantee.adjacency),
    groupSize,
    ...(attacker ? { attacker: attackerGain(whole) } : {}),
    ...(apart ? { record: { epsilon, delta, groupSize } } : {}),
    spent: { ...spent, ...liftBudget(spent, groupSize) },
    note: note === undefined ? lifted : `${note}; ${lifted}`,
  };
}
