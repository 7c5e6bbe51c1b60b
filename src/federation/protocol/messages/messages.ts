/**
 * What a curator and its participants send each other.
 *
 *   participant                                curator
 *                                          <-  here       I am (again) there, to all: say what you wait for
 *   hello        what is the plan?         ->
 *                                          <-  plan       its text, and the session
 *   register     my tasks, the plan's hash ->
 *                                          <-  registered, or refused
 *                                          <-  start      sizes, and where my tasks stand
 *   upload       my vectors of a round     ->  (after start, after every broadcast, or when called)
 *                                          <-  broadcast  M of a round, to all
 *                                          <-  call       upload now; in a sampled run to everyone
 *   aggregate    masked, for upload       <->  aggregate  (`secure-aggregation/attempt/messages.ts`; with two
 *                                              aggregators, sealed reports: `verified-sums/aggregators/report.ts`)
 *   pull         I miss a broadcast        ->
 *                                          <-  broadcast  to me alone
 *   finish       I have my models          ->
 *                                          <-  done
 *   leave        I go                      ->
 *   unable       my release reads the plan otherwise than yours, or not at all ->
 *
 * With two aggregators the curator leads, and a helper, which has no tasks, is told and says beside hello,
 * plan, here, done and finish (`verified-sums/run/helper-machine.ts`):
 *                                          <-  check      its sealed share of a report, the leader's message
 *   checked      its own message, or why not ->
 *                                          <-  give       whose reports are in the sum
 *   given        its noisy share of the sum ->
 *   withheld     it has not what that needs ->
 *
 * Relays of secure sums, which have no tasks either, say hello, here and finish, are told plan, here and done, and pass `aggregate` to and from
 * the curator; to them participants, and other relays, send some of theirs (`relays/relay-machine.ts`).
 *
 * Where a sample of the tasks is drawn, everyone is called in every round and answers, with zeros for tasks
 * that were not drawn. No length of a message depends on the sample.
 *
 * Every message names the run, the session, the plan's hash and the participant it is from or for
 * (none where it is for all): what belongs to another run, or is said in another's name, is refused.
 * @module
 */
import type { Refusal } from "./refusal-reasons.js";

/**
 * Version of the protocol. A participant says in its first message which ones it speaks; a curator refuses it by name
 * where its own is not among them. What is said in another version is never read, but for its version, type and sender.
 * It is another one where messages change, and where a plan that earlier releases can read comes to mean something else.
 */
export const PROTOCOL_VERSION = 10;

/** What every message carries. */
export interface Envelope {
  /** Name of the run. */
  readonly run: string;
  /** Random name of this curator's run, so that messages of an earlier run of one plan are foreign. */
  readonly session: string;
  /** SHA-256 of the plan. */
  readonly plan: string;
  /** Who it is from or for; empty for a broadcast. */
  readonly participant: string;
}

/** A task as its owner registers it. */
export interface RegisteredTask {
  readonly name: string;
  /** Public: docs/PRIVACY.md, "Who sees what". */
  readonly rows: number;
  /** What its owner consents to, where that is less than the plan's; public. */
  readonly epsilon?: number;
}

/** An attempt at a round's sum over two aggregators. */
export interface AttemptNumber {
  /** 1-based. */
  readonly round: number;
  /** 1-based. */
  readonly attempt: number;
}

/** What the leader tells the helper with everything: what is public of the tasks, from which the noise follows. */
export interface HelperRequest extends AttemptNumber {
  /** Number of tasks. */
  readonly m: number;
  /** Rows of all tasks together. */
  readonly rows: number;
  /** Rows of the largest task. */
  readonly mostRows: number;
  /** With which state the helper takes part: one of another name answers nothing. */
  readonly state: string;
}

/** What a message holds. `round` is 1-based; `positions` are places in the run's order of tasks. */
export type Body =
  /** I am (again) there: say what you wait for. */
  | {
      readonly type: "here";
      /** Of a helper: the random name of its state. */
      readonly state?: string;
    }
  /** To the curator: what is the plan? */
  | {
      readonly type: "hello";
      /** Versions of the protocol that the sender speaks. */
      readonly speaks: readonly number[];
    }
  /** The answer to `hello`. */
  | {
      readonly type: "plan";
      /** The plan's canonical text, whose hash the envelope has. */
      readonly text: string;
      /** The curator's release of this package. */
      readonly release: string;
    }
  /** To the curator: what a participant brings. */
  | {
      readonly type: "register";
      /** The sender's tasks. */
      readonly tasks: readonly RegisteredTask[];
      /** Where participants add noise: the random name of the sender's state. */
      readonly state?: string;
    }
  /** It was taken in. */
  | { readonly type: "registered" }
  /** It was not, or is no more. */
  | {
      readonly type: "refused";
      /** Why. */
      readonly reason: Refusal;
      /** Of the reason "other-state": which state is refused. */
      readonly state?: string;
    }
  /** The run has begun: sizes, and where the participant stands. */
  | {
      readonly type: "start";
      /** Number of tasks of the run. */
      readonly m: number;
      /** Rows of all tasks together. */
      readonly rows: number;
      /** Rows of the largest task. */
      readonly mostRows: number;
      /** Where participants add noise: with which state this one takes part. */
      readonly state?: string;
      /** Where an owner stated an epsilon of its own: every task's rows and epsilon, by position. */
      readonly owners?: {
        /** Every task's rows. */
        readonly rows: readonly number[];
        /** Every task's epsilon. */
        readonly epsilons: readonly number[];
      };
      /** The round that is open; after the last one more than there are. */
      readonly round: number;
      /** Where the participant's tasks stand, in the order in which it registered them. */
      readonly positions: readonly number[];
      /** Whether `values` are public parameters to start from. */
      readonly given: boolean;
      /** Digest of what the run will release (`releases-digest.ts`). */
      readonly releases: string;
      /** The parameters; empty where none are given. */
      readonly values: Float64Array;
    }
  /** Upload now. */
  | {
      readonly type: "call";
      /** The round that is open. */
      readonly round: number;
      /** All of the participant's tasks, ascending. */
      readonly positions: readonly number[];
      /** In a sampled run: which of them were drawn. */
      readonly drawn?: Drawn;
      /** Where relays add up plain sums: the vectors are for the curator, and not for the participant's relay. */
      readonly straight?: true;
    }
  /** The vectors of a round. */
  | {
      readonly type: "upload";
      /** The round that it is for. */
      readonly round: number;
      /** The tasks that it is of. */
      readonly positions: readonly number[];
      /** A row for every position; zeros for a task that was not drawn. */
      readonly values: Float64Array;
    }
  /** What a round came to. */
  | {
      readonly type: "broadcast";
      /** The round that it comes of. */
      readonly round: number;
      /** To one participant of a sampled run: which of its tasks were drawn in that round. */
      readonly drawn?: Drawn;
      /** With the last broadcast: the guarantee and the ledger, as JSON. */
      readonly statement?: Statement;
      /** M, what every task is sent. */
      readonly values: Float64Array;
    }
  /** A broadcast is missing. */
  | {
      readonly type: "pull";
      /** The round whose broadcast is missing. */
      readonly round: number;
    }
  /** Both ways, where sums are secure: a message of an attempt at a round's sum; empty invites to it. */
  | {
      readonly type: "aggregate";
      /** The round whose sum it is. */
      readonly round: number;
      /** 1-based. */
      readonly attempt: number;
      /** The message of the attempt, `secure-aggregation/attempt/messages.ts`. */
      readonly bytes: Uint8Array;
      /** To a participant, or relay: the answer is for the curator, and not for its relay. */
      readonly straight?: true;
    }
  /** The leader gives the helper a report to check. */
  | (HelperRequest & {
      readonly type: "check";
      /** Whose report: `verified-sums/aggregators/round-name.ts`. */
      readonly reporter: string;
      /** The helper's sealed share of the report, with the leader's message. */
      readonly bytes: Uint8Array;
    })
  /** The answer to `check`. */
  | (AttemptNumber & {
      readonly type: "checked";
      /** Whose report. */
      readonly reporter: string;
      /** The helper's own message, or why it refuses. */
      readonly bytes: Uint8Array;
    })
  /** The leader asks the helper for its share of the sum. */
  | (HelperRequest & {
      readonly type: "give";
      /** Whose reports are in the sum. */
      readonly included: readonly string[];
    })
  /** The answer to `give`. */
  | (AttemptNumber & {
      readonly type: "given";
      /** The helper's noisy share of the sum. */
      readonly bytes: Uint8Array;
    })
  /** The helper was restarted since it checked reports of this attempt: it needs another one. */
  | (AttemptNumber & { readonly type: "withheld" })
  /** A participant has its models. */
  | { readonly type: "finish" }
  /** The curator knows that; nothing more will come. */
  | { readonly type: "done" }
  /** A participant goes. */
  | { readonly type: "leave" }
  /** To the curator: the sender cannot read the plan, or reads it otherwise, and takes no part. */
  | {
      readonly type: "unable";
      /** The sender's release of this package. */
      readonly release: string;
    };

/** For each of a participant's tasks, by position, 1 if it was drawn and 0 if not: of one length always. */
export type Drawn = readonly (0 | 1)[];

/** What the curator states at the end. */
export interface Statement {
  /** JSON of the run's guarantee. */
  readonly guarantee: object;
  /** JSON of its ledger. */
  readonly ledger: object;
}

export type MessageType = Body["type"];

/** A message: what it says, and whose it is. */
export type Message = Envelope & Body;
