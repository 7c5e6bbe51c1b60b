/**
 * What happens to a curator, what it wants done, and what its operator may watch.
 * @module
 */
import type { HistoryEntry } from "../../../learning/index.js";
import type { Guarantee, Ledger } from "../../../privacy/index.js";
import type { MachineEffect, MachineEvent } from "../../protocol/machine/machine.js";

/** What happens to a curator. */
export type CuratorEvent =
  | MachineEvent
  /** A message came. */
  | {
      readonly type: "message";
      /** The participant, relay or helper that sent it, as the transport vouches. */
      readonly from: string;
      /** The bytes, as they came. */
      readonly message: Uint8Array;
    }
  /** The operator starts the run with those registered so far. */
  | { readonly type: "begin" }
  /** The operator has nothing more to do with a participant. */
  | {
      readonly type: "expel";
      /** Its name. */
      readonly participant: string;
    };

/** What a curator wants done. */
export type CuratorEffect =
  | MachineEffect
  /** To one party. */
  | {
      readonly type: "send";
      /** The party that it is for. */
      readonly to: string;
      /** The bytes. */
      readonly message: Uint8Array;
    }
  /** A message that is made when it is its turn: there may be many. */
  | {
      readonly type: "repeat";
      /** The party that it is for. */
      readonly to: string;
      /** Length of the message, in bytes. */
      readonly bytes: number;
      /** Makes it. */
      readonly message: () => Uint8Array;
    }
  /** To all parties. */
  | {
      readonly type: "broadcast";
      /** The bytes, for every party. */
      readonly message: Uint8Array;
    }
  /** Tell the operator what is going on. */
  | {
      readonly type: "status";
      /** For the operator. */
      readonly status: CuratorStatus;
    }
  /** Stop. */
  | {
      readonly type: "end";
      /** What the run came to; nothing follows. */
      readonly result: CuratorResult;
    };

/** What the operator may watch: counts and names, no data, no models. For the curator's eyes. */
export type CuratorStatus =
  /** A participant registered its tasks, before the start. */
  | {
      readonly kind: "registered";
      /** Its name. */
      readonly participant: string;
      /** How many tasks it has. */
      readonly tasks: number;
    }
  /** A message was refused. */
  | {
      readonly kind: "refused";
      /** Who sent what was refused. */
      readonly participant: string;
      /** Why, in words. */
      readonly why: string;
      /** Messages of this participant that were refused since the last one that was told; default 1. */
      readonly times?: number;
    }
  /** After the start, into a place that the plan keeps. */
  | {
      readonly kind: "joined";
      /** Its name. */
      readonly participant: string;
      /** How many tasks it has. */
      readonly tasks: number;
    }
  /** A participant went of its own accord. */
  | {
      readonly kind: "left";
      /** Its name. */
      readonly participant: string;
    }
  /** A participant has no part in the run any more. */
  | {
      readonly kind: "expelled";
      /** Its name. */
      readonly participant: string;
      /** Deadlines in a row that it let pass; absent: by the operator. */
      readonly deadlines?: number;
    }
  /** Registration is over. */
  | {
      readonly kind: "started";
      /** Tasks of the run. */
      readonly tasks: number;
      /** Participants of the run. */
      readonly participants: number;
    }
  /** The time for registrations is up, and more are awaited: there are too few tasks to start. */
  | {
      readonly kind: "too-few";
      /** Tasks that are registered. */
      readonly tasks: number;
      /** How many must be. */
      readonly needed: number;
    }
  /** A curator that was stopped goes on from its records. */
  | {
      readonly kind: "resumed";
      /** The last round that was released; 0 before the first. */
      readonly round: number;
      /** How many rounds there will be. */
      readonly rounds: number;
      /** Who takes part by these records. */
      readonly participants: readonly {
        /** Its name. */
        readonly participant: string;
        /** How many tasks it has. */
        readonly tasks: number;
        /** Whether it was expelled. */
        readonly expelled: boolean;
      }[];
    }
  /** A round was opened. */
  | {
      readonly kind: "round";
      /** The round that was opened, 1-based. */
      readonly round: number;
      /** Rounds of the run. */
      readonly rounds: number;
      /** Tasks of the run. */
      readonly expected: number;
    }
  /** A round was closed. */
  | {
      readonly kind: "closed";
      /** The round, 1-based. */
      readonly round: number;
      /** Tasks of the run. */
      readonly expected: number;
      /** How many of them answered: not how many were drawn, which is secret. */
      readonly present: number;
      /** Vectors longer than K, clipped here: none of owners who keep to the plan, whatever their data. */
      readonly clipped: number;
      /** Who let its deadline, or an earlier one, pass and has not answered since; absent: nobody, and of secure sums, which leave out who is late. */
      readonly silent?: readonly string[];
    }
  /** The deadline has passed, and the round waits for its quorum. */
  | {
      readonly kind: "paused";
      /** The round, 1-based. */
      readonly round: number;
      /** Tasks that answered, drawn or not. */
      readonly present: number;
      /** How many must. */
      readonly needed: number;
      /** Participants that have not answered. */
      readonly missing: readonly string[];
    }
  /** Secure sums: an attempt failed before anything was opened, and another one was begun. */
  | {
      readonly kind: "attempt-failed";
      /** The round, 1-based. */
      readonly round: number;
      /** The attempt at its sum that failed, 1-based. */
      readonly attempt: number;
      /** Why, in words. */
      readonly why: string;
      /** Participants that dealt shares that could not be opened; left out from now on. */
      readonly culprits: readonly string[];
    }
  /** Secure sums: a sum that may be opened lacks shares of these, or was given wrong ones. */
  | {
      readonly kind: "awaiting-shares";
      /** The round, 1-based. */
      readonly round: number;
      /** Participants whose shares are lacking. */
      readonly missing: readonly string[];
      /** Participants that gave wrong ones. */
      readonly culprits: readonly string[];
    }
  /** Secure sums: a relay gave no sum, or a wrong one; those beneath it send straight to the curator until it is back. */
  | {
      readonly kind: "without-relay";
      /** The round, 1-based. */
      readonly round: number;
      /** Name of the relay. */
      readonly relay: string;
      /** Why, in words. */
      readonly why: string;
    }
  /** Two aggregators: the round waits for the helper. */
  | {
      readonly kind: "awaiting-helper";
      /** The round, 1-based. */
      readonly round: number;
      /** How many reports it has to check; 0: its sum is awaited. */
      readonly reports: number;
    }
  /** The link to the transport came up or went down. */
  | {
      readonly kind: "link";
      /** Whether messages come and go. */
      readonly state: "up" | "down";
    }
  /** After the last round: for whom the curator stays, said after a while and whenever these are others. */
  | {
      readonly kind: "lingering";
      /** Participants that have not said that they have their models; a helper or relays that have not said that they know of the end. */
      readonly awaited: readonly string[];
      /** How long it stays for them in all, in milliseconds of a link that is up. */
      readonly longest: number;
    }
  /** A participant has its models. */
  | {
      readonly kind: "finished";
      /** Its name; it said that it has its models. */
      readonly participant: string;
    };

/** What is left of a run on the curator's side: no models. */
export interface CuratorResult {
  /** What the run promises. */
  readonly guarantee: Guarantee;
  /** What the releases were charged to. */
  readonly ledger: Ledger;
  /** A line for every round, in order. */
  readonly history: readonly HistoryEntry[];
  /** Participants that said they have their models, to this process of the curator. */
  readonly finished: readonly string[];
  /** Whose word the curator did not wait for any longer: participants that may lack their models, parties that may not know of the end. */
  readonly unheard: readonly string[];
}
