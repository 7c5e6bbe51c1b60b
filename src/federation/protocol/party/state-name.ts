/**
 * The name of a party's state, where the party adds noise: two states of one party would draw two noises for one round.
 * @module
 */
import { bytesToHex } from "@noble/hashes/utils.js";
import { randomBytesFrom } from "../../secure-aggregation/keys/random-bytes.js";

const NAME_BYTES = 16;

/** A new name: random whatever the plan's seed is, since two machines have the same. */
export const drawStateName = () => bytesToHex(randomBytesFrom({ mode: "secure" })(NAME_BYTES));

/** The field of a record or a message; none where there is no name. */
export const stateField = (state: string | undefined) => (state === undefined ? {} : { state });
