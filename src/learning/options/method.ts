/**
 * What there is to know of a method, as data: read by the command line, evaluation, federation, the page and
 * the documents, so that none of them has to know a method by its name.
 * @module
 */
import type { Statistic } from "../../privacy/index.js";
import type { Estimator } from "../round/estimator.js";
import type { Batches } from "../round/batches.js";
import type { Halves } from "../round/halves.js";
import type { LossName } from "../tasks/losses.js";
import type { OptionDeclarations } from "./option.js";
import type { RowsTaken } from "./rows-taken.js";

/** A positive number on a logarithmic scale. */
export interface LogRange {
  readonly from: number;
  readonly to: number;
  /** Values of a grid, `from` and `to` among them. */
  readonly points: number;
}

/** What is worth searching, by name of the option: a range or a few values, the strongest penalty first. */
export type Ranges = Readonly<Record<string, LogRange | readonly unknown[]>>;

/** A range of a few points. */
export const logRange = (from: number, to: number, points: number): LogRange => ({
  from,
  to,
  points,
});

/** What a private method protects, and what it releases. */
export interface MethodPrivacy {
  /** Whose change the noise hides: a whole task's, or one record's, lifted to its task by group privacy. */
  readonly unit: "task" | "record";
  /** What may be released, the default first; options choose among several. */
  readonly statistics: readonly Statistic[];
  /** How the budget is spread over the rounds: by the option `schedule`, equally, or there is one release. */
  readonly budget: "scheduled" | "equal" | "single";
}

/** What is public of a task set and of what is asked, from which a method says whether it suits. */
export interface MethodFacts {
  /** Tasks, features, and mean number of rows of a task. */
  readonly m: number;
  readonly d: number;
  readonly rowsPerTask: number;
  readonly loss: LossName;
  /** Classes of the target, for the softmax loss; else 0. */
  readonly classes: number;
  readonly epsilon: number;
  /** The budget as mu of Gaussian differential privacy; 0 where delta is 0. */
  readonly mu: number;
  /** Positions of columns whose ranges nobody declared or vouched for, d standing for the target where its size matters. */
  readonly undeclared: readonly number[];
  /** Whether there would be some, had nobody said that all are of about unit size. */
  readonly vouched: boolean;
  readonly federated: boolean;
  /** What the budget is to hide. */
  readonly unit: "task" | "record" | "both";
  /** Whether there is a public prior to start from. */
  readonly hasPrior: boolean;
  /** What not every method takes. */
  readonly rows: {
    /** Whether rows have weights. */
    readonly weighted: boolean;
    /** Whether rows are sparse. */
    readonly sparse: boolean;
  };
}

/** How well a method suits, by public facts. */
export interface Suitability {
  /** Expected share of the distance from learning alone to learning together without noise, 0 to 1. */
  readonly share: number;
  /** A plain clause that completes "because". */
  readonly why: string;
  /** With a public prior: why it is to be taken whatever its share; absent where it cannot start from one. */
  readonly prior?: string;
  /** Options that it should then have. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A method. `O` are its options. */
export interface MethodDescriptor<O extends object> {
  /** The command line's name of it. */
  readonly name: string;
  /** A few words for headings. */
  readonly title: string;
  /** When to use it, in a few words. */
  readonly recommendedFor: string;
  /** What leaves a task, in a few words. */
  readonly releases: string;
  readonly options: OptionDeclarations<O>;
  /** null: it has no noise and guarantees nothing. */
  readonly privacy: MethodPrivacy | null;
  /**
   * What is worth searching where the user gives nothing else: from the papers and from what the options
   * mean, never from the data at hand.
   */
  readonly ranges: Ranges;
  /** Losses for which an evaluation compares it unasked. */
  readonly compared: readonly LossName[];
  /** Whether it does so of simulations only: for methods whose assumptions a table as it is seldom meets. */
  readonly simulationsOnly?: true;
  /** Whether `auto` may take it, and how much may be expected of it; absent or null: not unasked. */
  suits?(facts: MethodFacts): Suitability | null;
  /** Whether it takes rows with weights, and sparse ones; absent: neither. */
  takes?(options: O): RowsTaken;
  /** Whether it needs functions as options, so that it cannot be had by its name. */
  readonly inCodeOnly?: true;
  /** @throws OptionError for options that do not go together. */
  check?(options: O): void;
  /** Its two halves, for methods that can run apart. */
  halves?(options: O): Halves;
  /** Its tasks, for methods that release nothing and can be spread over threads; undefined with options that need all tasks together. */
  batches?(options: O): Batches | undefined;
  /** Bound on the l2 norm of every upload of a task, for methods that can run apart. */
  uploadNorm?(options: O): number;
  /** @throws OptionError naming every bad option. */
  make(options: Partial<O>): Estimator;
}

/** A method whose halves can run apart. */
export type DividedMethod<O extends object> = MethodDescriptor<O> &
  Required<Pick<MethodDescriptor<O>, "halves" | "uploadNorm">>;

/** Any method, whatever its options. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each method has its own options
export type AnyMethod = MethodDescriptor<any>;
