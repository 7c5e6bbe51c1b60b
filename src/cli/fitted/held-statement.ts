/**
 * What a file states of its privacy, held to the releases in it, as reading a model does.
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

/** @param read a model's card, or what a curator wrote of its run. */
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

/** What a run of a curator says of its options is in its plan, and its tasks are not listed with owners. */
function cardOf(read: Readonly<Record<string, unknown>>): ModelCard {
  const { plan, guarantee = { kind: "none" }, options } = read;
  const planned = isObject(plan) ? (plan as Record<string, unknown>)["options"] : undefined;
  return { ...read, guarantee, options: options ?? planned } as unknown as ModelCard;
}

function uncheckedOf({ guarantee, recordGuarantee, options, ...ledgers }: ModelCard): string[] {
  const statements = [guarantee, recordGuarantee].map((one) => Object(one) as Fields);
  const stored = [ledgers.ledger, ledgers.recordLedger].map((one) => Object(one) as Fields);
  return statements.flatMap(({ kind, person, recordOf }, k) => {
    if (kind === undefined || kind === "none") return [];
    const { sensitivities } = Object(recordOf) as Fields;
    return [
      ...(stored[k]!["unit"] === undefined ? ["unit, which its ledger does not say"] : []),
      ...(recordOf && !sensitivities
        ? ["recordOf, as it does not say how far a record moves the releases"]
        : []),
      ...(person && !options ? ["person, as there are no options of the fit"] : []),
    ];
  });
}

type Fields = Readonly<Record<string, unknown>>;
