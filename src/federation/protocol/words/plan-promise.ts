/**
 * What a plan promises the owner of the data and what it does not, in words.
 * @module
 */
import type { AnyPublicPrior } from "../../../learning/options/public-prior.js";
import {
  MECHANISM_NAMES,
  resolveDelta,
  type DeltaChoice,
  type PersonBound,
} from "../../../privacy/index.js";
import { mechanismNamed } from "../../../privacy/mechanisms/catalogue.js";
import { personWords } from "../../../privacy/guarantee/guarantee-words.js";
import { decimalAbove } from "../../../privacy/accounting/rounding.js";
import type { Plan } from "../plan/plan-form.js";

/** Whether the noise is drawn from a seed that everyone is told. */
export const isSeeded = ({ options }: Plan) =>
  (options["random"] as { mode: string }).mode === "seeded";

/** What epsilon is worth: nothing that does not hold is called a promise. */
export function promiseOf(plan: Plan): string {
  const { options, aggregation } = plan;
  const seeded = isSeeded(plan);
  const { epsilon, adjacency, rounds, mechanism } = options;
  const claim =
    `the view of ${against(aggregation)} other participants together is (${text(epsilon)}, ` +
    `${deltaOf(plan)})-differentially private with respect to ${unitOf(plan)} (${text(adjacency)} ` +
    `adjacency)${roundsOf(rounds)}`;
  const named = MECHANISM_NAMES.find((name) => name === mechanism);
  if (named && !mechanismNamed(named).sound) {
    return `NOT PROMISED: the noise "${named}" does not give what the papers claim, that ${claim}.`;
  }
  const limits = `${drawnInFloats(plan) ? FLOATS : ""}${hidesParts(aggregation) ? CIPHERS : ""}`;
  return `${seeded ? "With secure noise this would be promised" : "Promised"}: ${claim}${limits}.`;
}

const FLOATS =
  "; its noise is drawn in floating point, for which this is proven of real numbers only";

/** Of curators and helpers, who see what participants send. */
const CIPHERS =
  "; against whoever runs the rounds it holds computationally: cryptography hides from them what each sends";

const hidesParts = (aggregation: Plan["aggregation"]) =>
  aggregation !== undefined && aggregation !== null && aggregation.kind !== "relays";

/** Whether the curator draws noise whose proof does not cover rounding; participants' shares are integers. */
const drawnInFloats = ({ options, aggregation }: Plan) =>
  options["noise"] === "float" && !hidesParts(aggregation);

function roundsOf(rounds: unknown): string {
  if (rounds === undefined) return "";
  if (rounds === "auto") return ", over as many rounds as the public sizes ask for";
  return `, over ${text(rounds)} ${rounds === 1 ? "round" : "rounds"}`;
}

/** What models start from, which nobody here paid for. */
export function priorWords({ options }: Plan): string[] {
  const { publicPrior: prior } = options;
  if (!prior) return [];
  const { source } = prior as AnyPublicPrior;
  const of = source === undefined ? "" : ` (${source})`;
  return [`Starts from a prior that the plan declares public${of}.`];
}

/** Whose view is promised about. */
function against(aggregation: Plan["aggregation"]): string {
  if (!aggregation || aggregation.kind === "relays") return "all";
  return aggregation.kind === "secure"
    ? `the curator and up to ${aggregation.colluding}`
    : "the curator or the helper, whichever of the two, and all";
}

/** Whether single records, or persons, are what the promise is about. */
export const ofRecords = ({ options }: Plan) => options["unit"] === "record";

/** Whether its owners may have epsilons of their own. */
export const hasOwnEpsilons = ({ options }: Plan) =>
  ["record", "both"].includes(options["unit"] as string);

/** What the budget hides. */
function unitOf(plan: Plan): string {
  if (!ofRecords(plan)) return "one task";
  const { rowsPerPerson = 1, tasksPerPerson = 1 } = plan.options as Partial<PersonBound>;
  return rowsPerPerson > 1 || tasksPerPerson > 1
    ? personWords({ rowsPerPerson, tasksPerPerson })
    : "one record (row) of one task";
}

export function notPromised(plan: Plan): string {
  if (!ofRecords(plan)) {
    return "Not promised: protection of a task from whoever is handed its own model.";
  }
  const held =
    plan.options["ownModel"] === "noisy"
      ? ""
      : ", and of a record from whoever is handed its task's model";
  return `Not promised: protection of what is true of a whole task${held}.`;
}

function deltaOf(plan: Plan): string {
  const { options, tasks } = plan;
  const delta = options["delta"] as DeltaChoice;
  if (typeof delta === "number") return String(delta);
  if (ofRecords(plan)) {
    return `${delta === "auto" ? "the smaller of 1e-5 and 1/N^2" : "1/(N ln N)"} for the N rows of the tasks that start`;
  }
  const formula = delta === "auto" ? "the smaller of 1e-5 and 1/m^2" : "1/(m ln m)";
  const forWhom = `${formula} for the m tasks that start`;
  return tasks && tasks.length >= 3
    ? `${forWhom}, ${decimalAbove(resolveDelta(delta, tasks.length), 3)} if all do`
    : forWhom;
}

const text = (value: unknown) => String(value);
