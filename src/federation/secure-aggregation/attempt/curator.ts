/**
 * The curator of one attempt at a secure sum, as a pure machine: messages and deadlines in, effects out.
 *
 * It passes on public keys and sealed shares, adds up masked integers as they arrive, one by one or in the sums of
 * relays, and learns the sum when at least t participants have consented to who is in it. It keeps one vector, whatever the number
 * of participants. Up to the consents an attempt may fail and be tried again; once the consents are
 * out it is never given up: `deadline` then only tells who is still awaited.
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import { Answers, type Gathering } from "./answers.js";
import { message, parseMessage, type MessageKind } from "./messages.js";
import { entriesBytes, setBytes } from "./message-parts.js";
import { Opening, openingState } from "./opening.js";
import type { Setting } from "./setting.js";
import type { RelayGroup } from "../../relays/plan/groups.js";
import { RelayedInputs, type RelayedEffect, type SendEffect } from "../../relays/relayed-inputs.js";

/** What a curator's driver must do, in this order. */
export type CuratorEffect =
  | RelayedEffect
  /** One message for all of these; no harm if others get it too. */
  | { readonly kind: "announce"; readonly to: readonly number[]; readonly message: Uint8Array }
  /** A message was ignored. */
  | { readonly kind: "refused"; readonly from: number; readonly reason: string }
  /** From now on the sum can be opened: keep the snapshot, durably, before what follows is sent. */
  | {
      readonly kind: "opening";
      readonly included: readonly number[];
      readonly snapshot: Uint8Array;
    }
  /** The sum of the integers of those included, each rounded to a double. */
  | { readonly kind: "sum"; readonly values: Float64Array; readonly included: readonly number[] }
  /** The attempt is over, nothing was opened; `culprits` should be left out of the next. */
  | { readonly kind: "failed"; readonly reason: string; readonly culprits: readonly number[] }
  /** The sum cannot be had yet: these have not answered, these answered wrongly. */
  | {
      readonly kind: "waiting";
      readonly missing: readonly number[];
      readonly culprits: readonly number[];
    };

/** What a curator is made of. */
export interface CuratorOptions {
  readonly setting: Setting;
  /** Participants left out, culprits of earlier attempts. */
  readonly excluded?: readonly number[];
  /** Relays with their groups, at all levels; a relay's number is its place here. */
  readonly relays?: readonly RelayGroup[];
  /** Relays to do without from the start: those beneath them send straight. */
  readonly straight?: ReadonlySet<number>;
  /** What an earlier process kept when this attempt came to be opened: it goes on from there. */
  readonly snapshot?: Uint8Array | undefined;
}

type Phase = Gathering | "reveal" | "done" | "failed";

export class AggregationCurator {
  readonly #setting: Setting;
  readonly #answers: Answers;
  readonly #relayed: RelayedInputs;
  #expected: Set<number>;
  /** Who dealt shares, who is in the sum: what is signed. */
  #statement: Uint8Array = new Uint8Array();
  #opening: Opening | undefined;
  #phase: Phase = "keys";

  constructor(options: CuratorOptions) {
    const { setting, excluded = [], snapshot, relays = [], straight = new Set() } = options;
    this.#setting = setting;
    this.#answers = new Answers(setting);
    this.#relayed = new RelayedInputs({
      setting,
      groups: relays,
      straight,
      isAwaited: (index) => this.#expected.has(index) && !this.#answers.of("input").has(index),
      inbox: (to) => this.#send(to, "inbox", this.#answers.inboxOf(to)),
    });
    const everyone = Array.from({ length: setting.parties.participants }, (_, i) => i);
    this.#expected = new Set(everyone);
    for (const index of excluded) this.#expected.delete(index);
    if (!snapshot) return;
    this.#opening = new Opening(setting, openingState(setting, snapshot));
    this.#phase = "reveal";
  }

  /** What is awaited: the kind of message, "done" or "failed". */
  get phase(): Phase {
    return this.#phase;
  }

  /** Those whose message of this phase has not come. */
  get missing(): number[] {
    const phase = this.#phase;
    if (phase === "done" || phase === "failed") return [];
    if (phase === "reveal") return this.#opening!.missing;
    return [...this.#expected].filter((index) => !this.#answers.of(phase).has(index));
  }

  /** Relays on whose way somebody was lost, who dropped out, or whom one of them left out. */
  get shortRelays(): Iterable<number> {
    return this.#relayed.short;
  }

  /** A message of a participant; the transport vouches for its sender. */
  receive(from: number, bytes: Uint8Array): CuratorEffect[] {
    const refuse = (reason: string): CuratorEffect[] => [{ kind: "refused", from, reason }];
    const parsed = parseMessage(bytes, this.#setting.session);
    if (typeof parsed === "string") return refuse(parsed);
    const { kind, body } = parsed;
    const phase = this.#phase;
    if (phase === "done" || phase === "failed") return refuse(`the attempt is ${phase}`);
    if (kind !== phase) return refuse(`"${kind}" where "${phase}" is awaited`);
    if (phase === "reveal") return this.#reveal(from, body);
    if (!this.#expected.has(from)) return refuse("it is not, or no longer, part of this attempt");
    if (phase === "input" && this.#relayed.isRelayed(from) && !complains(body)) {
      return refuse("its input is to come by its relay");
    }
    const { taken, wrong } = this.#answers.take(phase, from, body, this.#statement);
    if (wrong !== undefined) return refuse(wrong);
    if (!taken) return [];
    const closed = this.#closeIfComplete(phase);
    return closed.length > 0 || phase !== "input" ? closed : this.#relayed.counted(from);
  }

  /** A message of a relay, by its number; the transport vouches for its sender. */
  receiveFromRelay(relay: number, bytes: Uint8Array): readonly CuratorEffect[] {
    if (this.#phase !== "input") return [];
    const taken = this.#relayed.receive(relay, bytes);
    if (!("sum" in taken)) return taken;
    this.#answers.takeSum(taken.members, taken.sum);
    // Whose input the relay does not have is a drop-out.
    for (const member of taken.gone) this.#expected.delete(member);
    return [...taken.asked, ...this.#closeIfComplete("input")];
  }

  /** A relay is there again, which may have been restarted since. */
  relayBack(relay: number): CuratorEffect[] {
    return this.#phase === "input" ? this.#relayed.relayBack(relay) : [];
  }

  /** Closes the phase with those who have answered. */
  deadline(): CuratorEffect[] {
    const phase = this.#phase;
    if (phase === "done" || phase === "failed") return [];
    if (phase === "reveal") return this.#open();
    const late = phase === "input" ? this.#relayed.hurry() : [];
    return late.length > 0 ? late : this.#close(phase);
  }

  /**
   * Sends the phase's message again to those who have not answered: messages may get lost.
   * @param only to one of them; else to all, but for those of whom their relays know more.
   */
  remind(only?: number): CuratorEffect[] {
    const late = this.missing.filter((index) => only === undefined || index === only);
    switch (this.#phase) {
      case "shares":
        return late.map((to) => this.#send(to, "roster", this.#answers.roster(to)));
      case "input":
        if (only !== undefined) return late.map((to) => this.#relayed.inbox(to));
        return this.#relayed.remind(late);
      case "consent":
        return late.map((to) => this.#send(to, "included", this.#statement));
      case "reveal": {
        // Both: whoever missed the first consents now, for itself.
        const { statement, signatures } = this.#opening!.state;
        return late.flatMap((to) => [
          this.#send(to, "included", statement),
          this.#send(to, "consents", signatures),
        ]);
      }
      default:
        return [];
    }
  }

  // --- what participants say ---

  /** Late consents do not count any more; shares of everyone in the sum do. */
  #reveal(from: number, body: Uint8Array): CuratorEffect[] {
    const opening = this.#opening!;
    const refuse = (reason: string): CuratorEffect[] => [{ kind: "refused", from, reason }];
    if (!opening.includes(from)) return refuse("it is not in the sum");
    if (opening.hasAnswered(from)) return [];
    const reason = opening.take(from, body);
    if (reason) return refuse(`"reveal": ${reason}`);
    return opening.complete ? this.#open() : [];
  }

  // --- phases ---

  #close(phase: Gathering): CuratorEffect[] {
    const present = this.#answers.of(phase);
    const { threshold } = this.#setting.parties;
    if (present.size < threshold) {
      return this.#fail(
        `"${phase}": expected at least ${threshold} participants, got ${present.size}`,
      );
    }
    const thin = this.#answers.thin(phase);
    if (thin.length > 0) {
      return this.#fail(
        `"${phase}": the secrets of ${thin.length} participants could not be recovered`,
        phase === "input" ? thin.filter((dealer) => this.#answers.complaints.has(dealer)) : [],
      );
    }
    const members = [...present.keys()].sort((a, b) => a - b);
    this.#expected = new Set(members);
    switch (phase) {
      case "keys":
        this.#phase = "shares";
        return members.map((to) => this.#send(to, "roster", this.#answers.roster(to)));
      case "shares":
        this.#phase = "input";
        return [...this.#relayed.begin(), ...members.map((to) => this.#relayed.inbox(to))];
      case "input":
        return this.#include(members);
      case "consent":
        return this.#consents(members);
    }
  }

  #include(members: number[]): CuratorEffect[] {
    const n = this.#setting.parties.participants;
    this.#phase = "consent";
    this.#statement = concatBytes(
      setBytes(this.#answers.of("shares").keys(), n),
      setBytes(members, n),
    );
    return [this.#announce(members, "included", this.#statement)];
  }

  #consents(members: number[]): CuratorEffect[] {
    const { threshold } = this.#setting.parties;
    const consent = this.#answers.of("consent");
    const included = [...this.#answers.of("input").keys()].sort((a, b) => a - b);
    const signatures = entriesBytes(
      members.slice(0, threshold).map((index) => ({ index, bytes: consent.get(index)! })),
    );
    this.#opening = new Opening(this.#setting, {
      dealers: this.#answers.dealers(),
      included,
      complaints: this.#answers.complaints,
      statement: this.#statement,
      signatures,
      sum: this.#answers.sum,
    });
    this.#phase = "reveal";
    return [
      { kind: "opening", included, snapshot: this.#opening.snapshot() },
      this.#announce(included, "consents", signatures),
    ];
  }

  #open(): CuratorEffect[] {
    const opened = this.#opening!.open();
    if (!("values" in opened)) return [{ kind: "waiting", ...opened }];
    this.#phase = "done";
    return [{ kind: "sum", values: opened.values, included: this.#opening!.state.included }];
  }

  #fail(reason: string, culprits: readonly number[] = []): CuratorEffect[] {
    this.#phase = "failed";
    return [{ kind: "failed", reason, culprits }];
  }

  #closeIfComplete(phase: Gathering): CuratorEffect[] {
    return this.#answers.of(phase).size === this.#expected.size ? this.#close(phase) : [];
  }

  // --- what is said to them ---

  /** Everyone is told the same, encoded once: the consents of a large run are megabytes. */
  #announce(to: readonly number[], kind: MessageKind, body: Uint8Array): CuratorEffect {
    return { kind: "announce", to, message: message(kind, this.#setting.session, body) };
  }

  #send(to: number, kind: MessageKind, body: Uint8Array): SendEffect {
    return { kind: "send", to, message: message(kind, this.#setting.session, body) };
  }
}

/** Whether an input says that shares could not be opened. */
const complains = (input: Uint8Array) => input.subarray(0, 4).some((byte) => byte !== 0);
