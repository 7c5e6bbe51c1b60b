/**
 * A participant as a state machine: ask for the plan, read the tasks by it, agree, register, rounds, the end.
 *
 * Its models are a function of its data and of the broadcasts so far, so it needs no state of its own:
 * one that was gone, late or restarted pulls the broadcasts it lacks, goes through those rounds without
 * showing anything, and is where it would have been. Only with an untrusted curator must what was shown
 * be kept, and with secure sums the integers of the open round, because noise is never drawn twice. What it keeps
 * besides guards its owner's budget: what was agreed to, and which broadcast it received in which round.
 * @module
 */
import { array, object, text } from "../../core/checks.js";
import { OptionError } from "../../core/index.js";
import type { Pipeline, TaskSet } from "../../data/index.js";
import type { FittedModel } from "../../learning/index.js";
import type { OfferedPlan, PlanMessage } from "../protocol/party/agreement.js";
import { OtherPlans } from "../protocol/party/other-plans.js";
import { PATIENT_ATTEMPTS, RunOverError } from "../protocol/party/run-over.js";
import { PROTOCOL_VERSION, type Message } from "../protocol/messages/messages.js";
import { readMessage } from "../protocol/messages/message-bytes.js";
import { registrationOf } from "./own-epsilons.js";
import { ownData, tasksBy } from "./data/own-data.js";
import type {
  ParticipantEffect,
  ParticipantEvent,
  ParticipantOptions,
  ParticipantOutput,
} from "./participant-events.js";
import { heeded } from "../protocol/party/party-inbox.js";
import { PartyOutput } from "../protocol/party/party-output.js";
import { readStoredState, type StoredState } from "./participant-records.js";
import type { ParticipantRun } from "./participant-run.js";
import { Question } from "./question.js";
import { heedRefusal, ownState } from "./own-state.js";
import { OtherStateError, stateField } from "../protocol/party/state-name.js";
import { isParticipantName, NAME_FORM } from "../protocol/messages/names.js";
import { startRun } from "./start-run.js";
import { takePart } from "./take-part.js";
import type { SumAttempts } from "../secure-aggregation/run/sum-attempts.js";
import type { Plan } from "../protocol/plan/plan-form.js";

/** Where a participant is in a run. */
type Before = "asking" | "reading" | "deciding" | "registering" | "waiting";
type State = Before | "running" | "completing" | "finishing" | "ended";

/**
 * One participant of one run, without a network or a clock of its own: `handle` takes an event and returns what to do about it, for the caller to do in that
 * order. `joinRun` drives it over a transport.
 */
export class ParticipantMachine {
  readonly #options: ParticipantOptions;
  #data!: TaskSet;
  #pipeline: Pipeline | undefined;
  #state: State = "asking";
  #plan: Plan | undefined;
  /** The same, before the tasks are known to suit it, with the session that it was offered in and the curator's release of this package. */
  #offer: (OfferedPlan & Pick<PlanMessage, "session" | "release">) | undefined;
  /** Name of the state, where this participant adds noise. */
  #name: string | undefined;
  readonly #before: StoredState;
  readonly #others: OtherPlans;
  /** The attempts at secure sums; undefined where uploads are plain, and before the plan is known. */
  #sums: SumAttempts | undefined;
  #run: ParticipantRun | undefined;
  #model: FittedModel | undefined;
  readonly #output: ParticipantOutput;
  readonly #question: Question;

  /** @throws OptionError or DataError for a bad name or records of another kind. */
  constructor(options: ParticipantOptions) {
    const { run, participant, retry, records } = object("options", options);
    if (!isParticipantName(participant))
      throw new OptionError(`participant: expected ${NAME_FORM}`);
    this.#options = options;
    this.#others = new OtherPlans(options);
    this.#output = new PartyOutput(text("run", run), participant);
    this.#question = new Question(this.#output, retry);
    this.#before = readStoredState(records && array("records", records));
  }

  /** The name the transport vouches for. */
  get name(): string {
    return this.#options.participant;
  }

  get #enters(): boolean {
    return this.#state === "registering" || this.#state === "waiting";
  }

  /** Takes an event; the effects are to be carried out in order. */
  handle(event: ParticipantEvent): ParticipantEffect[] {
    if (this.#state === "ended") return [];
    try {
      switch (event.type) {
        case "message":
          this.#receive(event.message, event.scope);
          break;
        case "link":
          this.#output.status({ kind: "link", state: event.state });
          if (this.#question.linkTurned(event.state)) this.#say();
          else if (event.state === "up") this.#ask();
          break;
        case "timer":
          this.#question.unanswered();
          if (this.#state !== "finishing") this.#goesUnanswered();
          this.#ask();
          break;
        case "read":
          if (this.#state === "reading") this.#decide(event.tasks);
          break;
        case "agree":
          if (this.#state === "deciding") this.#agree();
          break;
        case "decline":
          if (this.#state === "deciding") throw new OptionError("the plan was declined");
          break;
        case "completed":
          this.#finish(event.kept);
          break;
      }
    } catch (error) {
      this.#fail(error as Error);
    }
    return this.#output.take();
  }

  /** What the tasks do alone after the last broadcast, asked for by the effect of that name; their models. */
  async complete(signal?: AbortSignal): Promise<FittedModel> {
    if (!this.#run)
      throw new OptionError("complete: to be called where the effect of that name asks for it");
    const model = await this.#run.complete(signal);
    const pipeline = this.#pipeline?.toJSON();
    this.#model = pipeline ? model.withPreprocessing({ encoding: null, pipeline }) : model;
    return this.#model;
  }

  /** Wipes keys from memory. */
  dispose(): void {
    this.#sums?.close();
    this.#run?.dispose();
  }

  /** Says, or says again, what this state waits for an answer to, and later once more. */
  #ask(): void {
    if (this.#state === "finishing" && this.#question.attempts >= PATIENT_ATTEMPTS) this.#end();
    else if (this.#say()) this.#question.repeatLater();
  }

  /** @returns whether there is anything to say. */
  #say(): boolean {
    switch (this.#state) {
      case "asking":
        this.#output.say({ type: "hello", speaks: [PROTOCOL_VERSION] });
        return true;
      case "registering":
      case "waiting":
        this.#register();
        return true;
      case "running":
        this.#run!.say();
        return true;
      case "finishing":
        this.#output.say({ type: "finish" });
        return true;
    }
    return false;
  }

  /** @throws RunOverError after some attempts, if an earlier process kept the models: the curator has ended since. */
  #goesUnanswered(): void {
    const { attempts } = this.#question;
    // Every wait was twice as long as the one before.
    if (this.#state === "asking") this.#others.unanswered(2 ** attempts - 1);
    if (attempts < PATIENT_ATTEMPTS) return;
    if (this.#before.completed) {
      const { run, participant } = this.#options;
      throw new RunOverError(run, participant, "an earlier process made its models and kept them");
    }
    if (attempts === PATIENT_ATTEMPTS) this.#output.status({ kind: "unanswered" });
  }

  #receive(bytes: Uint8Array, scope: "own" | "all"): void {
    const asking = this.#state === "asking";
    const ignored = (why: string) => this.#output.status({ kind: "ignored", why });
    const { envelope } = this.#output;
    const before = { asking, agreed: this.#options.agreed };
    const message = heeded(readMessage(bytes, "curator"), scope, envelope, before, ignored);
    if (!message) return;
    switch (message.type) {
      case "plan":
        this.#consider(message, ignored);
        return;
      case "registered":
        if (this.#state !== "registering") return;
        this.#state = "waiting";
        this.#question.answered();
        this.#output.status({ kind: "registered" });
        return;
      case "here":
        if (!["asking", "registering", "waiting"].includes(this.#state)) return;
        this.#question.answered();
        this.#ask();
        return;
      case "refused":
        heedRefusal(message, { state: this.#name, enters: this.#enters, asks: asking });
        return;
      case "start":
        this.#start(message);
        return;
      case "call":
      case "aggregate":
      case "broadcast":
        if (this.#state !== "running") {
          // A round is spoken of, so the start was lost.
          if (this.#enters && this.#question.hurries()) this.#ask();
          return;
        }
        if (message.type === "broadcast") this.#run!.broadcast(message);
        else this.#run!.asked(message);
        this.#completeIfOver();
        return;
      case "done":
        if (this.#state === "finishing") this.#end();
        return;
      default:
        ignored("said what only a participant says");
    }
  }

  /** Holds the plan to what was agreed, and has the tasks read by it. */
  #consider(message: PlanMessage, ignored: (why: string) => void): void {
    if (this.#state !== "asking") return;
    const { session, release } = message;
    const offered = this.#others.read(message, this.#before.joined, this.#output, ignored);
    if (!offered) return;
    this.#sums = takePart(offered, session, this.#options, this.#before);
    const tasks = tasksBy(this.#options.data, offered.plan);
    this.#offer = { ...offered, session, release };
    if (!(tasks instanceof Promise)) return this.#decide(tasks);
    this.#state = "reading";
    this.#question.close();
    this.#output.add({ type: "read", tasks });
  }

  /** With the tasks read by the plan: agrees to it, or has it shown. */
  #decide(tasks: TaskSet): void {
    const { plan, hash, session } = this.#offer!;
    const own = ownData(tasks, plan, this.#options, this.#before, this.#output);
    ({ data: this.#data, pipeline: this.#pipeline } = own);
    this.#plan = plan;
    this.#output.envelope = { ...this.#output.envelope, session, plan: hash };
    this.#question.answered();
    this.#state = "deciding";
    this.#question.close();
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
    this.#name = ownState(this.#plan!, this.#before.name, this.#output);
    this.#ask();
  }

  #register(): void {
    const tasks = registrationOf(this.#data, this.#options.epsilon, this.#plan!);
    this.#output.say({ type: "register", tasks, ...stateField(this.#name) });
  }

  #start(message: Extract<Message, { type: "start" }>): void {
    if (!this.#enters) return;
    const [state, sums, before] = [this.#name, this.#sums, this.#before];
    const [plan, data, curators] = [this.#plan!, this.#data, this.#offer!.release];
    const own = { options: this.#options, output: this.#output, question: this.#question };
    this.#run = startRun(message, { ...own, plan, data, curators, before, sums, state });
    this.#state = "running";
    this.#question.answered();
    const { m: tasks, round } = message;
    this.#output.status({ kind: "started", tasks, round: Math.min(round, this.#run.rounds) });
    this.#run.goOn(round);
    this.#completeIfOver();
  }

  #completeIfOver(): void {
    if (!this.#run!.over) return;
    this.#state = "completing";
    this.#question.close();
    this.#output.add({ type: "complete" });
  }

  /** Says that all is done, now that the model cannot be lost. */
  #finish(kept = false): void {
    if (this.#state !== "completing") return;
    this.#state = "finishing";
    this.#question.answered();
    if (kept && this.#options.records && !this.#before.completed) {
      this.#output.keep({ type: "completed" });
    }
    this.#ask();
  }

  #end(): void {
    this.#state = "ended";
    this.#question.close();
    this.#output.add({ type: "end", model: this.#model! });
  }

  #fail(error: Error): void {
    // Where another state takes part the word would be taken for that one's.
    const joined = this.#output.envelope.session !== "";
    if (joined && !(error instanceof OtherStateError)) this.#output.say({ type: "leave" });
    this.#state = "ended";
    this.#question.close();
    this.#output.add({ type: "fail", error });
  }
}
