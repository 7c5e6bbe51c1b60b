/**
 * Whether a model card is one that `saveModel` could have written: types, names, and promises that its ledger bears out.
 * @module
 */
import { isObject } from "../core/is-object.js";
import { DataError } from "../core/errors.js";
import { LOSS_NAMES } from "../learning/tasks/losses.js";
import { holdersProblem } from "../privacy/check-parties.js";
import {
  jointStatementProblem,
  recordProblem,
  statementProblem,
  tableProblem,
} from "../privacy/guarantee/check-statement.js";
import { Ledger, ownLedger, type Guarantee, type OwnBudget } from "../privacy/index.js";
import type { ModelCard } from "./card.js";

const isText = (value: unknown) => typeof value === "string";
const isList = (value: unknown, of: (entry: unknown) => boolean) =>
  Array.isArray(value) && value.every(of);
const areNames = (value: unknown) =>
  isList(value, isText) && new Set(value as string[]).size === (value as string[]).length;
const isLabel = (value: unknown) => isText(value) || Number.isFinite(value);
const orNothing = (test: (value: unknown) => boolean) => (value: unknown) =>
  value === null || value === undefined || test(value);

/** The checks of those fields that other code computes with; the rest is only shown. */
const FIELDS: Record<string, [expected: string, test: (value: unknown) => boolean]> = {
  method: ["a text", isText],
  loss: ["a loss", (value) => LOSS_NAMES.includes(value as never)],
  lossScale: ["a text", isText],
  classes: ["labels or null", (value) => value === null || isList(value, isLabel)],
  taskNames: [
    "one or more names, no two alike",
    (value) => areNames(value) && (value as string[]).length > 0,
  ],
  featureNames: ["names, no two alike", areNames],
  options: ["an object", isObject],
  guarantee: ["an object", isObject],
  rounds: ["a count", (value) => Number.isSafeInteger(value) && (value as number) >= 0],
  history: ["a list of objects", (value) => isList(value, isObject)],
  figures: ["an object", isObject],
  certificate: ["an object or null", orNothing(isObject)],
  preprocessing: ["an object or null", orNothing(isObject)],
  architecture: ["an object or null", orNothing(isObject)],
  ledger: ["an object or null", orNothing(isObject)],
  recordLedger: ["an object or null", orNothing(isObject)],
  recordGuarantee: ["an object or null", orNothing(isObject)],
  owners: ["a list of objects or null", orNothing((value) => isList(value, isObject))],
};

/** What an error about a card calls the place it came from. */
const MODEL_FILE = "model file: its card";

const refuse = (what: string, cause: unknown, where = MODEL_FILE): never => {
  throw new DataError(`${where} is damaged or was altered: ${what}.`, { cause });
};

/** @throws DataError naming the first field that is not of its type. */
export function checkCard(card: ModelCard, where = MODEL_FILE): ModelCard {
  checkFields(where, card, Object.keys(FIELDS));
  return card;
}

/** As {@link checkCard}, of some of the fields, the loss and the classes among them. */
export function checkFields(where: string, card: ModelCard, fields: readonly string[]): void {
  for (const field of fields) {
    const [expected, test] = FIELDS[field]!;
    if (!test(card[field as keyof ModelCard])) {
      refuse(`${field}: expected ${expected}`, undefined, where);
    }
  }
  const { loss, classes } = card;
  const needed = loss === "logistic" ? 2 : loss === "softmax" ? 1 : 0;
  if ((classes?.length ?? 0) < needed || (loss === "logistic" && classes!.length !== 2)) {
    refuse(`classes: expected those of the loss ${loss}`, undefined, where);
  }
}

/** A ledger from the card. */
export function ledgerOf(
  field: "ledger" | "recordLedger",
  card: Pick<ModelCard, "ledger" | "recordLedger">,
  where?: string,
): Ledger | null {
  const stored = card[field];
  if (!stored) return null;
  try {
    return Ledger.fromJSON(stored);
  } catch (cause) {
    return refuse(
      `${field}: ${cause instanceof Error ? cause.message : "unreadable"}`,
      cause,
      where,
    );
  }
}

/**
 * Holds a statement to its ledger: nobody may promise more than was paid for.
 * @throws DataError if it says more than its ledger bears out, or claims to hold without one.
 */
export function checkPromise(
  field: "guarantee" | "recordGuarantee",
  { guarantee, options }: { guarantee: object | null | undefined; options?: ModelCard["options"] },
  ledger: Ledger | null,
  where: string | undefined,
): void {
  const problemOf = field === "guarantee" ? jointStatementProblem : statementProblem;
  const problem = problemOf(guarantee, ledger, options);
  if (problem) refuse(`${field}: ${problem}`, undefined, where);
}

/**
 * Holds both statements of a card to their ledgers, and what records are promised to whom the joint one hides.
 * @throws DataError as {@link checkPromise}.
 */
export function checkPromises(
  card: Pick<ModelCard, "guarantee" | "recordGuarantee" | "options">,
  ledger: Ledger | null,
  recordLedger: Ledger | null,
  where?: string,
): void {
  const { recordGuarantee } = card;
  checkPromise("guarantee", card, ledger, where);
  checkPromise("recordGuarantee", { guarantee: recordGuarantee }, recordLedger, where);
  if (!recordGuarantee || !ledger) return;
  const problem =
    recordGuarantee.kind === "record"
      ? holdersProblem(recordGuarantee, ledger)
      : "kind: it is none of records";
  if (problem) refuse(`recordGuarantee: ${problem}`, undefined, where);
}

/**
 * Holds every owner's promises to what the releases cost it.
 * @throws DataError if there is not one for each task, or one is smaller than the releases' cost at its sensitivities.
 */
export function checkOwners(
  { owners, taskNames, guarantee }: Pick<ModelCard, "owners" | "taskNames" | "guarantee">,
  ledger: Ledger | null,
  recordLedger: Ledger | null,
  where?: string,
): void {
  if (!owners) return;
  if (!ledger || owners.length !== taskNames.length) {
    refuse("owners: expected one for each task", undefined, where);
  }
  const { colluding } = guarantee as Partial<Guarantee>;
  for (const owner of new Set(owners.map((one) => JSON.stringify(one)))) {
    const budget = JSON.parse(owner) as OwnBudget;
    const { collusion, recordOf, delta } = budget;
    try {
      const events = ownLedger(ledger!, budget).plan!;
      const problem =
        tableProblem(collusion, { events, delta }, colluding) ??
        recordProblem(recordOf, ledger!, colluding);
      if (problem !== undefined) throw new DataError(problem);
      if (budget.ownModel && recordLedger) ownLedger(recordLedger, budget.ownModel);
    } catch (cause) {
      refuse("owners: one of them is promised more than the ledger paid for", cause, where);
    }
  }
}
