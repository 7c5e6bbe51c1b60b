/**
 * A participant as a state machine: ask for the plan, agree, register, rounds, the end.
 *
 * Its models are a function of its data and of the broadcasts so far, so it needs no state of its own:
 * one that was gone, late or restarted pulls the broadcasts it lacks, goes through those rounds without
 * showing anything, and is where it would have been. Only with an untrusted curator must what was shown
 * be kept, and with secure sums the integers of the open round, because noise is never drawn twice. What it keeps
 * besides guards its owner's budget: what was agreed to, and which broadcast it received in which round.
 * @module
 */
import { DataError, OptionError } from "../../core/index.js";
import type { Pipeline, TaskSet } from "../../data/index.js";
import type { FittedModel } from "../../learning/index.js";
import { considerPlan, takePart, whyForeign } from "./agreement.js";
import {
  decodeMessage,
  OtherVersionError,
  PROTOCOL_VERSION,
  REFUSALS,
  type Message,
  type Statement,
} from "../protocol/messages.js";
import { prepareData } from "./participant-data.js";
import type {
  ParticipantEffect,
  ParticipantEvent,
  ParticipantOptions,
} from "./participant-events.js";
import { ParticipantOutput } from "./participant-output.js";
import { digestOf, readStoredState, type StoredState } from "./participant-records.js";
import { ParticipantRounds } from "./participant-rounds.js";
import { PlainUpload } from "./plain-upload.js";
import type { CallMessage, RoundUpload } from "./round-upload.js";
import { isParticipantName, type Plan } from "../protocol/plan.js";
import { SecureUpload } from "../secure-aggregation/secure-upload.js";
import type { SumAttempts } from "../secure-aggregation/sum-attempts.js";

/** Where a participant is in a run. */
type Before = "asking" | "deciding" | "registering" | "waiting";
type State = Before | "running" | "completing" | "finishing" | "ended";

/** Attempts to tell the curator that all is done. */
const FINISH_ATTEMPTS = 5;
const MOST_DOUBLINGS = 5;

/** One participant of one run. */
export class ParticipantMachine {
  readonly #options: ParticipantOptions;
  #data!: TaskSet;
  #pipeline: Pipeline | undefined;
  #state: State = "asking";
  #plan: Plan | undefined;
  readonly #before: StoredState;
  /** The last round whose broadcast an earlier process received. */
  readonly #received: number;
  /** Where sums are secure. */
  #sums: SumAttempts | undefined;
  #rounds: ParticipantRounds | undefined;
  /** The newest round known to be open. */
  #open = 0;
  #upload: RoundUpload | undefined;
  #statement: Statement | undefined;
  #model: FittedModel | undefined;
  #attempts = 0;
  readonly #output: ParticipantOutput;

  /** @throws OptionError or DataError for a bad name or records of another kind. */
  constructor(options: ParticipantOptions) {
    if (!isParticipantName(options.participant)) {
      throw new OptionError("participant: expected 1 to 64 letters, digits, - or _");
    }
    this.#options = options;
    this.#output = new ParticipantOutput(options.run, options.participant);
    this.#before = readStoredState(options.records);
    this.#received = Math.max(0, ...this.#before.received.keys());
  }

  /** The name the transport vouches for. */
  get name(): string {
    return this.#options.participant;
  }

  /** Takes an event; the effects are to be carried out in order. */
  handle(event: ParticipantEvent): ParticipantEffect[] {
    try {
      this.#take(event);
    } catch (error) {
      this.#fail(error as Error);
    }
    return this.#output.take();
  }

  /** What the tasks do alone after the last broadcast, asked for by the effect of that name; their models. */
  async complete(signal?: AbortSignal): Promise<FittedModel> {
    await this.#rounds!.finish(signal);
    const model = this.#rounds!.model(this.#statement!);
    const pipeline = this.#pipeline?.toJSON();
    this.#model = pipeline ? model.withPreprocessing({ encoding: null, pipeline }) : model;
    return this.#model;
  }

  /** Wipes keys from memory. */
  dispose(): void {
    this.#sums?.close();
    this.#rounds?.dispose();
  }

  #take(event: ParticipantEvent): void {
    if (this.#state === "ended") return;
    switch (event.type) {
      case "message":
        this.#receive(event.message, event.scope);
        break;
      case "link":
        this.#output.status({ kind: "link", state: event.state });
        this.#attempts = 0;
        if (event.state === "up") this.#ask();
        else this.#output.add({ type: "cancel", name: "retry" });
        break;
      case "timer":
        this.#attempts++;
        this.#ask();
        break;
      case "agree":
        if (this.#state === "deciding") this.#agree();
        break;
      case "decline":
        if (this.#state === "deciding") this.#fail(new OptionError("the plan was declined"));
        break;
      case "completed":
        this.#finish();
        break;
    }
  }

  /** Says, or says again, what this state waits for an answer to. */
  #ask(): void {
    switch (this.#state) {
      case "asking":
        this.#output.say({ type: "hello", speaks: [PROTOCOL_VERSION] });
        break;
      case "registering":
      case "waiting":
        this.#register();
        break;
      case "running":
        this.#output.say({ type: "pull", round: this.#rounds!.round });
        break;
      case "finishing":
        if (this.#attempts >= FINISH_ATTEMPTS) {
          this.#end();
          return;
        }
        this.#output.say({ type: "finish" });
        break;
      default:
        return;
    }
    this.#arm();
  }

  #arm(least = 0): void {
    const { retry = 2000 } = this.#options;
    const milliseconds = Math.max(least, retry * 2 ** Math.min(this.#attempts, MOST_DOUBLINGS));
    this.#output.add({ type: "timer", name: "retry", milliseconds });
  }

  // --- messages ---

  #receive(bytes: Uint8Array, scope: "own" | "all"): void {
    let message: Message;
    try {
      message = decodeMessage(bytes);
    } catch (error) {
      // A refusal in another version can only be of that.
      if (
        error instanceof OtherVersionError &&
        error.type === "refused" &&
        this.#state === "asking"
      ) {
        throw new OptionError(
          `the curator speaks version ${error.version ?? "?"} of the protocol, this release ${PROTOCOL_VERSION}; ` +
            `install the same release of mp-mtl on both sides`,
          { cause: error },
        );
      }
      this.#output.status({ kind: "ignored", why: (error as Error).message });
      return;
    }
    const why = whyForeign(message, scope, this.#output.envelope);
    if (why !== undefined) {
      this.#output.status({ kind: "ignored", why });
      return;
    }
    switch (message.type) {
      case "plan":
        this.#consider(message);
        return;
      case "registered":
        if (this.#state !== "registering") return;
        this.#state = "waiting";
        this.#attempts = 0;
        this.#output.status({ kind: "registered" });
        return;
      case "here":
        if (!["asking", "registering", "waiting"].includes(this.#state)) return;
        this.#attempts = 0;
        this.#ask();
        return;
      case "refused":
        this.#refused(message.reason);
        return;
      case "start":
        this.#start(message);
        return;
      case "call":
      case "aggregate":
        this.#asked(message);
        return;
      case "broadcast":
        this.#broadcast(message);
        return;
      case "done":
        if (this.#state === "finishing") this.#end();
        return;
      default:
        this.#output.status({ kind: "ignored", why: "said what only a participant says" });
    }
  }

  /** @throws OptionError if this participant can take no part. */
  #refused(reason: keyof typeof REFUSALS): void {
    const entering = this.#state === "registering" || this.#state === "waiting";
    const always =
      reason === "expelled" || (reason === "other-version" && this.#state === "asking");
    if (!entering && !always) return;
    throw new OptionError(`the curator refused this participant (${reason}): ${REFUSALS[reason]}`);
  }

  /** Holds the plan to what was agreed, or has it shown. */
  #consider({ text, session }: Extract<Message, { type: "plan" }>): void {
    if (this.#state !== "asking") return;
    const offered = considerPlan({ text, session }, this.#options, this.#before.joined);
    const { plan, hash } = offered;
    this.#sums = takePart(offered, session, this.#options, this.#before.opened);
    const { data } = this.#options;
    const given = typeof data === "function" ? data(plan) : data;
    ({ data: this.#data, pipeline: this.#pipeline } = prepareData(given, plan));
    this.#plan = plan;
    this.#output.envelope = { ...this.#output.envelope, session, plan: hash };
    this.#attempts = 0;
    this.#state = "deciding";
    this.#output.add({ type: "cancel", name: "retry" });
    const known = this.#options.agreed ?? this.#before.joined?.plan;
    if (known !== undefined) this.#agree();
    else this.#output.add({ type: "show", plan, hash });
  }

  #agree(): void {
    this.#state = "registering";
    const { session, plan } = this.#output.envelope;
    if (this.#options.records && this.#before.joined === undefined) {
      this.#output.keep({ type: "joined", session, plan });
    }
    this.#ask();
  }

  #register(): void {
    const { names, taskSizes } = this.#data;
    const tasks = names.map((name, i) => ({ name, rows: taskSizes[i]! }));
    this.#output.say({ type: "register", tasks });
  }

  // --- rounds ---

  #start(message: Extract<Message, { type: "start" }>): void {
    if (this.#state !== "registering" && this.#state !== "waiting") return;
    const { m, rows, mostRows, positions, given, values, round } = message;
    if (positions.length !== this.#data.m || positions.some((at) => at >= m)) {
      throw new DataError("start: the curator knows other tasks than were registered");
    }
    const sizes = { m, d: this.#data.d, rows, mostRows };
    const terms = { sizes, positions, start: given ? values : null };
    const { core, participant: name } = this.#options;
    const before = this.#before;
    const rounds = new ParticipantRounds(this.#plan!, name, this.#data, terms, before, core);
    this.#rounds = rounds;
    this.#upload = this.#sums
      ? new SecureUpload(rounds, this.#output, this.#sums, before.integers?.round ?? 0)
      : new PlainUpload(rounds, this.#output, before.shown);
    this.#state = "running";
    this.#attempts = 0;
    this.#open = Math.max(this.#open, round);
    this.#output.status({ kind: "started", tasks: m, round });
    this.#proceed();
  }

  /** Heeds what the curator says of a round's sum; catches up first where the models are not those of the round. */
  #asked(message: CallMessage): void {
    const rounds = this.#rounds;
    if (this.#state !== "running" || !rounds || message.round < rounds.round) return;
    if (message.round <= this.#received) return; // #proceed has said what is wrong
    if (!this.#upload!.receive(message)) return;
    this.#open = Math.max(this.#open, message.round);
    this.#attempts = 0;
    this.#proceed();
  }

  #broadcast(message: Extract<Message, { type: "broadcast" }>): void {
    const rounds = this.#rounds;
    const { round, values, statement } = message;
    if (this.#state !== "running" || !rounds || round < rounds.round) return;
    this.#open = Math.max(this.#open, Math.min(round + 1, rounds.rounds));
    if (round === rounds.round) {
      if (round === rounds.rounds && !statement) {
        this.#output.status({
          kind: "ignored",
          why: "the last broadcast came without its statement",
        });
        return;
      }
      const drawn = message.drawn ?? this.#upload!.drawn(round);
      if (rounds.sampled && !rounds.hasUploaded && !drawn) {
        // No call came, or it came to an earlier process: only the curator knows who was drawn.
        this.#output.say({ type: "pull", round });
        this.#arm();
        return;
      }
      const why = message.drawn && rounds.whyNoSample(message.drawn);
      if (why !== undefined) {
        this.#output.status({ kind: "ignored", why });
        return;
      }
      this.#remember(round, values);
      rounds.receive(values, drawn);
      this.#upload!.over(round);
      this.#attempts = 0;
      this.#statement = statement;
      this.#output.status({ kind: "received", round, rounds: rounds.rounds });
    }
    this.#proceed();
  }

  /**
   * Keeps which broadcast a round had, before anything follows from it.
   * @throws DataError if an earlier process received another one.
   */
  #remember(round: number, values: Float64Array): void {
    if (!this.#options.records) return;
    const digest = digestOf(values);
    const before = this.#before.received.get(round);
    if (before === undefined) this.#output.keep({ type: "heard", round, digest });
    else if (before !== digest) {
      throw new DataError(
        `round ${round}: the curator sent another broadcast than the one that was received before, so noise was drawn ` +
          `twice for one charge; nothing more is uploaded. Tell the others`,
      );
    }
  }

  /** Uploads if the awaited round is the open one, catches up if it is not, completes after the last. */
  #proceed(): void {
    const rounds = this.#rounds!;
    if (rounds.round > rounds.rounds) {
      this.#state = "completing";
      this.#output.add({ type: "cancel", name: "retry" }, { type: "complete" });
      return;
    }
    if (rounds.round < this.#open) {
      this.#ask();
      return;
    }
    if (rounds.round <= this.#received) {
      this.#waitForLost();
      return;
    }
    this.#upload!.open();
    // Who has uploaded only waits: a lost message of either side the curator's reminder finds.
    this.#arm(1000 * this.#plan!.deadline);
  }

  /**
   * The curator awaits a round whose broadcast was received already: it lost records, and what it drew now would be a second
   * noise. So nothing is shared; it is told what was received, and asked for what may be on its way all the same.
   */
  #waitForLost(): void {
    const { round } = this.#rounds!;
    this.#output.status({ kind: "ahead", received: this.#received, round });
    this.#output.say({ type: "pull", round: this.#received + 1 });
    this.#output.say({ type: "pull", round });
    this.#attempts++;
    this.#arm();
  }

  // --- the end ---

  /** Says that all is done, now that the model cannot be lost. */
  #finish(): void {
    if (this.#state !== "completing") return;
    this.#state = "finishing";
    this.#attempts = 0;
    this.#ask();
  }

  #end(): void {
    this.#state = "ended";
    this.#output.add({ type: "cancel", name: "retry" }, { type: "end", model: this.#model! });
  }

  #fail(error: Error): void {
    if (this.#output.envelope.session !== "") this.#output.say({ type: "leave" });
    this.#state = "ended";
    this.#output.add({ type: "cancel", name: "retry" }, { type: "fail", error });
  }
}
