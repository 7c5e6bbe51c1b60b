/**
 * The messages of one attempt, as bytes: version, kind, session, then fixed-size fields.
 *
 *   participant -> curator                     curator -> participants
 *   keys      two public keys, signature       roster    of its neighbours: keys, signatures
 *   shares    commitment, sealed shares        inbox     sealed shares for it
 *   input     complaints, masked integers      included  who shared, who is in the sum
 *   consent   signature of `included`          consents  signatures of at least t
 *   reveal    one share per neighbour
 *
 * `gather`, `partial` and `held` pass between the curator and relays (`relays/relay-messages.ts`).
 * Numbers are little-endian. A message with anything missing or left over is refused.
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import { equalBytes } from "../../protocol/messages/equal-bytes.js";
import { KEY_BYTES, SEAL_BYTES, SIGNATURE_BYTES } from "../keys/keys.js";
import { SESSION_BYTES } from "../keys/session.js";
import { ELEMENT_BYTES } from "../keys/shamir.js";

const VERSION = 1;

const KINDS = {
  keys: 1,
  roster: 2,
  shares: 3,
  inbox: 4,
  input: 5,
  included: 6,
  consent: 7,
  consents: 8,
  reveal: 9,
  gather: 10,
  partial: 11,
  held: 12,
} as const;

/** Names of the messages. */
export type MessageKind = keyof typeof KINDS;

const HEADER_BYTES = 2 + SESSION_BYTES;

/** Bytes of two sealed shares: of the mask key and of the self-mask seed. */
export const SEALED_BYTES = 2 * ELEMENT_BYTES + SEAL_BYTES;

/** A participant's public keys and its signature of them. */
export const KEYS_BYTES = 2 * KEY_BYTES + SIGNATURE_BYTES;

/** Whole message: header and body. */
export function message(
  kind: MessageKind,
  session: Uint8Array,
  ...body: readonly Uint8Array[]
): Uint8Array {
  return concatBytes(Uint8Array.of(VERSION, KINDS[kind]), session, ...body);
}

/**
 * Kind and body of a message of this session.
 * @returns a sentence if it is none.
 */
export function parseMessage(
  bytes: Uint8Array,
  session: Uint8Array,
): { kind: MessageKind; body: Uint8Array } | string {
  if (bytes.length < HEADER_BYTES) return "shorter than a header";
  if (bytes[0] !== VERSION) return `of version ${bytes[0]}, expected ${VERSION}`;
  if (!equalBytes(bytes.subarray(2, HEADER_BYTES), session))
    return "of another run, round or attempt";
  const kind = (Object.keys(KINDS) as MessageKind[]).find((name) => KINDS[name] === bytes[1]);
  if (!kind) return `of unknown kind ${bytes[1]}`;
  return { kind, body: bytes.subarray(HEADER_BYTES) };
}
