/**
 * The last phase of an attempt: t participants have consented to a set, and their shares open its sum.
 *
 * From here on the attempt is never given up, so all that it needs can be kept and taken up again by a
 * later process of the curator.
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import { DataError } from "../../../core/errors.js";
import { decodeFrame, encodeFrame } from "../../protocol/messages/frame.js";
import { KEY_BYTES } from "../keys/keys.js";
import { parseEntries } from "./message-parts.js";
import { parseResidues, residueBytes, signedValues } from "../integers/residues.js";
import type { Setting } from "./setting.js";
import { ELEMENT_BYTES } from "../keys/shamir.js";
import { Unmasking, type Dealer } from "./unmasking.js";

/** What is known when the consents go out. */
export interface OpeningState {
  /** The participants whose masks are in the sum, by number, ascending. */
  readonly dealers: ReadonlyMap<number, Dealer>;
  /** The numbers of those whose integers are in it, too, ascending. */
  readonly included: readonly number[];
  /** By number of the dealer: the participants who could not open the shares it sent them. */
  readonly complaints: ReadonlyMap<number, ReadonlySet<number>>;
  /** The bodies of `included` and `consents`. */
  readonly statement: Uint8Array;
  readonly signatures: Uint8Array;
  /** Masked. */
  readonly sum: Uint32Array;
}

/** An opened sum, or what is in the way. */
export type Opened =
  | { readonly values: Float64Array }
  | { readonly missing: readonly number[]; readonly culprits: readonly number[] };

export class Opening {
  readonly state: OpeningState;
  readonly #setting: Setting;
  readonly #unmasking: Unmasking;
  readonly #included: ReadonlySet<number>;
  readonly #answered = new Set<number>();

  constructor(setting: Setting, state: OpeningState) {
    this.state = state;
    this.#setting = setting;
    this.#included = new Set(state.included);
    this.#unmasking = new Unmasking(setting, state.dealers, this.#included);
  }

  /** Whether a participant is in the sum. */
  includes(index: number): boolean {
    return this.#included.has(index);
  }

  /** Whether its shares have come. */
  hasAnswered(index: number): boolean {
    return this.#answered.has(index);
  }

  /** Whether the shares of all in the sum have come. */
  get complete(): boolean {
    return this.#answered.size === this.#included.size;
  }

  /** Numbers of the participants in the sum who have not sent the shares that open it. */
  get missing(): number[] {
    return this.state.included.filter((index) => !this.#answered.has(index));
  }

  /** Takes a participant's shares; says what is wrong with them. */
  take(from: number, body: Uint8Array): string | undefined {
    const { dealers, complaints } = this.state;
    const entries = parseEntries(body, ELEMENT_BYTES, this.#setting.parties.participants);
    const expected = [from, ...this.#setting.neighbourhood.of(from)]
      .filter((dealer) => dealers.has(dealer) && !complaints.get(dealer)?.has(from))
      .sort((a, b) => a - b);
    if (entries?.length !== expected.length || expected.some((d, i) => entries[i]!.index !== d)) {
      return "expected a share of each dealer";
    }
    const reason = this.#unmasking.take(from, entries);
    if (reason === undefined) this.#answered.add(from);
    return reason;
  }

  /** Takes the masks off if every secret can be recovered from the shares so far. */
  open(): Opened {
    const { sum } = this.state;
    const culprits = this.#unmasking.remove(sum);
    if (culprits) return { missing: this.missing, culprits };
    return { values: signedValues(sum, this.#setting.bits) };
  }

  /** What a later process needs; nothing in it that the curator did not see. */
  snapshot(): Uint8Array {
    const { dealers, included, complaints, statement, signatures, sum } = this.state;
    const header = {
      dealers: [...dealers.keys()],
      included,
      complaints: [...complaints].map(([dealer, by]) => [dealer, [...by]]),
      statement: statement.length,
      signatures: signatures.length,
    };
    const keys = [...dealers.values()].flatMap(({ maskKey, commitment }) => [maskKey, commitment]);
    const bytes = concatBytes(...keys, statement, signatures, residueBytes(sum));
    return encodeFrame(header, undefined, bytes);
  }
}

/**
 * The state that {@link Opening.snapshot} kept.
 * @throws DataError if it is of another setting.
 */
export function openingState(setting: Setting, snapshot: Uint8Array): OpeningState {
  const { header, bytes } = decodeFrame(snapshot);
  const kept = header as unknown as {
    dealers: number[];
    included: number[];
    complaints: [number, number[]][];
    statement: number;
    signatures: number;
  };
  let at = 0;
  const next = (length: number) => bytes.slice(at, (at += length));
  const dealers = new Map(
    kept.dealers.map((index) => [
      index,
      { maskKey: next(KEY_BYTES), commitment: next(KEY_BYTES) } satisfies Dealer,
    ]),
  );
  const statement = next(kept.statement);
  const signatures = next(kept.signatures);
  const sum = parseResidues(bytes.subarray(at), setting.entries, setting.bits);
  if (!sum) throw new DataError("run store: a secure sum of another plan was kept");
  return {
    dealers,
    included: kept.included,
    complaints: new Map(kept.complaints.map(([dealer, by]) => [dealer, new Set(by)])),
    statement,
    signatures,
    sum,
  };
}
