/**
 * X25519, by the host's own cryptography where it has one: a participant agrees twice with every neighbour in every attempt, and in
 * JavaScript these were most of what a round of a thousand cost it.
 *
 * RFC 7748 leaves one value for a secret and a coordinate that is reduced. So the host is asked for those only, and what it gives
 * must not be zero; of everything else @noble decides: keys that some hosts refuse and others reduce, and keys of small order.
 * @see RFC 7748, sections 5 and 6.1.
 * @module
 */
import { x25519 } from "@noble/curves/ed25519.js";
import { hostCrypto, jwkOf } from "./host-crypto.js";
import { isElement } from "./shamir.js";

/** A key pair for agreement; the secret is a field element, so that it can be shared out. */
export interface KeyPair {
  /** 32 bytes that nobody else may have. */
  readonly secret: Uint8Array;
  /** 32 bytes for everyone. */
  readonly public: Uint8Array;
}

/** The 32 bytes that a secret and another's public key agree on; undefined if that key is of small order. */
export type Agreement = (peer: Uint8Array) => Uint8Array | undefined;

/** Agreements of one pair with any number of others: its secret is read once. */
export function agreementOf(own: KeyPair): Agreement {
  const byHost = agreementByHost(own);
  return (peer) => byHost?.(peer) ?? agreementHere(own.secret, peer);
}

function agreementHere(secret: Uint8Array, peer: Uint8Array): Uint8Array | undefined {
  try {
    return x25519.getSharedSecret(secret, peer);
  } catch {
    return undefined;
  }
}

/** Undefined where the host has no X25519; so is what it says of a key that is not for it to decide. */
function agreementByHost(own: KeyPair): Agreement | undefined {
  const { createPrivateKey, createPublicKey, diffieHellman } = hostCrypto() ?? {};
  if (!createPrivateKey || !createPublicKey || !diffieHellman) return undefined;
  const jwk = (peer: Uint8Array, secret?: Uint8Array) =>
    ({ key: jwkOf("X25519", peer, secret), format: "jwk" }) as const;
  try {
    const privateKey = createPrivateKey(jwk(own.public, own.secret));
    return (peer) => {
      if (!isElement(peer)) return undefined;
      try {
        const agreed = diffieHellman({ privateKey, publicKey: createPublicKey(jwk(peer)) });
        return agreed.some((byte) => byte !== 0) ? new Uint8Array(agreed) : undefined;
      } catch {
        return undefined;
      }
    };
  } catch {
    return undefined;
  }
}
