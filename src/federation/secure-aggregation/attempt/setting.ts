/**
 * What every participant and the curator of one attempt agree on beforehand; all of it from the plan.
 * @module
 */
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { integer } from "../../../core/checks.js";
import { KEY_BYTES } from "../keys/keys.js";
import type { Parties } from "../plan/parties.js";
import type { ModulusBits } from "../integers/residues.js";
import { SESSION_BYTES } from "../keys/session.js";

/** Bytes of a digest of the numbers. */
const NUMBERS_BYTES = 32;

/** Who deals shares to whom and masks with whom. */
export interface Neighbourhood {
  /** Neighbours of a participant, increasing, without itself. Symmetric. */
  of(index: number): readonly number[];
  /** Shares that give a secret back, of those its dealer and the dealer's neighbours hold. */
  readonly threshold: number;
}

/** One attempt's setting; made by {@link createSetting}. */
export interface Setting {
  readonly parties: Parties;
  /** Ed25519 public keys, by index: known through the plan, not through the curator. */
  readonly identities: readonly Uint8Array[];
  readonly neighbourhood: Neighbourhood;
  /** The identifier that `sessionId` makes of run, round and attempt. */
  readonly session: Uint8Array;
  /** Digest of grid, sensitivity and noise (`termsDigest`): whoever computed others takes part in no sum with this one. */
  readonly numbers: Uint8Array;
  /** Integers per participant. */
  readonly entries: number;
  readonly bits: ModulusBits;
}

/** Everyone is everyone's neighbour: Bonawitz et al. (2017). */
export function everyone({ participants, threshold }: Parties): Neighbourhood {
  const all = Array.from({ length: participants }, (_, i) => i);
  return { threshold, of: (index) => all.filter((i) => i !== index) };
}

/**
 * A checked setting.
 * @throws RangeError if identities, session or sizes do not go together.
 */
export function createSetting(setting: Setting): Setting {
  const { parties, identities, session, numbers, entries, bits } = setting;
  integer("entries", entries, 1);
  if (identities.length !== parties.participants) {
    throw new RangeError(
      `identities: expected ${parties.participants}, one per participant, got ${identities.length}`,
    );
  }
  if (identities.some((key) => key.length !== KEY_BYTES)) {
    throw new RangeError(`identities: expected public keys of ${KEY_BYTES} bytes`);
  }
  if (new Set(identities.map(String)).size !== identities.length) {
    throw new RangeError("identities: expected distinct keys; one key would count as two parties");
  }
  if (session.length !== SESSION_BYTES) {
    throw new RangeError(`session: expected ${SESSION_BYTES} bytes, got ${session.length}`);
  }
  if (numbers.length !== NUMBERS_BYTES) {
    throw new RangeError(`numbers: expected ${NUMBERS_BYTES} bytes, got ${numbers.length}`);
  }
  if (bits !== 32 && bits !== 64) {
    throw new RangeError(`bits: expected 32 or 64, got ${String(bits)}`);
  }
  return Object.freeze({ ...setting });
}

/**
 * What stands for session and numbers in all that is signed. Grid and noise follow from sizes that the curator tells each
 * participant. One that told most of them other sizes would have their noise on a coarser grid, and so little of it in the sum that
 * the others were hidden by their own shares alone; so keys and consents of who was told other sizes are nobody's here.
 */
export function signedName({ session, numbers }: Pick<Setting, "session" | "numbers">): Uint8Array {
  return sha256(concatBytes(utf8ToBytes("mp-mtl numbers "), session, numbers));
}
