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
import { entriesBytes, message, parseMessage, setBytes, type MessageKind } from "./messages.js";
import { Opening, openingState } from "./opening.js";
import type { Setting } from "./setting.js";
import type { RelayGroup } from "../relays/groups.js";
import { RelayedInputs } from "../relays/relayed-inputs.js";
import type { Urgency } from "../relays/relay-messages.js";

/** What a curator's driver must do, in this order. */
export type CuratorEffect =
  | {
      readonly kind: "send";
      readonly to: number;
      readonly message: Uint8Array;
      /** Its answer is to come straight, past its relay. */
      readonly straight?: true;
    }
  /** For a relay, by its number. */
  | { readonly kind: "gather"; readonly relay: number; readonly message: Uint8Array }
  /** What a relay says counts no more in this attempt: it gave no sum, or a wrong one. Its group sends straight. */
  | { readonly kind: "without-relay"; readonly relay: number; readonly reason: string }
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
  /** Relays with their groups; a relay's number is its place here. */
  readonly relays?: readonly RelayGroup[];
  /** Relays to do without from the start: their groups send straight. */
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
    this.#relayed = new RelayedInputs(setting, relays, straight);
    const everyone = Array.from({ length: setting.parties.participants }, (_, i) => i);
    this.#expected = new Set(everyone.filter((i) => !excluded.includes(i)));
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
    const relayed = phase === "input" && this.#relayed.isRelayed(from);
    if (relayed && !complains(body)) return refuse("its input is to come by its relay");
    const { taken, wrong } = this.#answers.take(phase, from, body, this.#statement);
    if (wrong !== undefined) return refuse(wrong);
    if (!taken) return [];
    const closed = this.#closeIfComplete(phase);
    if (closed.length > 0 || !relayed) return closed;
    // It is counted: its relay need not wait for it.
    return [this.#gather(this.#relayed.relayOf(from)!, "whole")];
  }

  /** A message of a relay, by its number; the transport vouches for its sender. */
  receiveFromRelay(relay: number, bytes: Uint8Array): CuratorEffect[] {
    const without = (reason: string) => this.#goWithout(relay, reason);
    const parsed = parseMessage(bytes, this.#setting.session);
    // Said twice, or late: nothing of it counts.
    if (this.#phase !== "input" || !this.#relayed.isOpen(relay)) return [];
    if (typeof parsed === "string") return without(parsed);
    const { kind, body } = parsed;
    const awaited = this.#awaitedBy(relay);
    if (kind === "held") {
      const held = this.#relayed.heldIn(relay, body);
      if (!held) return without("what it says it holds is malformed");
      return [...awaited].filter((member) => !held.has(member)).map((to) => this.#inbox(to));
    }
    if (kind !== "partial") return without(`"${kind}" is not for a relay to say`);
    const taken = this.#relayed.take(relay, body, awaited);
    if (typeof taken === "string") return without(taken);
    this.#answers.takeSum(taken.members, taken.sum);
    // Whose input the relay does not have is a drop-out.
    for (const member of taken.members) awaited.delete(member);
    for (const member of awaited) this.#expected.delete(member);
    return this.#closeIfComplete("input");
  }

  /** Closes the phase with those who have answered. */
  deadline(): CuratorEffect[] {
    const phase = this.#phase;
    if (phase === "done" || phase === "failed") return [];
    if (phase === "reveal") return this.#open();
    const late = phase === "input" ? this.#hurryRelays() : [];
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
        return this.#remindInputs(late, only === undefined);
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
    if (!opening.state.included.includes(from)) return refuse("it is not in the sum");
    if (!opening.missing.includes(from)) return [];
    const reason = opening.take(from, body);
    if (reason) return refuse(`"reveal": ${reason}`);
    return opening.missing.length === 0 ? this.#open() : [];
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
        return [...this.#beginRelays(), ...members.map((to) => this.#inbox(to))];
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
    return members.map((to) => this.#send(to, "included", this.#statement));
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
      ...included.map((to) => this.#send(to, "consents", signatures)),
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

  // --- inputs by relays ---

  /** A relay's request goes out before its group is told: it is there when their inputs come. */
  #beginRelays(): CuratorEffect[] {
    return this.#relayed.open.flatMap((relay) => {
      if (this.#awaitedBy(relay).size > 0) return [this.#gather(relay, "whole")];
      this.#relayed.skip(relay);
      return [];
    });
  }

  /** Those of a relay's group whose input has not come. */
  #awaitedBy(relay: number): Set<number> {
    const counted = this.#answers.of("input");
    const isAwaited = (member: number) => this.#expected.has(member) && !counted.has(member);
    return new Set(this.#relayed.members(relay).filter(isAwaited));
  }

  /** Whoever has answered is not asked again, and a relay's group is asked for what the relay lacks. */
  #remindInputs(late: readonly number[], all: boolean): CuratorEffect[] {
    if (!all) return late.map((to) => this.#inbox(to));
    const straight = late.filter((index) => !this.#relayed.isRelayed(index));
    return [...straight.map((to) => this.#inbox(to)), ...this.#relayed.open.flatMap((relay) => this.remindRelay(relay))]; // prettier-ignore
  }

  /** Asks a relay again, which may have been restarted since. */
  remindRelay(relay: number): CuratorEffect[] {
    const isAwaited = this.#phase === "input" && this.#relayed.isOpen(relay);
    return isAwaited ? [this.#gather(relay, "tell")] : [];
  }

  /** At the deadline relays are asked for what they have, at the next one their groups. Empty: no relay is waited for. */
  #hurryRelays(): CuratorEffect[] {
    const { closing, without } = this.#relayed.escalate();
    return [
      ...closing.map((relay) => this.#gather(relay, "now")),
      ...without.flatMap((relay) => this.#goWithout(relay, "it gave no sum")),
    ];
  }

  #goWithout(relay: number, reason: string): CuratorEffect[] {
    this.#relayed.goStraight(relay);
    const asked = [...this.#awaitedBy(relay)].map((to) => this.#inbox(to));
    return [{ kind: "without-relay", relay, reason }, ...asked];
  }

  #gather(relay: number, urgency: Urgency): CuratorEffect {
    const message = this.#relayed.request(relay, this.#awaitedBy(relay), urgency);
    return { kind: "gather", relay, message };
  }

  // --- what is said to them ---

  /** The shares dealt to a participant, upon which it gives its input. */
  #inbox(to: number): CuratorEffect {
    const send = this.#send(to, "inbox", this.#answers.inboxOf(to));
    return this.#relayed.isStraight(to) ? { ...send, straight: true } : send;
  }

  #send(to: number, kind: MessageKind, body: Uint8Array): CuratorEffect & { kind: "send" } {
    return { kind: "send", to, message: message(kind, this.#setting.session, body) };
  }
}

/** Whether an input says that shares could not be opened. */
const complains = (input: Uint8Array) => input.subarray(0, 4).some((byte) => byte !== 0);
