/**
 * Signing in at NATS with the host's Ed25519: the client's own is plain JavaScript, which a process that has just started runs slowly.
 * @module
 */
import { createPrivateKey, sign } from "node:crypto";
import { nkeys, type Authenticator } from "@nats-io/nats-core";

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * Signs as the client's `nkeyAuthenticator` does.
 * @param seed of a user: SU and 56 letters.
 */
export function hostAuthenticator(seed: string): Authenticator {
  let made:
    { readonly nkey: string; readonly key: ReturnType<typeof createPrivateKey> } | undefined;
  return (nonce) => {
    made ??= {
      nkey: nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey(),
      key: keyOf(seed),
    };
    const { nkey, key } = made;
    return { nkey, sig: nonce ? nkeys.encode(sign(null, Buffer.from(nonce), key)) : "" };
  };
}

/** A seed is two bytes that say whose it is, the key's 32 and two of a checksum, in base 32. */
function keyOf(seed: string) {
  const bits = Array.from(seed, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0"));
  const text = bits.join("").slice(16);
  const bytes = Array.from({ length: 32 }, (_, at) => parseInt(text.slice(8 * at, 8 * at + 8), 2));
  const key = Buffer.concat([PKCS8, Uint8Array.from(bytes)]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}
