/**
 * What happens to a curator, what it wants done, and what its operator may watch.
 * @module
 */
import type { HistoryEntry } from "../../learning/index.js";
import type { Guarantee, Ledger } from "../../privacy/index.js";
import type { MachineEffect, MachineEvent } from "../protocol/machine.js";

/** What happens to a curator. */
export type CuratorEvent =
  | MachineEvent
  | { readonly type: "message"; readonly from: string; readonly message: Uint8Array }
  /** The operator starts the run with those registered so far. */
  | { readonly type: "begin" }
  /** The operator has nothing more to do with a participant. */
  | { readonly type: "expel"; readonly participant: string };

/** What a curator wants done. */
export type CuratorEffect =
  | MachineEffect
  | { readonly type: "send"; readonly to: string; readonly message: Uint8Array }
  /** A message that is made when it is its turn: of so many bytes, and there may be many. */
  | {
      readonly type: "repeat";
      readonly to: string;
      readonly bytes: number;
      /** Makes it. */
      readonly message: () => Uint8Array;
    }
  | { readonly type: "broadcast"; readonly message: Uint8Array }
  | { readonly type: "status"; readonly status: CuratorStatus }
  | { readonly type: "end"; readonly result: CuratorResult };

/** What the operator may watch: counts and names, no data, no models. For the curator's eyes. */
export type CuratorStatus =
  | { readonly kind: "registered"; readonly participant: string; readonly tasks: number }
  /** `times`: messages of this participant that were refused since the last one that was told; default 1. */
  | {
      readonly kind: "refused";
      readonly participant: string;
      readonly why: string;
      readonly times?: number;
    }
  /** After the start, into a place that the plan keeps. */
  | { readonly kind: "joined"; readonly participant: string; readonly tasks: number }
  | { readonly kind: "left"; readonly participant: string }
  /** By the operator, or after so many deadlines without an answer. */
  | { readonly kind: "expelled"; readonly participant: string; readonly deadlines?: number }
  | { readonly kind: "started"; readonly tasks: number; readonly participants: number }
  | { readonly kind: "resumed"; readonly round: number }
  | {
      readonly kind: "round";
      readonly round: number;
      readonly rounds: number;
      readonly expected: number;
    }
  | {
      readonly kind: "closed";
      readonly round: number;
      /** Tasks of the run, and how many of them answered: not how many were drawn, which is secret. */
      readonly expected: number;
      readonly present: number;
      /** Vectors longer than K, clipped here. */
      readonly clipped: number;
    }
  | {
      readonly kind: "paused";
      readonly round: number;
      /** Tasks that answered, drawn or not, and how many must. */
      readonly present: number;
      readonly needed: number;
      readonly missing: readonly string[];
    }
  /** Secure sums: an attempt failed before anything was opened, and another one was begun. */
  | {
      readonly kind: "attempt-failed";
      readonly round: number;
      readonly attempt: number;
      readonly why: string;
      /** Dealt shares that could not be opened; left out from now on. */
      readonly culprits: readonly string[];
    }
  /** Secure sums: a sum that may be opened lacks shares of these, or was given wrong ones. */
  | {
      readonly kind: "awaiting-shares";
      readonly round: number;
      readonly missing: readonly string[];
      readonly culprits: readonly string[];
    }
  /** Secure sums: a relay gave no sum, or a wrong one; those beneath it send straight to the curator until it is back. */
  | {
      readonly kind: "without-relay";
      readonly round: number;
      readonly relay: string;
      readonly why: string;
    }
  /** Two aggregators: the round waits for the helper, to check so many reports or, where there are none, for its sum. */
  | { readonly kind: "awaiting-helper"; readonly round: number; readonly reports: number }
  | { readonly kind: "link"; readonly state: "up" | "down" }
  | { readonly kind: "finished"; readonly participant: string };

/** What is left of a run on the curator's side: no models. */
export interface CuratorResult {
  readonly guarantee: Guarantee;
  readonly ledger: Ledger;
  readonly history: readonly HistoryEntry[];
  /** Participants that said they have their models. */
  readonly finished: readonly string[];
}
