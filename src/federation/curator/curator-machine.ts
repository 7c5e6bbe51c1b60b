/**
 * The curator as a state machine: registering, rounds, the end (`ending.ts`).
 *
 * What it promises, whatever the transport and the participants do:
 * - A round's charge and noisy statistic are kept in one record before its broadcast is sent, so a
 *   killed curator sends that broadcast again and never draws a second one.
 * - While the link is down no round closes: nothing is charged, and no time passes. What is left of a deadline runs when it is up again.
 * - A round closes when all expected tasks have uploaded, or at the deadline with the quorum; short of it, it pauses until that is there.
 * - Late, repeated, foreign and unreadable messages change nothing, and neither does anything that an expelled participant says.
 * @module
 */
import { array, object, text } from "../../core/checks.js";
import type { CuratorEffect, CuratorEvent } from "./events/curator-events.js";
import { VERSION } from "../../core/index.js";
import { patienceOf, type CuratorPatience } from "./patience.js";
import { MemoryArchive, type BroadcastArchive } from "./rounds/broadcasts.js";
import { Admission } from "./members/admission.js";
import { CuratorRun } from "./curator-run.js";
import { CuratorOutput } from "./events/curator-output.js";
import { CuratorInbox } from "./curator-inbox.js";
import { Ending } from "./ending.js";
import { PROTOCOL_VERSION, type Message } from "../protocol/messages/messages.js";
import { readMessage } from "../protocol/messages/message-bytes.js";
import { handedPlan } from "../protocol/plan/handed-plan.js";
import { canonicalPlan, textHash } from "../protocol/plan/plan-hash.js";
import { decodeRecord, drawOf, requireSession, type CuratorRecord } from "../protocol/records.js";
import type { Ledger } from "../../privacy/index.js";
import type { CuratorMachineOptions } from "./machine-options.js";
import { Registry } from "./members/registry.js";
import { isThirdParty } from "./members/third-parties.js";
import { whoStops } from "./members/who-stops.js";
import { leaderPair } from "../verified-sums/plan/planned.js";
import { randomBytesFrom, type RandomBytes } from "../secure-aggregation/keys/random-bytes.js";
import type { Plan } from "../protocol/plan/plan-form.js";

/**
 * The curator of one run, without a network or a clock of its own: `handle` takes an event (a message, a deadline, the state of the link) and returns what to do
 * about it (send, keep a record, set a timer), for the caller to do in that order. `runCurator` drives it over a transport.
 */
export class CuratorMachine {
  readonly #plan: Plan;
  readonly #planText: string;
  readonly #session: string;
  readonly #patience: CuratorPatience;
  readonly #random: RandomBytes;
  readonly #broadcasts: BroadcastArchive;
  readonly #leaderKey: Uint8Array | undefined;
  readonly #registry: Registry;
  readonly #output: CuratorOutput;
  readonly #admission: Admission;
  readonly #inbox: CuratorInbox;
  #link: "up" | "down" = "down";
  /** undefined while participants register. */
  #run: CuratorRun | undefined;
  /** undefined before the last round was published. */
  #ending: Ending | undefined;

  /**
   * @throws DataError if the records are of another plan or damaged; BudgetExceededError if they
   *   overspend; OptionError if the patience is none, or the leader's key is missing or another than the plan's.
   */
  constructor(options: CuratorMachineOptions) {
    const { session, records = [], patience = {}, leaderKey } = object("options", options);
    const { random = randomBytesFrom({ mode: "secure" }), broadcasts = new MemoryArchive() } =
      options;
    const plan = handedPlan(options.plan);
    if (plan.aggregation?.kind === "two-aggregators") leaderPair(plan.aggregation, leaderKey);
    this.#leaderKey = leaderKey;
    this.#broadcasts = broadcasts;
    this.#plan = plan;
    this.#random = random;
    this.#planText = canonicalPlan(plan);
    const hash = textHash(this.#planText);
    this.#patience = patienceOf(patience);
    this.#registry = new Registry(plan, this.#patience.mostTasks);
    const kept = array("records", records).map((record) =>
      record instanceof Uint8Array ? decodeRecord(record) : record,
    );
    const first = kept[0];
    const draw = drawOf(plan);
    this.#session = first ? requireSession(first, hash, draw) : text("session", session);
    const own = { run: plan.run, session: this.#session, plan: hash };
    this.#output = new CuratorOutput(own);
    this.#admission = new Admission(plan, this.#registry, this.#output);
    this.#inbox = new CuratorInbox(own, this.#registry, this.#output);
    if (first) this.#resume(kept);
    else this.#output.keep({ type: "session", session, plan: hash, ...(draw ? { draw } : {}) });
  }

  /** The session, which a resumed curator takes from its records. */
  get session(): string {
    return this.#session;
  }

  /** What was charged so far; undefined before the start. */
  get ledger(): Ledger | undefined {
    return this.#run?.ledger;
  }

  /** Takes an event; the effects are to be carried out in order. */
  handle(event: CuratorEvent): CuratorEffect[] {
    if (this.#ending?.over) return [];
    switch (event.type) {
      case "message":
        this.#receive(event.from, event.message);
        break;
      case "link":
        this.#linkTurned(event.state);
        break;
      case "timer":
        this.#timer(event.name);
        break;
      case "begin":
        if (!this.#run) this.#start();
        break;
      case "expel":
        this.#expel(event.participant);
        this.#run?.expelled();
        this.#ending?.gone(event.participant);
        break;
    }
    if (this.#run?.over && !this.#ending) {
      this.#ending = new Ending(this.#run, this.#registry, this.#output, this.#patience);
    }
    return this.#output.take();
  }

  /** Wipes keys from memory. */
  dispose(): void {
    this.#run?.dispose();
    this.#broadcasts.close();
  }

  // --- messages ---

  #receive(from: string, bytes: Uint8Array): void {
    const message = readMessage(bytes, "party");
    if (!this.#inbox.heeds(from, message)) return;
    switch (message.type) {
      case "hello":
        if (message.speaks.includes(PROTOCOL_VERSION)) this.#tellPlan(from);
        else this.#output.refuse(from, "other-version");
        return;
      case "register":
        this.#register(from, message);
        return;
      case "upload":
      case "aggregate":
      case "checked":
      case "given":
      case "withheld":
        if (this.#run) this.#run.upload(from, message);
        else this.#admission.roundNamed();
        return;
      case "pull":
        if (this.#run) this.#run.pull(from, message.round);
        else this.#admission.roundNamed();
        return;
      case "finish":
        this.#ending?.finish(from);
        return;
      case "leave":
      case "unable":
        if (message.type === "unable") this.#output.unable(from, message.release);
        this.#leave(from);
        return;
      default:
        if (message.type === "here" && isThirdParty(this.#plan, from)) {
          if (this.#admission.partyThere(from, message.state)) this.#partyThere(from);
          return;
        }
        this.#output.status({
          kind: "refused",
          participant: from,
          why: "said what only a curator says",
        });
    }
  }

  /** A party without tasks is there: before the start, or in a round that waits for others, there is nothing for it to do, which it is told. */
  #partyThere(from: string): void {
    if (!this.#run?.over) this.#output.tell(from, { type: "registered" });
    this.#run?.partyBack(from);
  }

  /** Sends the plan when its turn comes: it names every participant of secure sums, and each of them asks for it. */
  #tellPlan(to: string): void {
    const text = this.#planText;
    if (isThirdParty(this.#plan, to)) this.#ending?.back(to);
    this.#output.repeat(to, text.length, () => ({ type: "plan", text, release: VERSION }));
  }

  #register(from: string, { tasks, state }: Extract<Message, { type: "register" }>): void {
    if (!this.#run) {
      this.#admission.register(from, tasks, state);
      if (this.#registry.complete) this.#start();
    } else if (this.#admission.join(from, tasks, this.#ending !== undefined, state)) {
      this.#run.tellStart(from);
      this.#run.call(from);
    }
  }

  /** Before the start its tasks are free again, later they count as absent. It is kept before anyone is told. */
  #expel(participant: string, deadlines?: number): void {
    if (!this.#registry.expel(participant, !this.#run)) return;
    this.#output.keep({ type: "expelled", participant });
    this.#output.tell(participant, { type: "refused", reason: "expelled" });
    const after = deadlines === undefined ? {} : { deadlines };
    this.#output.status({ kind: "expelled", participant, ...after });
  }

  #leave(from: string): void {
    const left = this.#run ? this.#registry.leave(from, false) : this.#admission.withdraw(from);
    if (!left) return;
    this.#output.status({ kind: "left", participant: from });
    this.#ending?.gone(from);
  }

  // --- start, resuming, end ---

  #start(): void {
    if (!this.#registry.enough) return;
    this.#registry.arrange();
    const members = this.#registry.members();
    // The run is made first: a budget that allows no noise stops here, with nothing kept.
    const run = this.#openNew();
    if (!run) return;
    this.#output.keep({ type: "members", members, rounds: run.rounds });
    this.#admission.started();
    this.#output.cancel("registration", "registrations");
    const tasks = this.#registry.sizes().m;
    this.#output.status({ kind: "started", tasks, participants: members.length });
    for (const { participant } of members) run.tellStart(participant);
    run.next();
  }

  /** A new run; undefined if what somebody registered allows none, who is refused: it starts when there are enough without. */
  #openNew(): CuratorRun | undefined {
    try {
      return (this.#run = this.#open([]));
    } catch (error) {
      const stopping = whoStops(error, this.#plan, this.#registry);
      if (!stopping) throw error;
      this.#admission.refuse(stopping);
      return undefined;
    }
  }

  #resume(records: readonly CuratorRecord[]): void {
    const started = records.find((record) => record.type === "members");
    if (!started) {
      this.#admission.restore(records);
      if (this.#registry.complete) this.#start();
      return;
    }
    this.#registry.restore(started.members);
    for (const record of records) {
      if (record.type === "joined") this.#registry.take(record.member);
      if (record.type === "expelled") this.#registry.expel(record.participant, false);
    }
    this.#run = this.#open(records);
    this.#admission.resumed(this.#run);
    this.#run.next();
  }

  #open(records: readonly CuratorRecord[]): CuratorRun {
    const patience = this.#patience;
    const expel = (name: string, deadlines: number) => this.#expel(name, deadlines);
    const [plan, registry, output] = [this.#plan, this.#registry, this.#output];
    const [session, random, broadcasts] = [this.#session, this.#random, this.#broadcasts];
    const options = { plan, registry, output, patience, expel, session, random, broadcasts };
    return new CuratorRun({ ...options, leaderKey: this.#leaderKey }, records, this.#link);
  }

  // --- link and timers ---

  #linkTurned(state: "up" | "down"): void {
    if (state === this.#link) return;
    this.#link = state;
    this.#output.status({ kind: "link", state });
    // Who waits longer and longer before it asks again asks now.
    if (state === "up") this.#output.broadcast({ type: "here" });
    if (this.#run) this.#run.linkTurned(state);
    else this.#admission.linkTurned(state);
    // Nobody can say that it is done: also before the time for that is set, by one that came back after the last round.
    this.#output.linkTurned(state, "linger");
    if (state === "up") this.#ending?.linkBack();
  }

  #timer(name: string): void {
    switch (name) {
      case "registration":
        if (this.#run) return;
        this.#start();
        if (!this.#run) this.#admission.awaitMore();
        return;
      case "registrations":
        if (!this.#run) this.#admission.keep();
        return;
      case "deadline":
        this.#run?.deadline();
        return;
      case "remind":
        this.#remind();
        return;
      case "linger":
        this.#ending?.end();
        return;
    }
  }

  #remind(): void {
    if (this.#link === "down") return;
    if (this.#ending) this.#ending.remind();
    else this.#run!.callMissing();
    this.#output.timers({ remind: this.#patience.remind });
  }
}
