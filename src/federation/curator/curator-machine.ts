/**
 * The curator as a state machine: registering, rounds, the end.
 *
 * What it promises, whatever the transport and the participants do:
 * - A round's charge and noisy statistic are kept in one record before its broadcast is sent, so a
 *   killed curator sends that broadcast again and never draws a second one.
 * - While the link is down no round closes: nothing is charged, and the deadline starts afresh.
 * - A round closes when all expected tasks have uploaded, or at the deadline with the quorum; short of
 *   it, it pauses until the quorum is there.
 * - Late, repeated, foreign and unreadable messages change nothing, and neither does anything that an expelled
 *   participant says.
 * @module
 */
import {
  CURATOR_PATIENCE,
  type CuratorEffect,
  type CuratorEvent,
  type CuratorPatience,
} from "./curator-events.js";
import { MemoryArchive, type BroadcastArchive } from "./broadcasts.js";
import { CuratorRun } from "./curator-run.js";
import { CuratorOutput } from "./curator-output.js";
import {
  decodeMessage,
  OtherVersionError,
  PROTOCOL_VERSION,
  type Message,
  type Refusal,
} from "../protocol/messages.js";
import { canonicalPlan, planHash, type Plan } from "../protocol/plan.js";
import { decodeRecord, requireSession, type CuratorRecord } from "../protocol/records.js";
import type { Ledger } from "../../privacy/index.js";
import { Registry } from "./registry.js";
import { randomBytesFrom, type RandomBytes } from "../secure-aggregation/random-bytes.js";

/** The curator of one run. */
export class CuratorMachine {
  readonly #plan: Plan;
  readonly #hash: string;
  readonly #session: string;
  readonly #patience: CuratorPatience;
  readonly #random: RandomBytes;
  readonly #broadcasts: BroadcastArchive;
  readonly #registry: Registry;
  readonly #output: CuratorOutput;
  #link: "up" | "down" = "down";
  /** undefined while participants register. */
  #run: CuratorRun | undefined;
  #lingering = false;
  /** Participants that have not said that they are done, once the rounds are over. */
  readonly #awaited = new Set<string>();
  #ended = false;
  readonly #finished = new Set<string>();

  /**
   * @param session 32 hexadecimal digits drawn at random by the caller; with records, theirs stands.
   * @param records what the store holds: of this plan, or none.
   * @param random  where the key comes from under which samples are kept; default the platform's generator.
   * @param broadcasts where past broadcasts are put; closed with the machine.
   * @throws DataError if the records are of another plan or damaged; BudgetExceededError if they
   *   overspend.
   */
  constructor(
    plan: Plan,
    session: string,
    records: readonly (Uint8Array | CuratorRecord)[] = [],
    patience: Partial<CuratorPatience> = {},
    random: RandomBytes = randomBytesFrom({ mode: "secure" }),
    broadcasts: BroadcastArchive = new MemoryArchive(),
  ) {
    this.#broadcasts = broadcasts;
    this.#plan = plan;
    this.#random = random;
    this.#hash = planHash(plan);
    this.#patience = { ...CURATOR_PATIENCE, ...patience };
    this.#registry = new Registry(plan, this.#patience.mostTasks);
    const kept = records.map((record) =>
      record instanceof Uint8Array ? decodeRecord(record) : record,
    );
    const first = kept[0];
    this.#session = first ? requireSession(first, this.#hash) : session;
    this.#output = new CuratorOutput({ run: plan.run, session: this.#session, plan: this.#hash });
    if (first) this.#resume(kept);
    else this.#output.keep({ type: "session", session, plan: this.#hash });
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
    if (this.#ended) return [];
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
        this.#endIfAllDone();
        break;
    }
    if (this.#run?.over && !this.#lingering) this.#linger();
    return this.#output.take();
  }

  /** Wipes keys from memory. */
  dispose(): void {
    this.#run?.dispose();
    this.#broadcasts.close();
  }

  // --- messages ---

  #receive(from: string, bytes: Uint8Array): void {
    let message: Message;
    try {
      message = decodeMessage(bytes);
    } catch (error) {
      this.#output.status({ kind: "refused", participant: from, why: (error as Error).message });
      // Said in this version: a release that speaks another one reads so much of it.
      if (error instanceof OtherVersionError && error.type === "hello") {
        this.#output.tell(from, { type: "refused", reason: "other-version" });
      }
      return;
    }
    if (this.#registry.isExpelled(from)) {
      const asks =
        message.type === "hello" || message.type === "register" || message.type === "pull";
      if (asks) this.#output.tell(from, { type: "refused", reason: "expelled" });
      return;
    }
    const why = this.#foreign(from, message);
    if (why !== undefined) {
      this.#output.status({ kind: "refused", participant: from, why });
      return;
    }
    switch (message.type) {
      case "hello":
        if (!message.speaks.includes(PROTOCOL_VERSION)) {
          this.#refuse(from, "other-version");
          return;
        }
        this.#output.tell(from, { type: "plan", text: canonicalPlan(this.#plan) });
        return;
      case "register":
        this.#register(from, message);
        return;
      case "upload":
      case "aggregate":
        this.#run?.upload(from, message);
        return;
      case "pull":
        this.#run?.pull(from, message.round);
        return;
      case "finish":
        this.#finish(from);
        return;
      case "leave":
        this.#leave(from);
        return;
      default:
        this.#output.status({
          kind: "refused",
          participant: from,
          why: "said what only a curator says",
        });
    }
  }

  /** Why a message is not for this run or not from who sent it; undefined if it is. */
  #foreign(from: string, { run, session, plan, participant, type }: Message): string | undefined {
    if (participant !== from) return "spoke in another's name";
    if (run !== this.#plan.run) return "a message of another run";
    if (type === "hello") return undefined;
    if (session !== this.#session) return "a message of another session";
    if (plan === this.#hash) return undefined;
    if (type === "register") this.#output.tell(from, { type: "refused", reason: "other-plan" });
    return "agreed to another plan";
  }

  #register(from: string, { tasks }: Extract<Message, { type: "register" }>): void {
    if (this.#run) {
      if (this.#registry.same(from, tasks)) {
        this.#run.tellStart(from);
        this.#run.call(from);
      } else this.#refuse(from, "already-started");
      return;
    }
    const refusal = this.#registry.register(from, tasks);
    if (refusal) {
      this.#refuse(from, refusal);
      return;
    }
    this.#output.tell(from, { type: "registered" });
    this.#output.status({ kind: "registered", participant: from, tasks: tasks.length });
    if (this.#registry.complete) this.#start();
  }

  #refuse(from: string, reason: Refusal): void {
    this.#output.tell(from, { type: "refused", reason });
    this.#output.status({ kind: "refused", participant: from, why: reason });
  }

  #finish(from: string): void {
    if (!this.#run?.over || !this.#registry.positionsOf(from)) return;
    this.#output.tell(from, { type: "done" });
    if (this.#finished.has(from)) return;
    this.#finished.add(from);
    this.#awaited.delete(from);
    this.#output.status({ kind: "finished", participant: from });
    this.#endIfAllDone();
  }

  /** Before the start its tasks are free again, later they count as absent. It is kept before anyone is told. */
  #expel(participant: string, deadlines?: number): void {
    if (!this.#registry.expel(participant, !this.#run)) return;
    this.#awaited.delete(participant);
    this.#output.keep({ type: "expelled", participant });
    this.#output.tell(participant, { type: "refused", reason: "expelled" });
    const after = deadlines === undefined ? {} : { deadlines };
    this.#output.status({ kind: "expelled", participant, ...after });
  }

  #leave(from: string): void {
    if (!this.#registry.leave(from, !this.#run)) return;
    this.#awaited.delete(from);
    this.#output.status({ kind: "left", participant: from });
    this.#endIfAllDone();
  }

  // --- start, resuming, end ---

  #start(): void {
    if (!this.#registry.enough) return;
    this.#registry.arrange();
    const members = this.#registry.members();
    // The run is made first: a budget that allows no noise stops here, with nothing kept.
    const run = (this.#run = this.#open([]));
    this.#output.keep({ type: "members", members });
    this.#output.cancel("registration");
    const tasks = this.#registry.sizes().m;
    this.#output.status({ kind: "started", tasks, participants: members.length });
    for (const { participant } of members) run.tellStart(participant);
    run.next();
  }

  #resume(records: readonly CuratorRecord[]): void {
    const started = records.find((record) => record.type === "members");
    if (started) this.#registry.restore(started.members);
    for (const record of records) {
      if (record.type === "expelled") this.#registry.expel(record.participant, false);
    }
    if (!started) return;
    this.#run = this.#open(records);
    this.#output.status({ kind: "resumed", round: this.#run.round });
    this.#run.next();
  }

  #open(records: readonly CuratorRecord[]): CuratorRun {
    const patience = this.#patience;
    const expel = (name: string, deadlines: number) => this.#expel(name, deadlines);
    const [plan, registry, output] = [this.#plan, this.#registry, this.#output];
    const [session, random, broadcasts] = [this.#session, this.#random, this.#broadcasts];
    const options = { plan, registry, output, patience, expel, session, random, broadcasts };
    return new CuratorRun(options, records, this.#link);
  }

  /** Stays to hand the last broadcast to those that missed it. */
  #linger(): void {
    this.#lingering = true;
    if (this.#run!.wiped) {
      this.#end();
      return;
    }
    for (const name of this.#registry.staying()) this.#awaited.add(name);
    this.#waitForLast();
    this.#endIfAllDone();
  }

  #waitForLast(): void {
    const { remind, linger } = this.#patience;
    this.#output.timers({ remind, linger });
  }

  #endIfAllDone(): void {
    if (!this.#lingering || this.#awaited.size > 0) return;
    this.#run!.wipe();
    this.#end();
  }

  #end(): void {
    this.#ended = true;
    this.#output.cancel("remind", "linger");
    this.#output.end({ type: "end", result: this.#run!.result(this.#finished) });
  }

  // --- link and timers ---

  #linkTurned(state: "up" | "down"): void {
    if (state === this.#link) return;
    this.#link = state;
    this.#output.status({ kind: "link", state });
    // Who waits longer and longer before it asks again asks now.
    if (state === "up") this.#output.broadcast({ type: "here" });
    if (this.#run) this.#run.linkTurned(state);
    else if (state === "up") this.#awaitRegistrations();
    if (this.#lingering && state === "up") this.#waitForLast();
  }

  #awaitRegistrations(): void {
    const { registration } = this.#plan;
    if (registration !== null) this.#output.timers({ registration: 1000 * registration });
  }

  #timer(name: string): void {
    switch (name) {
      case "registration":
        if (this.#run) return;
        if (this.#registry.enough) this.#start();
        else this.#awaitRegistrations();
        return;
      case "deadline":
        this.#run?.deadline();
        return;
      case "remind":
        this.#remind();
        return;
      case "linger":
        if (this.#lingering) this.#end();
        return;
    }
  }

  #remind(): void {
    if (this.#link === "down") return;
    const run = this.#run!;
    if (this.#lingering) {
      for (const name of this.#awaited) run.sendBroadcast(name);
    } else run.callMissing();
    this.#output.timers({ remind: this.#patience.remind });
  }
}
