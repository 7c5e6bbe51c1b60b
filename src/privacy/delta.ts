/**
 * What a delta means for m tasks: the default, the papers', and in plain words what a large one permits.
 * @module
 */
import * as math from "../core/elementary.js";
import { integer, nonNegative } from "../core/checks.js";
import { OptionError } from "../core/errors.js";
import { decimalAbove } from "./accounting/rounding.js";

/** The largest default, however few tasks there are. */
const MOST_DEFAULT = 1e-5;
/** Above it a delta deserves a word, however many tasks there are. */
const REMARKABLE = 1e-3;

/**
 * A number in [0, 1), `"auto"` or `"papers"`.
 *
 * `"auto"` is min(1e-5, 1/m^2). A mechanism that shows one task in 1/delta whole meets any epsilon, so
 * delta times m bounds how many tasks may be shown, and 1/m is no protection (Dwork and Roth 2014, section
 * 2.3): with 1/m^2 the chance that *any* task of m is shown stays below 1/m, and with 1e-5 below 1 in 300
 * for the few tasks for which 1/m says little. It costs little: noise grows with sqrt(ln(1/delta)).
 *
 * `"papers"` is 1/(m ln m), the choice of Liang et al.; of m tasks, 1/ln m may be shown.
 */
export type DeltaChoice = number | "auto" | "papers";

/** A delta that can be asked for. @throws TypeError or RangeError unless it is a number in [0, 1). */
export function checkDelta(delta: number): number {
  if (nonNegative("delta", delta) < 1) return delta;
  throw new RangeError(`delta: expected 0 <= delta < 1, got ${delta}`);
}

/**
 * The delta of a choice.
 *
 * @param m tasks, public; m >= 3 for `"papers"`.
 * @throws RangeError if a number is outside [0, 1); OptionError for `"papers"` below three tasks.
 */
export function resolveDelta(choice: DeltaChoice, m: number): number {
  integer("m", m, 1);
  if (choice === "auto") return Math.min(MOST_DEFAULT, 1 / (m * m));
  if (choice === "papers") {
    if (m < 3) {
      throw new OptionError(
        `delta: "papers", 1/(m ln m), needs at least 3 tasks, found ${m}; use "auto", a number, or 0 for pure eps-DP.`,
      );
    }
    return 1 / (m * math.log(m));
  }
  return checkDelta(choice);
}

/** How a delta compares with the number of tasks. */
export interface DeltaReading {
  /** `"dangerous"` from 1/m on, `"noticeable"` above 1e-3, else `"small"`. */
  readonly level: "small" | "noticeable" | "dangerous";
  /** What it permits, for people; absent where it is small. */
  readonly remark?: string;
}

const NUMBERS = ["", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/**
 * Classifies a delta and says in plain words what it permits.
 *
 * @param m tasks, or records where `unit` says so.
 * @example readDelta(0.3035, 3).remark // "delta 0.3035 means that one task in three may be shown whole, ..."
 */
export function readDelta(
  delta: number,
  m: number,
  unit: "task" | "record" = "task",
): DeltaReading {
  integer("m", m, 1);
  const level = !(delta < 1 / m) ? "dangerous" : delta > REMARKABLE ? "noticeable" : "small";
  if (level === "small") return { level };
  // Rounded against ourselves: not more tasks than one in n.
  const n = Math.floor(1 / delta);
  const share = n >= 2 ? `one ${unit} in ${NUMBERS[n] ?? n}` : `every ${unit}`;
  const several =
    level === "dangerous" ? `; of ${m} ${unit}s that is ${Math.floor(m * delta)} on average` : "";
  return {
    level,
    remark:
      `delta ${decimalAbove(delta, 4)} means that ${share} may be shown whole, whatever epsilon says` +
      `${several}; choose a delta well below 1/m`,
  };
}
