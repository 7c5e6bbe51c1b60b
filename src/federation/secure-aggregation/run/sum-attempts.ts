/**
 * A participant's side of a run on secure sums: it takes part in attempts at a round until it has given
 * its shares to one, and never in another of that round after that.
 *
 * Where neighbours stand in a ring, it also takes part in an attempt in one process only: a second one, after a restart, would have
 * other keys, and consent to another set, so that t consents to either could come together (`ring.ts`). It is a drop-out
 * of that attempt and comes back in the next.
 * @module
 */
import { bytesToHex } from "@noble/hashes/utils.js";
import { OptionError } from "../../../core/errors.js";
import { equalBytes } from "../../protocol/messages/equal-bytes.js";
import { identityKey } from "../keys/keys.js";
import { AggregationParticipant } from "../attempt/participant.js";
import { identitiesOf, shareOptionsOf, type PlannedAggregation } from "../plan/planned.js";
import type { RandomBytes } from "../keys/random-bytes.js";
import { neighbourhoodOf } from "../attempt/ring.js";
import { sessionId } from "../keys/session.js";
import { createSetting } from "../attempt/setting.js";
import { termsDigest, type RoundTerms } from "../plan/terms.js";

/** Who takes part. */
export interface SumAttemptsOptions {
  readonly planned: PlannedAggregation;
  /** Hash of the plan, and run and session. */
  readonly plan: string;
  readonly run: string;
  readonly participant: string;
  /** Ed25519 secret. */
  readonly identity: Uint8Array;
  readonly random: RandomBytes;
  /** Rounds that an earlier process has given its shares for. */
  readonly opened: Iterable<number>;
  /** By round, the latest attempt in which an earlier process took part. */
  readonly begun: ReadonlyMap<number, number>;
}

/** What follows from a message, in this order. */
export type Answer =
  | {
      readonly kind: "send";
      readonly attempt: number;
      readonly bytes: Uint8Array;
      /** The relay that it is for; left out: the curator. */
      readonly relay?: string;
    }
  /** Keep it durably before what follows is sent: it takes part in this attempt, and in it never again. */
  | { readonly kind: "begun" }
  /** Keep it durably before what follows is sent. */
  | { readonly kind: "opened" }
  | { readonly kind: "ignored"; readonly why: string };

/** The open round, as the participant's half has it. */
export interface OpenRound {
  readonly round: number;
  readonly terms: RoundTerms;
  /** Its integers, noise included: the same in every attempt. */
  readonly integers: () => Float64Array;
}

export class SumAttempts {
  readonly #options: SumAttemptsOptions;
  readonly #index: number;
  readonly #identities: readonly Uint8Array[];
  readonly #relay: string | undefined;
  readonly #opened: Set<number>;
  #current: { round: number; attempt: number; machine: AggregationParticipant } | undefined;

  /** @throws OptionError if the plan knows the participant by another key or not at all. */
  constructor(options: SumAttemptsOptions) {
    const { planned, participant, identity, opened } = options;
    this.#options = options;
    this.#identities = identitiesOf(planned);
    this.#index = planned.participants.findIndex(({ name }) => name === participant);
    this.#relay = planned.participants[this.#index]?.relay;
    this.#opened = new Set(opened);
    if (this.#index < 0) {
      throw new OptionError(`participant: ${participant} is not one of the plan's aggregation`);
    }
    const key = identityKey(identity);
    if (!equalBytes(key, this.#identities[this.#index]!)) {
      throw new OptionError(
        `identity: the plan knows ${participant} by another key than ${bytesToHex(key)}`,
      );
    }
  }

  /**
   * A message of an attempt, empty for the invitation to it.
   * @param straight whether the answer is for the curator, whatever the plan says of relays.
   */
  receive(attempt: number, bytes: Uint8Array, open: OpenRound, straight = false): Answer[] {
    const { round } = open;
    const current = this.#current?.round === round ? this.#current : undefined;
    const before = this.#options.begun.get(round) ?? 0;
    const known = current?.attempt ?? before;
    if (!current && attempt === before)
      return [{ kind: "ignored", why: "an attempt that was begun before a restart" }];
    if (attempt < known) return [{ kind: "ignored", why: "a message of an attempt that is over" }];
    if (attempt > known) {
      if (bytes.length > 0) return [{ kind: "ignored", why: "an attempt that was not begun" }];
      if (this.#opened.has(round)) {
        return [{ kind: "ignored", why: "another attempt at a sum that was opened" }];
      }
      return this.#join(attempt, open);
    }
    const effects = bytes.length === 0 ? current!.machine.start() : current!.machine.receive(bytes);
    return effects.map((effect): Answer => {
      if (effect.kind === "refused") return { kind: "ignored", why: effect.reason };
      if (effect.kind === "send") {
        const { message, forRelay } = effect;
        const answer = { kind: "send", attempt, bytes: message } as const;
        const relay = forRelay && !straight ? this.#relay : undefined;
        return relay === undefined ? answer : { ...answer, relay };
      }
      this.#opened.add(round);
      return effect;
    });
  }

  /** Wipes keys from memory. */
  close(): void {
    this.#current?.machine.close();
  }

  #join(attempt: number, { round, terms, integers }: OpenRound): Answer[] {
    this.close();
    const { planned, plan, run, identity, random } = this.#options;
    const { parties } = shareOptionsOf(planned);
    const session = sessionId({ plan, run, round, attempt });
    const setting = createSetting({
      parties,
      identities: this.#identities,
      neighbourhood: neighbourhoodOf(parties, session),
      session,
      numbers: termsDigest(terms),
      entries: terms.grid.entries,
      bits: terms.bits,
    });
    const machine = new AggregationParticipant({
      setting,
      index: this.#index,
      identity,
      values: integers(),
      random,
    });
    this.#current = { round, attempt, machine };
    const sent = machine
      .start()
      .flatMap((e): Answer[] =>
        e.kind === "send" ? [{ kind: "send", attempt, bytes: e.message }] : [],
      );
    return parties.ring ? [{ kind: "begun" }, ...sent] : sent;
  }
}
