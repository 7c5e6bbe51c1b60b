/**
 * What happens to a participant, what it wants done, and what the owner of its data may watch.
 * @module
 */
import type { Core } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../../learning/index.js";
import type { PartyEffect, PartyEvent, PartyStatus } from "../protocol/party/party.js";
import type { PartyOutput } from "../protocol/party/party-output.js";
import type { RandomBytes } from "../secure-aggregation/keys/random-bytes.js";
import type { Plan } from "../protocol/plan/plan-form.js";

/** What happens to a participant. */
export type ParticipantEvent =
  | PartyEvent
  | {
      readonly type: "read";
      /** The tasks that the effect of that name promised. */
      readonly tasks: TaskSet;
    }
  /** `complete` has run. */
  | {
      readonly type: "completed";
      /** Whether the model was kept where the owner has it, so that nobody needs it again; default false. */
      readonly kept?: boolean;
    };

/** What only a participant wants done. */
export type OwnParticipantEffect =
  | {
      readonly type: "read";
      /** Wait for them, then send them by the event `read`; where they cannot be had, give up. */
      readonly tasks: Promise<TaskSet>;
    }
  /** Call `complete`, keep the model it gives, then send the event `completed`. */
  | { readonly type: "complete" }
  | {
      readonly type: "end";
      /** The participant's own models; nothing follows. */
      readonly model: FittedModel;
    };

/** What a participant wants done. */
export type ParticipantEffect = PartyEffect<ParticipantStatus> | OwnParticipantEffect;

/** Collects those effects. */
export type ParticipantOutput = PartyOutput<ParticipantStatus, OwnParticipantEffect>;

/** What the owner of the data may watch. */
export type ParticipantStatus =
  /** The curator has its tasks. */
  | { readonly kind: "registered" }
  /** The run has begun, for this participant. */
  | {
      readonly kind: "started";
      /** Tasks of the run, of all participants. */
      readonly tasks: number;
      /** The round that is open, 1-based; the last one when all are over. */
      readonly round: number;
    }
  /** It sent what a round asks of it. */
  | {
      readonly kind: "uploaded";
      /** The round, 1-based. */
      readonly round: number;
      /** Rounds of the run. */
      readonly rounds: number;
    }
  /** It has the broadcast of a round. */
  | {
      readonly kind: "received";
      /** The round whose broadcast came, 1-based. */
      readonly round: number;
      /** Rounds of the run. */
      readonly rounds: number;
    }
  /** The curator awaits a round whose broadcast an earlier process received: it lost records, and gets nothing. */
  | {
      readonly kind: "ahead";
      /** Rounds whose broadcasts were received. */
      readonly received: number;
      /** The round that the curator awaits. */
      readonly round: number;
    }
  /** An earlier process marked its rows with another `rowsKey`: whether they are the same is not known. They are marked anew. */
  | { readonly kind: "rows-not-compared" }
  | PartyStatus;

/** Who takes part, and with what. */
export interface ParticipantOptions {
  /** The run's name, as in the plan. */
  readonly run: string;
  /** The name the transport vouches for. */
  readonly participant: string;
  /**
   * Its tasks, in the plan's features; rows are normalised here if the plan says so. A function gets
   * the plan before anything is agreed to, so that a table's columns can be chosen by it, and may take its time.
   */
  readonly data: TaskSet | ((plan: Plan) => TaskSet | Promise<TaskSet>);
  /**
   * What the owner consents to: of all its tasks, or by their names; default the plan's epsilon. Where a plan has more, the method
   * must give each owner its own, as `mp-mixed` does with the units "record" and "both"; else the plan is refused.
   */
  readonly epsilon?: number | Readonly<Record<string, number>> | undefined;
  /** Hash of the plan agreed on beforehand: any other is refused, and nobody is asked. */
  readonly agreed?: string | undefined;
  /** Whether it waits for that plan without end while only others are offered; default false. */
  readonly patient?: boolean | undefined;
  /**
   * What the participant's store holds; undefined without a store, which a plan with an untrusted
   * curator or secure sums does not allow, and without which no other plan protects from a curator that lost its own.
   */
  readonly records?: readonly Uint8Array[] | undefined;
  /** Whether that store can `hold` a record, which secure sums need; default true. */
  readonly holds?: boolean | undefined;
  /** Keys the digests of its rows that the store keeps; see `JoinRunOptions`. */
  readonly rowsKey?: Uint8Array | undefined;
  /** Ed25519 secret of the identity by which the plan knows it; needed where sums are secure. */
  readonly identity?: Uint8Array | undefined;
  /** Where keys and shares of secure sums come from; default the platform's generator. */
  readonly randomBytes?: RandomBytes | undefined;
  /** Milliseconds before a question is repeated, doubled each time up to 32 times; default 2 s. */
  readonly retry?: number;
  /** Where tasks and models lie; default a core of its own. Simulations share one. */
  readonly core?: Core | undefined;
}
