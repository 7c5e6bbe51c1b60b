/**
 * Checks what a file states of its privacy against the ledger in it, as reading a model does.
 * @module
 */
import { isObject } from "../../core/is-object.js";
import {
  checkCard,
  checkFields,
  checkOwners,
  checkPromises,
  ledgerOf,
} from "../../model/check-card.js";
import type { ModelCard } from "../../model/card.js";
import type { Held } from "../account/statement.js";

const WHERE = "the file";

/** @param read a model's card (model-card.json), or a curator's run.json. */
export function heldStatement(read: Readonly<Record<string, unknown>>): Held {
  const card = cardOf(read);
  try {
    if (read["format"] === "mp-mtl-model") checkCard(card, WHERE);
    const privacy = ["guarantee", "ledger", "recordGuarantee", "recordLedger", "owners"];
    checkFields(WHERE, card, privacy);
    const ledger = ledgerOf("ledger", card, WHERE);
    const recordLedger = ledgerOf("recordLedger", card, WHERE);
    checkPromises(card, ledger, recordLedger, WHERE);
    checkOwners(card, ledger, recordLedger, WHERE);
  } catch (error) {
    const problem = error instanceof Error ? error.message : "the file cannot be read";
    return { problem, unchecked: [] };
  }
  return { unchecked: uncheckedOf(card) };
}

/** The file as a model's card. A curator's file has its options in its plan, and no owners. */
function cardOf(read: Readonly<Record<string, unknown>>): ModelCard {
  const { plan, guarantee = { kind: "none" }, options } = read;
  const planned = isObject(plan) ? (plan as Record<string, unknown>)["options"] : undefined;
  return { ...read, guarantee, options: options ?? planned } as unknown as ModelCard;
}

/** What in a statement cannot be checked, as no ledger has it: the word of whoever wrote the file. */
function uncheckedOf({
  guarantee,
  recordGuarantee,
  options,
  owners,
  ...ledgers
}: ModelCard): string[] {
  const statements = [guarantee, recordGuarantee].map((one) => Object(one) as Fields);
  const stored = [ledgers.ledger, ledgers.recordLedger].map((one) => Object(one) as Fields);
  const ofOwners = owners
    ? ["owners, as how far the units of each move the releases is its own word"]
    : [];
  return statements
    .flatMap(({ kind, person, recordOf }, k) => {
      if (kind === undefined || kind === "none") return [];
      const untold = ["unit", "noiseSource"].filter((field) => stored[k]![field] === undefined);
      const { sensitivities } = Object(recordOf) as Fields;
      return [
        ...untold.map((field) => `${field}, which its ledger does not say`),
        ...(recordOf ? [sensitivities ? RECORD_SAYS : RECORD_SAYS_NOT] : []),
        ...(person && !options ? ["person, as there are no options of the fit"] : []),
      ];
    })
    .concat(ofOwners);
}

const RECORD_SAYS = "recordOf, as how far a record moves the releases is its own word";
const RECORD_SAYS_NOT = "recordOf, as it does not say how far a record moves the releases";

type Fields = Readonly<Record<string, unknown>>;
