/**
 * Input shares sealed for one aggregator: X25519 with a key made for the report, HKDF-SHA-256,
 * ChaCha20-Poly1305.
 *
 * The key depends on the round's session and both public keys, and what is sealed is bound to the session,
 * the aggregator, the participant's name, the nonce and the public share. The public share must be: a
 * leader that could show the helper another one would learn about the vector from the helper's message.
 * @see RFC 7748, 5869, 8439.
 * @module
 */
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { agreementOf } from "../../secure-aggregation/keys/key-agreement.js";
import { KEY_BYTES, open, seal, type KeyPair } from "../../secure-aggregation/keys/keys.js";
import { uint32 } from "../../secure-aggregation/keys/session.js";
import type { Aggregator } from "../proof/pine.js";

/** What a sealed share belongs to. */
export interface Binding {
  /** The round's, from `sessionId`. */
  readonly session: Uint8Array;
  readonly aggregator: Aggregator;
  readonly participant: string;
  readonly nonce: Uint8Array;
  readonly publicShare: Uint8Array;
}

/**
 * Seals a share.
 * @param own the report's key pair.
 * @param to  the aggregator's public key.
 * @throws RangeError if the aggregator's key is of small order.
 */
export function sealShare(
  share: Uint8Array,
  binding: Binding,
  own: KeyPair,
  to: Uint8Array,
): Uint8Array {
  const key = keyOf(own, to, own.public, to, binding);
  if (!key)
    throw new RangeError("aggregators: expected X25519 public keys, got one of small order");
  const sealed = seal(key, share, boundBytes(binding));
  key.fill(0);
  return sealed;
}

/**
 * Opens a share.
 * @param own  the aggregator's key pair.
 * @param from the report's public key.
 * @returns undefined if it was not sealed for this aggregator under this binding.
 */
export function openShare(
  sealed: Uint8Array,
  binding: Binding,
  own: KeyPair,
  from: Uint8Array,
): Uint8Array | undefined {
  const key = keyOf(own, from, from, own.public, binding);
  const share = key && open(key, sealed, boundBytes(binding));
  key?.fill(0);
  return share;
}

function keyOf(
  own: KeyPair,
  other: Uint8Array,
  sender: Uint8Array,
  receiver: Uint8Array,
  { session }: Binding,
): Uint8Array | undefined {
  const agreed = agreementOf(own)(other);
  if (!agreed) return undefined;
  const info = concatBytes(utf8ToBytes("mp-mtl report share "), sender, receiver);
  const key = hkdf(sha256, agreed, session, info, KEY_BYTES);
  agreed.fill(0);
  return key;
}

function boundBytes({ session, aggregator, participant, nonce, publicShare }: Binding): Uint8Array {
  const name = utf8ToBytes(participant);
  const place = Uint8Array.of(aggregator);
  return concatBytes(session, place, uint32(name.length), name, nonce, publicShare);
}
