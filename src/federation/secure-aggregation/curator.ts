/**
 * The curator of one attempt at a secure sum, as a pure machine: messages and deadlines in, effects out.
 *
 * It relays public keys and sealed shares, adds up masked integers as they arrive, and learns the sum
 * when at least t participants have consented to who is in it. It keeps one vector, whatever the number
 * of participants. Up to the consents an attempt may fail and be tried again; once the consents are
 * out it is never given up: `deadline` then only tells who is still awaited.
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import { Answers, type Gathering } from "./answers.js";
import { entriesBytes, message, parseMessage, setBytes, type MessageKind } from "./messages.js";
import { Opening, openingState } from "./opening.js";
import type { Setting } from "./setting.js";

/** What a curator's driver must do, in this order. */
export type CuratorEffect =
  | { readonly kind: "send"; readonly to: number; readonly message: Uint8Array }
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
  /** What an earlier process kept when this attempt came to be opened: it goes on from there. */
  readonly snapshot?: Uint8Array | undefined;
}

type Phase = Gathering | "reveal" | "done" | "failed";

export class AggregationCurator {
  readonly #setting: Setting;
  readonly #answers: Answers;
  #expected: Set<number>;
  /** Who dealt shares, who is in the sum: what is signed. */
  #statement: Uint8Array = new Uint8Array();
  #opening: Opening | undefined;
  #phase: Phase = "keys";

  constructor({ setting, excluded = [], snapshot }: CuratorOptions) {
    this.#setting = setting;
    this.#answers = new Answers(setting);
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
    const { taken, wrong } = this.#answers.take(phase, from, body, this.#statement);
    if (wrong !== undefined) return refuse(wrong);
    const complete = this.#answers.of(phase).size === this.#expected.size;
    return taken && complete ? this.#close(phase) : [];
  }

  /** Closes the phase with those who have answered. */
  deadline(): CuratorEffect[] {
    const phase = this.#phase;
    if (phase === "done" || phase === "failed") return [];
    return phase === "reveal" ? this.#open() : this.#close(phase);
  }

  /** Sends the phase's message again to those who have not answered: messages may get lost. */
  remind(): CuratorEffect[] {
    const late = this.missing;
    switch (this.#phase) {
      case "shares":
        return late.map((to) => this.#send(to, "roster", this.#answers.roster(to)));
      case "input":
        return late.map((to) => this.#send(to, "inbox", this.#answers.inboxOf(to)));
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
        return members.map((to) => this.#send(to, "inbox", this.#answers.inboxOf(to)));
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

  // --- what is said to them ---

  #send(to: number, kind: MessageKind, body: Uint8Array): CuratorEffect {
    return { kind: "send", to, message: message(kind, this.#setting.session, body) };
  }
}
