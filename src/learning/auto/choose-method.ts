/**
 * Which method to take where nobody names one: from what is public (sizes, budget, loss, what is declared) by what the
 * methods' descriptors say of themselves, so nothing is charged and everyone can work it out beforehand.
 * @module
 */
import {
  gaussianMu,
  resolveDelta,
  type DeltaChoice,
  type PersonBound,
} from "../../privacy/index.js";
import { counted } from "../../core/messages/counted.js";
import { object, OptionError } from "../../core/index.js";
import { ALL_METHODS } from "../estimators/all.js";
import { singleTask } from "../estimators/single-task.js";
import type { AnyMethod, MethodFacts, Suitability } from "../options/method.js";
import type { PublicSizes } from "../round/halves.js";
import type { LossName } from "../tasks/losses.js";
import { rowsTaken, takesSparse } from "../options/rows-taken.js";
import { classesIn } from "../prospects/expected-share.js";
import { leastShare } from "../prospects/prospects.js";

/** What a choice is made from, all of it public. */
export interface ChoiceFacts extends Partial<PersonBound> {
  /** Numbers of tasks (`m`), features (`d`) and rows in all, and the positions of undeclared columns. Where it is not known which columns are undeclared, all are taken to be. */
  readonly sizes: Pick<PublicSizes, "m" | "d" | "rows" | "undeclared">;
  /** The loss of the fit. */
  readonly loss: LossName;
  /** Classes of the target, for the softmax loss; default none. */
  readonly classes?: number | undefined;
  /** The budget, epsilon > 0. */
  readonly epsilon: number;
  /** Its delta, in [0, 1); "auto" or "papers": by the number of tasks. */
  readonly delta: DeltaChoice;
  /** Whether the ranges of all columns are declared, or vouched for. */
  readonly declared: boolean;
  /** Whether the owners of tasks are on machines of their own. */
  readonly federated?: boolean;
  /** What the budget is to hide; default a task. Methods that cannot are not taken. */
  readonly unit?: MethodFacts["unit"];
  /** Whether there is a public prior to start from. */
  readonly hasPrior?: boolean;
  /** Whether rows have weights, and whether they are sparse; default neither. */
  readonly rows?: MethodFacts["rows"];
}

/** The method that is taken. */
export interface MethodChoice {
  /** A name that `makeEstimator` takes. */
  readonly method: string;
  /** Options that come with it; what the caller gives wins over them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** A plain clause that completes "because". */
  readonly why: string;
  /** Expected share of the distance from learning alone to learning together without noise, 0 to 1. */
  readonly share: number;
}

/**
 * The method that `auto` takes: the one with the largest expected share, or learning alone where none is worth its noise.
 *
 * @param given public facts only, so nothing is read or spent, and every owner can work out the same choice beforehand.
 * @throws TypeError where `sizes` is missing; OptionError if the budget's options do not go together.
 * @example
 * const sizes = { m: 60, d: 5, rows: 1200 };
 * const { method, why } = chooseMethod({ sizes, loss: "squared", epsilon: 1, delta: "auto", declared: true });
 */
export function chooseMethod(given: ChoiceFacts): MethodChoice {
  object("sizes", object("facts", given).sizes);
  const facts = factsOf(given);
  const found = ALL_METHODS.flatMap((method) => {
    const can = keepsUnit(method, facts) && takesRows(method, facts);
    const suits = can ? method.suits?.(facts) : null;
    return suits ? [{ method, suits }] : [];
  });
  const started = facts.hasPrior ? found.find(({ suits }) => suits.prior) : undefined;
  if (started) {
    const { share, prior, options = {} } = started.suits;
    return { method: started.method.name, options, why: prior!, share };
  }
  if (facts.hasPrior) throw new OptionError(`publicPrior: ${noStart(facts)}`);
  const best = found.reduce<{ method: AnyMethod; suits: Suitability } | undefined>(
    (a, b) => (a && a.suits.share >= b.suits.share ? a : b),
    undefined,
  );
  if (best && best.suits.share >= leastShare(classesIn(facts))) {
    const { share, why, options = {} } = best.suits;
    return { method: best.method.name, options, why, share };
  }
  const why = aloneBecause(facts, best, given);
  if (given.federated) {
    throw new OptionError(`method: auto finds nothing to federate: ${why}; or name a method`);
  }
  return { method: singleTask.name, options: {}, why, share: 0 };
}

/** Why no method starts from a public prior, where none says it itself. */
function noStart({ loss, unit, rows, d, mu }: MethodFacts): string {
  if (unit !== "task") return `is for the unit "task"; the unit is ${unit}`;
  const kinds = [...(rows.weighted ? ["weighted"] : []), ...(rows.sparse ? ["sparse"] : [])];
  const of = mu > 0 ? `on ${kinds.join(" ")} rows of ${counted(d, "feature")}` : "at this delta";
  return `no method here starts from one with the ${loss} loss ${of}; leave it out`;
}

/** Whether a method hides what is asked. */
function keepsUnit({ options }: AnyMethod, { unit }: MethodFacts): boolean {
  return unit === "task" || (options["unit"]?.words?.includes(unit) ?? false);
}

/** Whether a method can use the rows, with the options that they would come with. */
function takesRows(method: AnyMethod, { d, rows, loss, unit }: MethodFacts): boolean {
  if (!rows.weighted && !rows.sparse) return true;
  const defaults = Object.entries(method.options).map(([name, { default: value }]) => [
    name,
    value,
  ]);
  const taken = rowsTaken(method, { ...Object.fromEntries(defaults), loss, unit });
  return (!rows.weighted || taken.weights === true) && (!rows.sparse || takesSparse(taken, d));
}

function factsOf(given: ChoiceFacts) {
  const { hasPrior = false, unit = "task" } = given;
  const { rows: kind = { weighted: false, sparse: false } } = given;
  const { sizes, loss, classes = 0, epsilon, delta, declared, federated = false } = given;
  const { rowsPerPerson = 1, tasksPerPerson = 1 } = given;
  // Hiding all rows of a person takes that much more noise.
  const weight = unit === "record" ? rowsPerPerson * tasksPerPerson : 1;
  const { m, d, rows } = sizes;
  const { undeclared = Array.from({ length: d + 1 }, (_, at) => at) } = sizes;
  const known = resolveDelta(delta, unit === "record" ? rows : m);
  // Labels have no size.
  const open = undeclared.filter((at) => at < d || loss === "squared");
  const facts: MethodFacts = {
    m,
    d,
    loss,
    classes,
    epsilon,
    federated,
    hasPrior,
    unit,
    rowsPerTask: rows / m,
    undeclared: declared ? [] : open,
    vouched: declared && sizes.undeclared !== undefined && open.length > 0,
    rows: kind,
    mu: known > 0 ? gaussianMu(epsilon, known) / weight : 0,
  };
  return facts;
}

/** What too small a budget for whole tasks buys where rows are what needs protection, which few people think of. */
function recordsInstead(given: ChoiceFacts): string {
  if (given.unit !== undefined && given.unit !== "task") return "";
  const { share } = chooseMethod({ ...given, unit: "record", federated: false });
  if (share === 0) return "";
  return (
    '; so does hiding single rows instead of whole tasks (--unit record, in code unit: "record"), which is expected to keep about ' +
    `${Math.round(100 * share)} % of what sharing gains`
  );
}

function aloneBecause(
  { m, d, mu, epsilon, loss, unit, rows }: MethodFacts,
  best: { suits: Suitability } | undefined,
  given: ChoiceFacts,
): string {
  if (m < 2) return "there is one task only, so that there is nobody to learn from";
  if (!best && unit !== "task") {
    return (
      `no method that auto takes hides single records with the ${loss} loss: mp-mixed does with the squared loss; ` +
      "dp-aggregation (--method dp-aggregation --unit record) does with the logistic one, for rows of bounded length"
    );
  }
  if (!best && rows.sparse) {
    return (
      `what is taken unasked (mp-mixed, mp-hierarchical) works with d x d numbers and takes no sparse rows of ${d} features; by name ` +
      "pmtl, private-fedavg and mp-group-sparse do, whose budget has to be worth it"
    );
  }
  if (!best) {
    const what = rows.weighted ? "weights of rows" : mu > 0 ? `the ${loss} loss` : "delta 0";
    return `nothing that auto takes unasked goes with ${what}; others have to be asked for by name`;
  }
  if (best.suits.share === 0 && best.suits.why !== "") return best.suits.why;
  return (
    `${m} tasks with ${counted(d, "feature")} buy next to nothing at epsilon ${epsilon}: the noise that hides one ${unit === "record" ? unit : "task"} would drown ` +
    `what all have in common. More tasks, fewer features or a larger epsilon change that${recordsInstead(given)}`
  );
}
