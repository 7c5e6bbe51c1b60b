/**
 * A party that is shown the plan and agrees to it before it takes part: a participant, a relay, or the second of two aggregators. What
 * its machine has in common with the others', and what drives it.
 * @module
 */
import { object, OptionError } from "../../../core/index.js";
import type { Clock } from "../machine/clock.js";
import { Driver } from "../machine/driver.js";
import type { MachineEffect, MachineEvent, RunStore } from "../machine/machine.js";
import type { ParticipantTransport } from "../machine/transport.js";
import type { Plan } from "../plan/plan-form.js";

/** What happens to a party. */
export type PartyEvent =
  | MachineEvent
  /** The curator said something. */
  | {
      readonly type: "message";
      /** The bytes, as they came from the curator. */
      readonly message: Uint8Array;
      /** Whether it came to this party alone or to all. */
      readonly scope: "own" | "all";
    }
  /** A participant said something to this party, which is its relay; the transport vouches for `from`. */
  | {
      readonly type: "member";
      /** Name of the sender. */
      readonly from: string;
      /** The bytes, as they came. */
      readonly message: Uint8Array;
    }
  /** Its owner or operator agrees to the plan that was shown, or does not. */
  | { readonly type: "agree" }
  | { readonly type: "decline" };

/** What whoever runs any of them may watch. */
export type PartyStatus =
  /** A message changed nothing. */
  | {
      readonly kind: "ignored";
      /** Why a message changed nothing, in words. */
      readonly why: string;
    }
  /** It asked for a while, and nobody answered; it goes on asking. */
  | { readonly kind: "unanswered" }
  /** The link to the transport came up or went down. */
  | {
      readonly kind: "link";
      /** Whether messages come and go. */
      readonly state: "up" | "down";
    };

/** What a party wants done. */
export type PartyEffect<Status> =
  | MachineEffect
  /** To the curator, or to the relay of that name. */
  | {
      readonly type: "send";
      /** The bytes. */
      readonly message: Uint8Array;
      /** Name of the relay that it is for; absent: the curator. */
      readonly relay?: string;
    }
  /** Ask: the answer is the event `agree` or `decline`. */
  | {
      readonly type: "show";
      /** The plan that is to be agreed to. */
      readonly plan: Plan;
      /** Its hash, by which parties can compare what they were shown. */
      readonly hash: string;
    }
  /** Tell the owner or operator what is going on. */
  | {
      readonly type: "status";
      /** For the owner or operator. */
      readonly status: Status;
    }
  /** Give up. */
  | {
      readonly type: "fail";
      /** Why this party can go no further; nothing follows. */
      readonly error: Error;
    };

/** What a party runs on. */
export interface PartyHost<Status> {
  /** How messages travel; closed at the end. */
  readonly transport: ParticipantTransport;
  /** What must outlive the process; closed at the end. */
  readonly store?: RunStore | undefined;
  /** Hash of the plan agreed on beforehand; another plan is refused. */
  readonly agreed?: string | undefined;
  /**
   * Whether, while curators offer only other plans than `agreed`, it waits for that one without end, as `signal` may be there to end it.
   * Default false: it ends with an OptionError after some 14 s.
   */
  readonly patient?: boolean | undefined;
  /** Shows the plan and asks; without it and without `agreed` nothing is agreed to. */
  readonly decide?: ((plan: Plan, hash: string) => boolean | Promise<boolean>) | undefined;
  /** Default the host's. */
  readonly clock?: Clock | undefined;
  /** Told what goes on, for the owner of the data or the operator. */
  readonly onStatus?: ((status: Status) => void) | undefined;
  /** Ends the run for this party, which can come back with the same store. */
  readonly signal?: AbortSignal | undefined;
}

/** @throws OptionError if nothing could be agreed to. */
export function requireConsent(options: PartyHost<never>): void {
  const { agreed, decide } = object("options", options);
  if (agreed === undefined && !decide) {
    throw new OptionError("agreed: give the hash of the plan agreed on, or a function `decide`");
  }
}

/**
 * Runs a party's machine to its end.
 * @param own carries out the effects that only this kind of party has.
 */
export function driveParty<
  Event extends { readonly type: string },
  Own extends { readonly type: string },
  Status,
  Result,
>(
  machine: {
    handle(event: Event | PartyEvent): (Own | PartyEffect<Status>)[];
    dispose(): void;
  },
  host: PartyHost<Status>,
  own: (effect: Own, driver: Driver<Event | PartyEvent, Own | PartyEffect<Status>, Result>) => void,
): Promise<Result> {
  const { transport, decide, onStatus } = host;
  const driver = new Driver<Event | PartyEvent, Own | PartyEffect<Status>, Result>({
    ...host,
    machine,
    perform: (effect) => {
      const common = effect as PartyEffect<Status>;
      switch (common.type) {
        case "send":
          return driver.send(transport.send(common.message, common.relay));
        case "status":
          return onStatus?.(common.status);
        case "show":
          return driver.wait(async () => {
            const agreed = await decide!(common.plan, common.hash);
            driver.post({ type: agreed ? "agree" : "decline" });
          });
        case "fail":
          return driver.fail(common.error, true);
        default:
          return own(effect as Own, driver);
      }
    },
  });
  transport.listen({
    message: (message, scope) => driver.post({ type: "message", message, scope }),
    member: (from, message) => driver.post({ type: "member", from, message }),
    link: (state) => driver.post({ type: "link", state }),
  });
  return driver.done;
}
