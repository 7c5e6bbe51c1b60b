/**
 * The host's own cryptography, where it has Node's: what JavaScript takes a millisecond for takes it a twentieth of that or less.
 *
 * It is called at once and waits for nothing, as the machines do; the Web's cryptography answers later only, so in browsers the @noble packages do all.
 * @module
 */

/** A key as the host holds it. */
type HostKey = object;

/** What is used of `node:crypto`. */
interface HostCrypto {
  createPublicKey(key: { key: object; format: "jwk" }): HostKey;
  createPrivateKey(key: { key: object; format: "jwk" }): HostKey;
  verify(algorithm: null, text: Uint8Array, key: HostKey, signature: Uint8Array): boolean;
  diffieHellman(keys: { privateKey: HostKey; publicKey: HostKey }): Uint8Array;
}

/** Of Node from 20.16, Deno, Bun and workers that have Node's modules; asked at run time, so that no bundler looks for it. */
interface Host {
  readonly process?: {
    readonly getBuiltinModule?: (name: string) => Partial<HostCrypto> | undefined;
  };
}

/** What the host has of it; undefined if nothing. */
export function hostCrypto(): Partial<HostCrypto> | undefined {
  return (globalThis as Host).process?.getBuiltinModule?.("node:crypto");
}

/** As RFC 8037 writes a key: OpenSSL reads it in an eighth of the time that it takes for DER. */
export function jwkOf(
  curve: "Ed25519" | "X25519",
  publicKey: Uint8Array,
  secret?: Uint8Array,
): object {
  const x = base64url(publicKey);
  return { kty: "OKP", crv: curve, x, ...(secret && { d: base64url(secret) }) };
}

function base64url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
}
