/**
 * What all estimators are: the descriptor of their method, and options that were checked: defaults filled in, every bad
 * one named at once.
 * @module
 */
import { didYouMean, object, OptionError } from "../../core/index.js";
import { isObject } from "../../core/is-object.js";
import { meantWord } from "../../core/messages/nearest.js";
import { heldRows } from "../../data/checks/held-rows.js";
import { requireSquarableRows } from "../../data/checks/squarable-rows.js";
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import type { Estimator, FitOptions } from "../round/estimator.js";
import { checkHooks } from "../round/check-hooks.js";
import { heldInPrecision, type RowForm } from "../tasks/row-precision.js";
import type { MethodDescriptor } from "./method.js";
import type { CheckedOption } from "./option.js";
import { rowsFor, rowsTaken, type RowsTaken } from "./rows-taken.js";

/** An estimator with checked options. */
export abstract class ConfiguredEstimator<O extends object> implements Estimator {
  readonly method: string;
  /** Whether it takes rows with weights, and sparse ones. */
  readonly rowsTaken: RowsTaken;
  /** Whether its fits have a guarantee. No `#` field: audits fit objects that inherit from an estimator. */
  protected readonly isPrivate: boolean;
  /** Every option, with its default where none was given. */
  readonly options: O;

  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(method: MethodDescriptor<O>, options: Partial<O> | undefined) {
    this.method = method.name;
    this.options = checkOptions<O>(method.name, options, method.options);
    method.check?.(this.options);
    this.rowsTaken = rowsTaken(method, this.options);
    this.isPrivate = method.privacy !== null;
  }

  /**
   * The rows as the method works with them; of a private one features and targets are held to what sums can hold, 1e60, and features to
   * what the numbers can that they are kept in.
   * @throws DataError naming the method if it cannot use rows with weights, or sparse ones, and these are such.
   */
  rowsFor(data: TaskSet): TaskSet {
    const rows = rowsFor(this.method, this.rowsTaken, data);
    const { rowPrecision = "float64" } = this.options as RowForm;
    return this.isPrivate ? heldInPrecision(heldRows(rows), rowPrecision) : rows;
  }

  /**
   * The same for a fit, which begins with it. The end of a private fit would tell of a task's rows: it takes any numbers.
   * @throws as {@link rowsFor}; OptionError for an unknown name among the hooks; DataError, where the method is not private, naming
   *   task, row and column of a number larger than fits can compute with, 1e60.
   */
  rowsToFit(data: TaskSet, hooks: FitOptions): TaskSet {
    checkHooks(this.method, hooks);
    const rows = this.rowsFor(data);
    if (!this.isPrivate) requireSquarableRows(rows);
    return rows;
  }

  /** Learns the models of all tasks. */
  abstract fit(data: TaskSet, hooks?: FitOptions): Promise<FittedModel>;
}

/** What the check of every option of T needs. */
export type CheckedOptions<T> = { readonly [K in keyof T]-?: CheckedOption<T[K]> };

/**
 * Fills in defaults and checks every option.
 * @throws OptionError listing every bad, missing or unknown option; TypeError for what is no object of options.
 */
export function checkOptions<T extends object>(
  method: string,
  given: Partial<T> | undefined,
  declared: CheckedOptions<T>,
): T {
  const problems: string[] = [];
  const result: Record<string, unknown> = {};
  // A budget given by itself would be passed over, and the default spent.
  const values = object(method, given ?? {}, "an object of options") as Record<string, unknown>;
  for (const [name, option] of Object.entries<CheckedOption<unknown>>(declared as never)) {
    const value = values[name];
    if (value === undefined) {
      if ("default" in option) result[name] = unchanging(option.default, value);
      else problems.push(`${name}: required`);
      continue;
    }
    const accepted = option.accept(value);
    if (accepted === undefined) {
      const found = option.secret ? typeof value : described(value);
      const meant = meantWord(value, option.words);
      problems.push(`${name}: expected ${option.expected}, got ${found}${meant && `.${meant}`}`);
    } else result[name] = unchanging(accepted, value);
  }
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(declared, name)) {
      problems.push(
        `${name}: not an option of ${method}; it has ${Object.keys(declared).join(", ")}.` +
          didYouMean(name, Object.keys(declared)),
      );
    }
  }
  if (problems.length > 0) throw new OptionError(`${method}: ${problems.join("; ")}`);
  return Object.freeze(result) as T;
}

/**
 * What was accepted, so that no program changes what a fit goes on with, or a default that all estimators share: noise or samples would
 * then be others than the guarantee is about. What the caller made is its own.
 */
function unchanging(accepted: unknown, given: unknown): unknown {
  const isOurs = accepted !== given && isObject(accepted) && !ArrayBuffer.isView(accepted);
  return isOurs ? Object.freeze(accepted) : accepted;
}

function described(value: unknown): string {
  if (typeof value === "number" || value === null) return String(value);
  return typeof value === "string" ? JSON.stringify(value) : typeof value;
}
