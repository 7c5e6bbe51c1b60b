/**
 * What every participant and the curator of one attempt agree on beforehand; all of it from the plan.
 * @module
 */
import { integer } from "../../core/checks.js";
import { KEY_BYTES } from "./keys.js";
import type { Parties } from "./parties.js";
import type { ModulusBits } from "./residues.js";
import { SESSION_BYTES } from "./session.js";

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
  /** From `sessionId`. */
  readonly session: Uint8Array;
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
  const { parties, identities, session, entries, bits } = setting;
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
  if (bits !== 32 && bits !== 64) {
    throw new RangeError(`bits: expected 32 or 64, got ${String(bits)}`);
  }
  return Object.freeze({ ...setting });
}
