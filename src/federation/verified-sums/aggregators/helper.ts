/**
 * The helper of two aggregators: checks with the leader what this forwards, and gives its share of the sum.
 * @module
 */
import {
  checkAggregator,
  decideShare,
  prepareShare,
  type AggregatorOptions,
} from "./aggregator.js";
import { encodeVector } from "../field/encoding.js";
import { OutputShares, type ReportRefusal } from "./output-shares.js";
import { HELPER } from "../proof/pine.js";
import { preparationBytes } from "../proof/preparation.js";
import { headBytes, parseHead, sealedBytes } from "./report.js";

/** Why a report may be refused; an answer that refuses holds the reason's position in this list, in one byte. */
export const REFUSALS: readonly ReportRefusal[] = [
  "malformed",
  "sealed",
  "proof",
  "seed",
  "query-point",
  "late",
];

/** One round's helper. */
export class Helper {
  readonly #options: AggregatorOptions;
  readonly #shares: OutputShares;

  constructor(options: AggregatorOptions) {
    this.#options = checkAggregator(options);
    this.#shares = new OutputShares(options.terms, { ...options, name: "helper" });
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
   * Checks a report.
   *
   * @param message of `Leader.receive`.
   * @returns for `Leader.answer`. A participant's second report is answered as malformed, without looking at
   *   it: what was sealed for one name opens under no other, so no report is checked twice.
   */
  receive(participant: string, message: Uint8Array): Uint8Array {
    const { terms, session } = this.#options;
    const { pine } = terms;
    if (this.#shares.given) return refusal("late");
    if (this.#shares.knows(participant)) return refusal("malformed");
    const sealedAt = headBytes(pine);
    const messageAt = sealedAt + sealedBytes(pine, HELPER);
    if (message.length !== messageAt + preparationBytes(pine)) {
      return refusal(this.#shares.refuse(participant, "malformed"));
    }
    const { nonce, publicShare, key } = parseHead(pine, message);
    const binding = { session, aggregator: HELPER, participant, nonce, publicShare };
    const sealed = message.subarray(sealedAt, messageAt);
    const prepared = prepareShare(this.#options, binding, key, sealed);
    if (typeof prepared === "string") return refusal(this.#shares.refuse(participant, prepared));
    const messages = [message.subarray(messageAt), prepared.message] as const;
    const share = decideShare(this.#options, prepared.state, messages);
    // So the leader accepts no one whom the helper refuses.
    if (typeof share === "string") return refusal(this.#shares.refuse(participant, share));
    this.#shares.accept(participant, share);
    return prepared.message;
  }

  /**
   * This aggregator's share of the sum, with its noise, once.
   *
   * @param included of `Leader.close`; all were accepted here, too.
   * @returns for `Leader.open`.
   * @throws DataError if one of them was not, or a share was given out before.
   */
  give(included: readonly string[]): Uint8Array {
    return encodeVector(this.#options.terms.pine.parameters.field, this.#shares.give(included));
  }

  /** Overwrites all shares; nothing is given out after that. */
  wipe(): void {
    this.#shares.wipe();
  }
}

function refusal(why: ReportRefusal): Uint8Array {
  return Uint8Array.of(REFUSALS.indexOf(why));
}
