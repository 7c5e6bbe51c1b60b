/**
 * The leader of two aggregators: takes reports, has each checked with the helper, and opens the sum.
 *
 *   participant -> leader  report
 *   leader -> helper       the helper's sealed share, the leader's message of the check
 *   helper -> leader       its own message, or why it refuses
 *   leader -> helper       whose reports are in the sum
 *   helper -> leader       its share of the sum, with its noise
 *
 * Each decides for itself from both messages, and a report is in the sum if both accept it. One that fails is
 * refused under its participant's name, and the round goes on without it.
 * @module
 */
import { bytes } from "../../../core/checks.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { DataError } from "../../../core/errors.js";
import {
  checkAggregator,
  decideShare,
  prepareShare,
  type AggregatorOptions,
} from "./aggregator.js";
import { decodeVector, encodeVector } from "../field/encoding.js";
import { REFUSALS } from "./helper.js";
import { OutputShares, type ReportRefusal } from "./output-shares.js";
import { HELPER, LEADER } from "../proof/pine.js";
import type { Preparation } from "../proof/preparation.js";
import { headBytes, parseReport } from "./report.js";
import { checkTerms, type VerifiedTerms } from "../plan/terms.js";

/** What becomes of a report. */
export type ReportReception =
  /** For the helper: `Helper.receive`. */
  | {
      readonly kind: "forward";
      /** The helper's part of the report, with the leader's message. */
      readonly message: Uint8Array;
    }
  /** It is not in the sum. */
  | {
      readonly kind: "refused";
      /** Why it is not in the sum. */
      readonly why: ReportRefusal;
    }
  /** A second one of the same participant changes nothing. */
  | { readonly kind: "twice" };

/** One round's leader. */
export class Leader {
  readonly #options: AggregatorOptions;
  readonly #shares: OutputShares;
  /** Sent to the helper, not yet answered. */
  readonly #prepared = new Map<string, Preparation>();
  /** Whose reports are in the sum, once that is settled. */
  #included: readonly string[] | undefined;

  constructor(options: AggregatorOptions) {
    this.#options = checkAggregator(options);
    this.#shares = new OutputShares(options.terms, { ...options, name: "leader" });
  }

  /** Names of the participants whose reports are valid. */
  get accepted(): string[] {
    return this.#shares.accepted;
  }

  /** Participants whose reports are not, each with the reason. */
  get refused(): ReadonlyMap<string, ReportRefusal> {
    return this.#shares.refused;
  }

  /**
   * Takes a report and checks what the leader alone can check of it.
   * @param participant who sends, as the transport has it.
   */
  receive(participant: string, report: Uint8Array): ReportReception {
    if (this.#included) return { kind: "refused", why: "late" };
    if (this.#shares.knows(participant) || this.#prepared.has(participant)) {
      return { kind: "twice" };
    }
    const { terms, session } = this.#options;
    const parts = parseReport(terms.pine, report);
    if (!parts) return { kind: "refused", why: this.#shares.refuse(participant, "malformed") };
    const { nonce, publicShare, key, sealed } = parts;
    const binding = { session, aggregator: LEADER, participant, nonce, publicShare };
    const prepared = prepareShare(this.#options, binding, key, sealed[LEADER]);
    if (typeof prepared === "string") {
      return { kind: "refused", why: this.#shares.refuse(participant, prepared) };
    }
    this.#prepared.set(participant, prepared);
    const head = report.subarray(0, headBytes(terms.pine));
    return { kind: "forward", message: concatBytes(head, sealed[HELPER], prepared.message) };
  }

  /**
   * The helper's answer to what was forwarded of a participant.
   *
   * @returns "accepted", or why the report is refused.
   * @throws DataError if nothing of this participant was forwarded.
   */
  answer(participant: string, reply: Uint8Array): "accepted" | ReportRefusal {
    const prepared = this.#prepared.get(participant);
    if (!prepared) throw new DataError(`verified sum: nothing of ${participant} awaits an answer`);
    this.#prepared.delete(participant);
    if (this.#included) return this.#shares.refuse(participant, "late");
    const why = reply.length === 1 ? REFUSALS[reply[0]!] : undefined;
    if (why) return this.#shares.refuse(participant, why);
    const share = decideShare(this.#options, prepared.state, [prepared.message, reply]);
    if (typeof share === "string") return this.#shares.refuse(participant, share);
    this.#shares.accept(participant, share);
    return "accepted";
  }

  /**
   * Settles whose reports are in the sum: what comes later is refused.
   * @returns for `Helper.give`.
   */
  close(): readonly string[] {
    return (this.#included ??= this.accepted);
  }

  /**
   * This aggregator's share of the sum, with its noise, once: to be kept before the helper is asked for its own, with
   * which `openSum` opens the sum.
   * @throws DataError if it was given out before.
   */
  give(): Uint8Array {
    const { field } = this.#options.terms.pine.parameters;
    return encodeVector(field, this.#shares.give(this.close()));
  }

  /**
   * Opens the sum, once.
   *
   * @param helperShare of `Helper.give`, for the participants that `close` returned.
   * @returns the integer statistic summed over them, with the noise of both aggregators, packed.
   * @throws DataError if the helper's share is none, or the sum was opened before.
   */
  open(helperShare: Uint8Array): Float64Array {
    const { grid, pine } = this.#options.terms;
    if (!decodeVector(pine.parameters.field, helperShare, grid.entries)) {
      throw new DataError("verified sum: the helper's share is malformed");
    }
    return openSum(this.#options.terms, this.give(), helperShare)!;
  }

  /** Overwrites all shares; nothing is opened after that. */
  wipe(): void {
    this.#shares.wipe();
    this.#prepared.clear();
  }
}

/**
 * The integer statistic of both aggregators' shares, with the noise of both, packed.
 * @param shares of `Leader.give` and `Helper.give`.
 * @returns undefined if one of them is malformed.
 */
export function openSum(
  terms: VerifiedTerms,
  ...shares: readonly [leader: Uint8Array, helper: Uint8Array]
): Float64Array | undefined {
  const { grid, pine } = checkTerms(terms);
  bytes("leader's share", shares[0]);
  bytes("helper's share", shares[1]);
  const { field } = pine.parameters;
  const [own, other] = shares.map((bytes) => decodeVector(field, bytes, grid.entries));
  if (!own || !other) return undefined;
  return Float64Array.from(own, (x, i) => Number(field.signed(field.add(x, other[i]!))));
}
