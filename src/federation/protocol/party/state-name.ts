/**
 * The name of a party's state, where the party adds noise (a participant of some plans, the helper of two aggregators): its process on another
 * machine, with a state of its own, would draw another noise for the same round, and who sees both knows more than was charged.
 *
 * A state has a random name, drawn once and kept before it is said. The curator says with which one a party takes part: an honest curator has one
 * of each, and the others end before they draw anything.
 * @module
 */
import { bytesToHex } from "@noble/hashes/utils.js";
import { OptionError } from "../../../core/index.js";
import { randomBytesFrom } from "../../secure-aggregation/keys/random-bytes.js";
import { refusalInWords } from "../messages/refusal-reasons.js";

const NAME_BYTES = 16;

/** A new name: random whatever the plan's seed is, since two machines have the same. */
export const drawStateName = () => bytesToHex(randomBytesFrom({ mode: "secure" })(NAME_BYTES));

/** The field of a record or a message; none where there is no name. */
export const stateField = (state: string | undefined) => (state === undefined ? {} : { state });

/** Another state of this party takes part. */
export class OtherStateError extends OptionError {
  constructor(party: "participant" | "helper") {
    super(refusalInWords(party, "other-state"));
  }
}
