/**
 * Signing in at NATS with the host's Ed25519: the client's own is plain JavaScript, which a process that has just started runs slowly.
 *
 * A key's text is, in base 32, what it is for, its 32 bytes and a checksum, CRC-16/XMODEM; a seed's says in two bytes what it is for.
 * @see https://github.com/nats-io/nkeys
 * @module
 */
import { createPrivateKey, createPublicKey, sign, type KeyObject } from "node:crypto";
import { nkeys, type Authenticator } from "@nats-io/nats-core";

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * Signs as the client's `nkeyAuthenticator` does.
 * @param seed of a user: SU and 56 letters.
 */
export function hostAuthenticator(seed: string): Authenticator {
  let made: { readonly nkey: string; readonly key: KeyObject } | undefined;
  return (nonce) => {
    const { nkey, key } = (made ??= keysOf(seed));
    return { nkey, sig: nonce ? nkeys.encode(sign(null, Buffer.from(nonce), key)) : "" };
  };
}

function keysOf(seed: string) {
  nkeys.fromSeed(Buffer.from(seed)); // its checksum is looked at there
  const letters = Array.from(seed, (letter) => BASE32.indexOf(letter));
  const bytes = regrouped(letters, 5, 8).slice(2, 34);
  const pkcs8 = Buffer.concat([PKCS8, Uint8Array.from(bytes)]);
  const key = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
  const own = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
  const named = [nkeys.Prefix.User, ...own];
  const checksum = crc16(named);
  const text = regrouped([...named, checksum & 255, checksum >> 8], 8, 5);
  return { nkey: text.map((letter) => BASE32[letter]).join(""), key };
}

/** Numbers of so many bits each as numbers of others, without what is left over. */
function regrouped(numbers: readonly number[], from: number, to: number): number[] {
  const bits = numbers.map((number) => number.toString(2).padStart(from, "0")).join("");
  const whole = Math.floor(bits.length / to);
  return Array.from({ length: whole }, (_, at) => parseInt(bits.slice(to * at, to * (at + 1)), 2));
}

function crc16(bytes: readonly number[]): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc;
}
