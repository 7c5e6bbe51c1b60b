/**
 * A participant as a state machine: ask for the plan, agree, register, rounds, farewell.
 *
 * Its models are a function of its data and of the messages so far, so it needs no state of its own:
 * one that was gone, late or restarted pulls the messages it lacks, goes through those rounds without
 * showing anything, and is where it would have been. Only with an untrusted curator must what was shown
 * be kept, and with secure sums the integers of the open round, because noise is never drawn twice.
 * @module
 */
import { DataError, OptionError } from "../../core/index.js";
import type { Pipeline, TaskSet } from "../../data/index.js";
import type { FittedModel } from "../../learning/index.js";
import { considerPlan, takePart, whyForeign } from "./agreement.js";
import { encodeFrame } from "../protocol/frame.js";
import {
  decodeMessage,
  encodeMessage,
  type Body,
  type Drawn,
  type Message,
  type Statement,
} from "../protocol/messages.js";
import { prepareData } from "./participant-data.js";
import type {
  ParticipantEffect,
  ParticipantEvent,
  ParticipantOptions,
  ParticipantStatus,
} from "./participant-events.js";
import { integersRecord, readEarlierLives, type EarlierLives } from "./participant-records.js";
import { ParticipantRounds, type Shown } from "./participant-rounds.js";
import { isParticipantName, type Plan } from "../protocol/plan.js";
import type { TakingPart } from "../secure-aggregation/taking-part.js";

/** Where a participant is in a run. */
type Before = "asking" | "deciding" | "registering" | "waiting";
type State = Before | "running" | "completing" | "parting" | "ended";

/** Attempts to tell the curator that all is done. */
const FAREWELLS = 5;
const MOST_DOUBLINGS = 5;

/** One participant of one run. */
export class ParticipantMachine {
  readonly #options: ParticipantOptions;
  #data!: TaskSet;
  #pipeline: Pipeline | undefined;
  #state: State = "asking";
  #plan: Plan | undefined;
  #hash = "";
  #session = "";
  readonly #before: EarlierLives;
  /** Where sums are secure. */
  #taking: TakingPart | undefined;
  #rounds: ParticipantRounds | undefined;
  /** The newest round known to be open. */
  #open = 0;
  /** The round of the last call, and which tasks were drawn in it. */
  #called: { readonly round: number; readonly drawn: Drawn | undefined } | undefined;
  #pushed = 0;
  /** The round of which the store holds integers; 0 for none. */
  #held: number;
  #statement: Statement | undefined;
  #model: FittedModel | undefined;
  #attempts = 0;
  #effects: ParticipantEffect[] = [];

  /** @throws OptionError or DataError for a bad name or records of another kind. */
  constructor(options: ParticipantOptions) {
    if (!isParticipantName(options.participant)) {
      throw new OptionError("participant: expected 1 to 64 letters, digits, - or _");
    }
    this.#options = options;
    this.#before = readEarlierLives(options.records);
    this.#held = this.#before.integers?.round ?? 0;
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
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** What the tasks do alone after the last message, asked for by the effect of that name; their models. */
  async complete(signal?: AbortSignal): Promise<FittedModel> {
    await this.#rounds!.finish(signal);
    const model = this.#rounds!.model(this.#statement!);
    const pipeline = this.#pipeline?.toJSON();
    this.#model = pipeline ? model.withPreprocessing({ encoding: null, pipeline }) : model;
    return this.#model;
  }

  /** Wipes keys from memory. */
  dispose(): void {
    this.#taking?.close();
    this.#rounds?.dispose();
  }

  #take(event: ParticipantEvent): void {
    if (this.#state === "ended") return;
    switch (event.type) {
      case "message":
        this.#receive(event.message, event.scope);
        break;
      case "link":
        this.#status({ kind: "link", state: event.state });
        this.#attempts = 0;
        if (event.state === "up") this.#ask();
        else this.#effects.push({ type: "cancel", name: "retry" });
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
        this.#part();
        break;
    }
  }

  /** Says, or says again, what this state waits for an answer to. */
  #ask(): void {
    switch (this.#state) {
      case "asking":
        this.#say({ type: "hello" });
        break;
      case "registering":
      case "waiting":
        this.#register();
        break;
      case "running":
        this.#say({ type: "pull", round: this.#rounds!.round });
        break;
      case "parting":
        if (this.#attempts >= FAREWELLS) {
          this.#end();
          return;
        }
        this.#say({ type: "finish" });
        break;
      default:
        return;
    }
    this.#arm();
  }

  #arm(least = 0): void {
    const { retry = 2000 } = this.#options;
    const milliseconds = Math.max(least, retry * 2 ** Math.min(this.#attempts, MOST_DOUBLINGS));
    this.#effects.push({ type: "timer", name: "retry", milliseconds });
  }

  // --- messages ---

  #receive(bytes: Uint8Array, scope: "own" | "all"): void {
    let message: Message;
    try {
      message = decodeMessage(bytes);
    } catch (error) {
      this.#status({ kind: "ignored", why: (error as Error).message });
      return;
    }
    const { run, participant } = this.#options;
    const own = { run, participant, session: this.#session, plan: this.#hash };
    const why = whyForeign(message, scope, own);
    if (why !== undefined) {
      this.#status({ kind: "ignored", why });
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
        this.#status({ kind: "registered" });
        return;
      case "refused":
        if (this.#state !== "registering" && this.#state !== "waiting") return;
        throw new OptionError(`the curator refused to register the tasks: ${message.reason}`);
      case "start":
        this.#start(message);
        return;
      case "call":
        this.#call(message);
        return;
      case "aggregate":
        this.#aggregate(message);
        return;
      case "message":
        this.#message(message);
        return;
      case "done":
        if (this.#state === "parting") this.#end();
        return;
      default:
        this.#status({ kind: "ignored", why: "said what only a participant says" });
    }
  }

  /** Holds the plan to what was agreed, or has it shown. */
  #consider({ text, session }: Extract<Message, { type: "plan" }>): void {
    if (this.#state !== "asking") return;
    const offered = considerPlan({ text, session }, this.#options, this.#before.joined);
    const { plan, hash } = offered;
    this.#taking = takePart(offered, session, this.#options, this.#before.opened);
    const { data } = this.#options;
    const given = typeof data === "function" ? data(plan) : data;
    ({ data: this.#data, pipeline: this.#pipeline } = prepareData(given, plan));
    this.#plan = plan;
    this.#hash = hash;
    this.#session = session;
    this.#attempts = 0;
    this.#state = "deciding";
    this.#effects.push({ type: "cancel", name: "retry" });
    const known = this.#options.agreed ?? this.#before.joined;
    if (known !== undefined) this.#agree();
    else this.#effects.push({ type: "show", plan, hash });
  }

  #agree(): void {
    this.#state = "registering";
    if (this.#options.records && this.#before.joined === undefined) {
      this.#keep({ type: "joined", session: this.#session, plan: this.#hash });
    }
    this.#ask();
  }

  #register(): void {
    const { names, taskSizes } = this.#data;
    const tasks = names.map((name, i) => ({ name, rows: taskSizes[i]! }));
    this.#say({ type: "register", tasks });
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
    this.#rounds = new ParticipantRounds(this.#plan!, name, this.#data, terms, this.#before, core);
    this.#state = "running";
    this.#attempts = 0;
    this.#open = Math.max(this.#open, round);
    this.#status({ kind: "started", tasks: m, round });
    this.#proceed();
  }

  #call({ round, positions, drawn }: Extract<Message, { type: "call" }>): void {
    const rounds = this.#rounds;
    if (this.#state !== "running" || !rounds || round < rounds.round) return;
    if (!positions.every((at) => rounds.owns(at))) {
      this.#status({ kind: "ignored", why: "called for tasks of others" });
      return;
    }
    if (!this.#tellsSample(drawn)) return;
    this.#open = Math.max(this.#open, round);
    this.#called = { round, drawn };
    this.#pushed = 0;
    this.#proceed();
  }

  /** Takes part in an attempt at a round's secure sum, once the models are those of that round. */
  #aggregate({ round, attempt, bytes }: Extract<Message, { type: "aggregate" }>): void {
    const [rounds, taking] = [this.#rounds, this.#taking];
    if (this.#state !== "running" || !rounds || !taking || round < rounds.round) return;
    this.#open = Math.max(this.#open, round);
    if (round > rounds.round) {
      this.#proceed();
      return;
    }
    const answers = taking.receive(attempt, bytes, rounds.open);
    this.#hold(rounds.takeDrawn());
    for (const answer of answers) {
      if (answer.kind === "opened") this.#keep({ type: "opened", round });
      else if (answer.kind === "ignored") this.#status({ kind: "ignored", why: answer.why });
      else this.#say({ type: "aggregate", round, attempt, bytes: answer.bytes });
    }
    this.#attempts = 0;
    this.#arm(1000 * this.#plan!.deadline);
  }

  /** Integers with noise in them, before anything of them is sent: a later life must not draw that noise again. */
  #hold(drawn: Shown | undefined): void {
    if (!drawn) return;
    this.#held = drawn.round;
    this.#effects.push({ type: "hold", record: integersRecord(drawn) });
  }

  /** What was held for a round that is over is wiped. */
  #wipeHeld(round: number): void {
    if (this.#held === 0 || round < this.#held) return;
    this.#effects.push({ type: "hold", record: null });
    this.#held = 0;
  }

  #message(message: Extract<Message, { type: "message" }>): void {
    const rounds = this.#rounds;
    const { round, values, statement } = message;
    if (this.#state !== "running" || !rounds || round < rounds.round) return;
    this.#open = Math.max(this.#open, Math.min(round + 1, rounds.rounds));
    if (round === rounds.round) {
      if (round === rounds.rounds && !statement) {
        this.#status({ kind: "ignored", why: "the last message came without its statement" });
        return;
      }
      const drawn = message.drawn ?? this.#drawnIn(round);
      if (rounds.sampled && !rounds.hasShared && !drawn) {
        // No call came, or it came to an earlier life: only the curator knows who was drawn.
        this.#say({ type: "pull", round });
        this.#arm();
        return;
      }
      if (message.drawn && !this.#tellsSample(message.drawn)) return;
      rounds.receive(values, drawn);
      this.#wipeHeld(round);
      this.#attempts = 0;
      this.#statement = statement;
      this.#status({ kind: "received", round, rounds: rounds.rounds });
    }
    this.#proceed();
  }

  /** Whether a sample is told where there is one, a mark for each of the participant's tasks. */
  #tellsSample(drawn: Drawn | undefined): boolean {
    const { sampled, positions } = this.#rounds!;
    const tells = drawn?.length === (sampled ? positions.length : undefined);
    if (!tells) this.#status({ kind: "ignored", why: "marks of another number of tasks" });
    return tells;
  }

  #drawnIn(round: number): Drawn | undefined {
    return this.#called?.round === round ? this.#called.drawn : undefined;
  }

  /** Shares if the awaited round is the open one, catches up if it is not, completes after the last. */
  #proceed(): void {
    const rounds = this.#rounds!;
    if (rounds.round > rounds.rounds) {
      this.#state = "completing";
      this.#effects.push({ type: "cancel", name: "retry" }, { type: "complete" });
      return;
    }
    const { round } = rounds;
    const drawn = this.#drawnIn(round);
    const open = round >= this.#open;
    const wanted = !this.#taking && (drawn || !rounds.sampled);
    if (open && this.#pushed !== round && wanted) this.#push(drawn);
    // Who has shared only waits: a lost message of either side the curator's reminder finds.
    if (open) this.#arm(1000 * this.#plan!.deadline);
    else this.#ask();
  }

  #push(drawn: Drawn | undefined): void {
    const rounds = this.#rounds!;
    const { round, positions } = rounds;
    const values = rounds.share(drawn);
    if (rounds.irrevocable && !this.#before.shown.some((shown) => shown.round === round)) {
      this.#before.shown.push({ round, values });
      this.#keep({ type: "shown", round }, values);
    }
    this.#pushed = round;
    this.#say({ type: "push", round, positions, values });
    this.#status({ kind: "shared", round, rounds: rounds.rounds });
  }

  // --- the end ---

  /** Says that all is done, now that the model cannot be lost. */
  #part(): void {
    if (this.#state !== "completing") return;
    this.#state = "parting";
    this.#attempts = 0;
    this.#ask();
  }

  #end(): void {
    this.#state = "ended";
    this.#effects.push({ type: "cancel", name: "retry" }, { type: "end", model: this.#model! });
  }

  #fail(error: Error): void {
    if (this.#session !== "") this.#say({ type: "leave" });
    this.#state = "ended";
    this.#effects.push({ type: "cancel", name: "retry" }, { type: "fail", error });
  }

  #say(body: Body): void {
    const { run, participant } = this.#options;
    const envelope = { run, session: this.#session, plan: this.#hash, participant };
    this.#effects.push({ type: "send", message: encodeMessage(envelope, body) });
  }

  #keep(header: object, values?: Float64Array): void {
    this.#effects.push({ type: "append", record: encodeFrame(header, values) });
  }

  #status(status: ParticipantStatus): void {
    this.#effects.push({ type: "status", status });
  }
}
