/** A colluder that announces an honest participant's public keys as its own: no key is used twice, and no mask stands twice under integers. */
import { concatBytes } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { AggregationParticipant } from "../../../../src/federation/secure-aggregation/attempt/participant.js";
import { randomBytesFrom } from "../../../../src/federation/secure-aggregation/keys/random-bytes.js";
import {
  keyPair,
  selfMaskKey,
  sign,
} from "../../../../src/federation/secure-aggregation/keys/keys.js";
import { addMask } from "../../../../src/federation/secure-aggregation/attempt/masks.js";
import {
  entriesBytes,
  parseEntries,
} from "../../../../src/federation/secure-aggregation/attempt/message-parts.js";
import {
  KEYS_BYTES,
  message,
  SEALED_BYTES,
} from "../../../../src/federation/secure-aggregation/attempt/messages.js";
import { parseResidues } from "../../../../src/federation/secure-aggregation/integers/residues.js";
import { signedName } from "../../../../src/federation/secure-aggregation/attempt/setting.js";
import { deal, randomElement } from "../../../../src/federation/secure-aggregation/keys/shamir.js";
import { identity, settingOf } from "../harness.js";

const ENTRIES = 64;
const [VICTIM, HONEST, COPIER] = [0, 1, 2];
const HOLDERS = [1, 2, 3];

test("keys with one who copied another's are others than with that one", () => {
  const values = Float64Array.from({ length: ENTRIES }, (_, i) => 1000 + 3 * i);
  const setting = settingOf({ n: 3, threshold: 3, colluding: 1, values: [values, values, values] });
  const { session } = setting;
  const seeded = () => randomBytesFrom({ mode: "seeded", seed: "victim" });
  const secret = identity(VICTIM).secret;
  const victim = new AggregationParticipant({
    setting,
    index: VICTIM,
    identity: secret,
    values,
    random: seeded(),
  });
  victim.start();
  const theirs = randomBytesFrom({ mode: "seeded", seed: "honest" });
  const copied = concatBytes(keyPair(theirs).public, keyPair(theirs).public);
  const roster = [HONEST, COPIER].map((index) => {
    const signature = sign("keys", signedName(setting), index, copied, identity(index).secret);
    return { index, bytes: concatBytes(copied, signature) };
  });
  expect(roster[0]!.bytes).toHaveLength(KEYS_BYTES);
  const reply = (kind: "roster" | "inbox", entries: { index: number; bytes: Uint8Array }[]) => {
    const [effect] = victim.receive(message(kind, session, entriesBytes(entries)));
    if (effect?.kind !== "send") throw new Error(JSON.stringify(effect));
    return effect.message;
  };
  const shares = reply("roster", roster);

  // What the victim drew, again: its keys, its seed, the shares of both.
  const random = seeded();
  const [, mask] = [keyPair(random), keyPair(random)];
  const seed = randomElement(random);
  const masks = deal(mask.secret, 3, HOLDERS, random);
  const seeds = deal(seed, 3, HOLDERS, random);
  const texts = [HONEST, COPIER].map((at) => concatBytes(masks[at]!, seeds[at]!));
  const sealed = parseEntries(shares.subarray(-2 * (4 + SEALED_BYTES)), SEALED_BYTES, 3)!;
  const differ = (a: Uint8Array, b: Uint8Array) => texts[0]!.map((_, i) => a[i]! ^ b[i]!);
  // Under one stream of ChaCha20 the difference of texts would lie open.
  expect(differ(sealed[0]!.bytes, sealed[1]!.bytes)).not.toEqual(differ(texts[0]!, texts[1]!));

  // Once the seed of its own mask is open, as of all in a sum, masks of pairs are what is left. Twice the same leaves every lowest bit.
  const input = reply(
    "inbox",
    [HONEST, COPIER].map((index) => ({ index, bytes: new Uint8Array(SEALED_BYTES) })),
  );
  const words = parseResidues(input.subarray(-8 * ENTRIES), ENTRIES, 64)!;
  addMask(words, selfMaskKey(session, seed, VICTIM), 64, -1);
  const odd = Array.from(values, (value, i) => (words[2 * i]! & 1) === value % 2);
  expect(odd).toContain(false);
});
