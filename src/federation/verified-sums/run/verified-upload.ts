/**
 * The verified form of a participant's contribution: for every task a report, in two secret shares, sealed, with a proof of its norm.
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import type { ParticipantOutput } from "../../participant/participant-events.js";
import type { ParticipantRounds } from "../../participant/participant-rounds.js";
import type { CallMessage, RoundUpload } from "../../participant/round-upload.js";
import type { RandomBytes } from "../../secure-aggregation/keys/random-bytes.js";
import { makeReport, taskIntegers } from "../aggregators/report.js";
import { attemptSession, reporterName, type NamedRun } from "../aggregators/round-name.js";
import type { VerifiedTerms } from "../plan/terms.js";

/** What reports are made of. */
export interface VerifiedUploadOptions {
  readonly run: NamedRun;
  /** What is summed in each round: entry t - 1 is of round t. */
  readonly terms: readonly VerifiedTerms[];
  readonly participant: string;
  /** Public keys of leader and helper. */
  readonly aggregators: readonly [Uint8Array, Uint8Array];
  readonly random: RandomBytes;
}

/**
 * Reports whenever it is invited. How many attempts there are at a round is no matter of trust: an honest aggregator gives its
 * share of a round's sum once, and reports of different attempts do not go together.
 */
export class VerifiedUpload implements RoundUpload {
  readonly #rounds: ParticipantRounds;
  readonly #output: ParticipantOutput;
  readonly #options: VerifiedUploadOptions;
  /** An invitation that was not followed yet. */
  #asked: { readonly round: number; readonly attempt: number } | undefined;
  /** What was sent last: the same when asked again, since to prove takes time. */
  #sent:
    { readonly round: number; readonly attempt: number; readonly bytes: Uint8Array } | undefined;

  constructor(
    rounds: ParticipantRounds,
    output: ParticipantOutput,
    options: VerifiedUploadOptions,
  ) {
    this.#rounds = rounds;
    this.#output = output;
    this.#options = options;
  }

  receive(message: CallMessage): boolean {
    if (message.type !== "aggregate") return false;
    const { round, attempt, bytes } = message;
    if (bytes.length > 0) {
      this.#output.status({ kind: "ignored", why: "an invitation to a sum with something in it" });
      return false;
    }
    this.#asked = { round, attempt };
    return true;
  }

  open(): void {
    const { round, rounds } = this.#rounds;
    const asked = this.#asked;
    if (asked?.round !== round) return;
    this.#asked = undefined;
    const { attempt } = asked;
    const again = this.#sent?.round === round && this.#sent.attempt === attempt;
    const bytes = again ? this.#sent!.bytes : this.#reports(round, attempt);
    this.#sent = { round, attempt, bytes };
    this.#output.say({ type: "aggregate", round, attempt, bytes });
    if (!again) this.#output.status({ kind: "uploaded", round, rounds });
  }

  drawn(): undefined {
    return undefined;
  }

  over(): void {
    this.#sent = undefined;
  }

  close(): void {
    // Every report has keys of its own, which are gone when it is made.
  }

  /** One after the other, in the order of positions. */
  #reports(round: number, attempt: number): Uint8Array {
    const { run, participant, aggregators, random } = this.#options;
    const terms = this.#options.terms[round - 1]!;
    const { dimension: d } = terms.grid;
    const session = attemptSession(run, round, attempt);
    const uploads = this.#rounds.upload();
    const reports = this.#rounds.positions.map((position, k) => {
      const integers = taskIntegers(terms.grid, uploads.subarray(k * d, (k + 1) * d));
      const reporter = reporterName(participant, position);
      const report = makeReport({
        terms,
        session,
        participant: reporter,
        aggregators,
        integers,
        random,
      });
      integers.fill(0);
      return report;
    });
    return concatBytes(...reports);
  }
}
