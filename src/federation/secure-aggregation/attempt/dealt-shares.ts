/**
 * What neighbours deal to each other before a sum: a share of each one's two secrets for every other, sealed for it.
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import { agreementOf } from "../keys/key-agreement.js";
import { agreedKeys, heldBy, KEY_BYTES, open, seal, signed, type KeyPair } from "../keys/keys.js";
import { KEYS_BYTES, SEALED_BYTES } from "./messages.js";
import { parseEntries, type Entry } from "./message-parts.js";
import type { RandomBytes } from "../keys/random-bytes.js";
import { uint32 } from "../keys/session.js";
import { signedName, type Setting } from "./setting.js";
import { deal, ELEMENT_BYTES } from "../keys/shamir.js";

/** A neighbour. */
export interface Peer {
  /** Its public key for masks. */
  readonly mask: Uint8Array;
  /** The key under which it seals shares for this participant. */
  readonly opening: Uint8Array;
}

/** Shares a neighbour dealt to this participant. */
export interface Held {
  readonly mask: Uint8Array;
  readonly seed: Uint8Array;
}

/** What a participant must not lose, nor show. */
export interface Secrets {
  readonly sealing: KeyPair;
  readonly mask: KeyPair;
  /** The seed of its self-mask. */
  readonly seed: Uint8Array;
}

/** What a participant knows once it has dealt. */
export interface Known {
  readonly setting: Setting;
  /** The participant's number in the plan. */
  readonly index: number;
  /** Its neighbours, by their numbers. */
  readonly peers: ReadonlyMap<number, Peer>;
}

/** What was dealt. */
interface DealtShares {
  /** The neighbours, by their numbers. */
  readonly peers: readonly (readonly [number, Peer])[];
  /** The participant's shares of its own secrets. */
  readonly own: Held;
  readonly sealed: readonly Entry[];
}

/** What arrived. */
interface OpenedShares {
  /** Who dealt. */
  readonly dealers: readonly number[];
  /** Dealers whose shares could not be opened. */
  readonly complaints: readonly number[];
  readonly held: readonly (readonly [number, Held])[];
}

/**
 * Checks the neighbours' keys of a roster and deals shares of both secrets to them.
 * @returns why not, if something is wrong with the roster.
 */
export function dealShares(
  body: Uint8Array,
  {
    setting,
    index,
    random,
    sealing,
    mask,
    seed,
  }: Secrets & { readonly setting: Setting; readonly index: number; readonly random: RandomBytes },
): DealtShares | string {
  const { session, identities, parties, neighbourhood } = setting;
  const entries = parseEntries(body, KEYS_BYTES, parties.participants);
  if (!entries) return "expected keys of participants in order";
  const allowed = new Set(neighbourhood.of(index));
  const name = signedName(setting);
  const found: { peer: number; theirs: Uint8Array; masking: Uint8Array }[] = [];
  for (const { index: peer, bytes } of entries) {
    if (!allowed.has(peer)) return `participant ${peer} is no neighbour`;
    const keys = bytes.subarray(0, 2 * KEY_BYTES);
    const signature = bytes.subarray(2 * KEY_BYTES);
    if (!signed("keys", name, peer, keys, signature, identities[peer]!)) {
      return `the keys of participant ${peer} are not signed by it`;
    }
    found.push({ peer, theirs: keys.slice(0, KEY_BYTES), masking: keys.slice(KEY_BYTES) });
  }
  if (found.length + 1 < neighbourhood.threshold) {
    return `expected at least ${neighbourhood.threshold - 1} neighbours, got ${found.length}`;
  }
  const holders = [index, ...found.map(({ peer }) => peer)].map((holder) => holder + 1);
  const masks = deal(mask.secret, neighbourhood.threshold, holders, random);
  const seeds = deal(seed, neighbourhood.threshold, holders, random);
  const agreement = agreementOf(sealing);
  const sealed: Entry[] = [];
  const peers: [number, Peer][] = [];
  const ours = heldBy(index, sealing.public);
  for (const [i, { peer, theirs, masking }] of found.entries()) {
    const placed = heldBy(peer, theirs);
    const keys = agreedKeys(session, "sealed shares", agreement, theirs, [
      [ours, placed],
      [placed, ours],
    ]);
    if (!keys) return `the key of participant ${peer} is of small order`;
    const text = concatBytes(masks[i + 1]!, seeds[i + 1]!);
    sealed.push({ index: peer, bytes: seal(keys[0]!, text, boundTo(session, index, peer)) });
    peers.push([peer, { mask: masking, opening: keys[1]! }]);
  }
  return { peers, own: { mask: masks[0]!, seed: seeds[0]! }, sealed };
}

/**
 * Opens the shares that neighbours dealt to a participant.
 * @returns why not, if they are not those of enough neighbours.
 */
export function openShares(
  body: Uint8Array,
  { setting, index, peers }: Known,
): OpenedShares | string {
  const { session, neighbourhood, parties } = setting;
  const entries = parseEntries(body, SEALED_BYTES, parties.participants);
  if (!entries) return "expected sealed shares of participants in order";
  // Fewer would not do for secrecy in a ring, either: step (2') there.
  if (entries.length + 1 < neighbourhood.threshold) {
    return `expected at least ${neighbourhood.threshold - 1} dealers, got ${entries.length}`;
  }
  const stray = entries.find(({ index: peer }) => !peers.has(peer));
  if (stray) return `participant ${stray.index} was not in the roster`;
  const complaints: number[] = [];
  const held: [number, Held][] = [];
  for (const { index: peer, bytes } of entries) {
    const text = open(peers.get(peer)!.opening, bytes, boundTo(session, peer, index));
    if (text) {
      held.push([peer, { mask: text.slice(0, ELEMENT_BYTES), seed: text.slice(ELEMENT_BYTES) }]);
    } else complaints.push(peer);
  }
  return { dealers: entries.map((entry) => entry.index), complaints, held };
}

/** What a sealed share is bound to: nobody can pass it on as another's. */
function boundTo(session: Uint8Array, from: number, to: number): Uint8Array {
  return concatBytes(session, uint32(from), uint32(to));
}
