/**
 * The curator as a state machine: registering, rounds, farewell.
 *
 * What it promises, whatever the transport and the participants do:
 * - A round's charge and noisy statistic are kept in one record before its message is sent, so a
 *   killed curator sends that message again and never draws a second one.
 * - While the link is down no round closes: nothing is charged, and the deadline starts afresh.
 * - A round closes when all expected tasks have shared, or at the deadline with the quorum; short of
 *   it, it pauses until the quorum is there.
 * - Late, repeated, foreign and unreadable messages change nothing.
 * @module
 */
import type { PublicSizes } from "../learning/round/halves.js";
import {
  CURATOR_PATIENCE,
  type CuratorEffect,
  type CuratorEvent,
  type CuratorPatience,
  type CuratorStatus,
} from "./curator-events.js";
import { CuratorRounds } from "./curator-rounds.js";
import {
  decodeMessage,
  encodeMessage,
  type Body,
  type Message,
  type Refusal,
  type Statement,
} from "./messages.js";
import { canonicalPlan, planHash, type Plan } from "./plan.js";
import { decodeRecord, encodeRecord, requireSession, type CuratorRecord } from "./records.js";
import { Registry } from "./registry.js";

/** The curator of one run. */
export class CuratorMachine {
  readonly #plan: Plan;
  readonly #hash: string;
  readonly #session: string;
  readonly #patience: CuratorPatience;
  readonly #registry: Registry;
  readonly #records: CuratorRecord[];
  #state: "registering" | "running" | "farewell" | "ended" = "registering";
  #link: "up" | "down" = "down";
  #rounds: CuratorRounds | undefined;
  #sizes: PublicSizes | undefined;
  #clipped = 0;
  #overdue = false;
  /** Encoded messages of closed rounds, for those that missed them. */
  readonly #messages: { values: Float64Array; statement?: Statement }[] = [];
  readonly #samples = new Map<number, ReadonlySet<number>>();
  readonly #finished = new Set<string>();
  #effects: CuratorEffect[] = [];

  /**
   * @param session 32 hexadecimal digits drawn at random by the caller; with records, theirs stands.
   * @param records what the store holds: of this plan, or none.
   * @throws DataError if the records are of another plan or damaged; BudgetExceededError if they
   *   overspend.
   */
  constructor(
    plan: Plan,
    session: string,
    records: readonly Uint8Array[] = [],
    patience: Partial<CuratorPatience> = {},
  ) {
    this.#plan = plan;
    this.#hash = planHash(plan);
    this.#patience = { ...CURATOR_PATIENCE, ...patience };
    this.#records = records.map(decodeRecord);
    this.#registry = new Registry(plan);
    const first = this.#records[0];
    if (first === undefined) {
      this.#session = session;
      this.#keep({ type: "session", session, plan: this.#hash });
    } else {
      this.#session = requireSession(first, this.#hash);
      this.#resume();
    }
  }

  /** The session, which a resumed curator takes from its records. */
  get session(): string {
    return this.#session;
  }

  /** Takes an event; the effects are to be carried out in order. */
  handle(event: CuratorEvent): CuratorEffect[] {
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
        if (this.#state === "registering") this.#start();
        break;
    }
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** Wipes keys from memory. */
  dispose(): void {
    this.#rounds?.dispose();
  }

  // --- resuming ---

  #resume(): void {
    const members = this.#records.find((record) => record.type === "members");
    if (!members) return;
    this.#registry.restore(members.members);
    for (const record of this.#records) {
      if (record.type === "sample") this.#samples.set(record.round, new Set(record.positions));
    }
    this.#rounds = this.#openRounds();
    this.#state = "running";
    // Rounds that were released are gone through again from what was kept: same messages, no noise.
    while (this.#rounds.round < this.#rounds.released) {
      this.#rounds.open(this.#samples.get(this.#rounds.round + 1));
      this.#remember(this.#rounds.close().message);
    }
    this.#status({ kind: "resumed", round: this.#rounds.round });
    this.#next();
  }

  #openRounds(): CuratorRounds {
    this.#sizes = this.#registry.sizes();
    return new CuratorRounds(this.#plan, this.#sizes, this.#records);
  }

  // --- messages ---

  #receive(from: string, bytes: Uint8Array): void {
    let message: Message;
    try {
      message = decodeMessage(bytes);
    } catch (error) {
      this.#status({ kind: "refused", participant: from, why: (error as Error).message });
      return;
    }
    const why = this.#foreign(from, message);
    if (why !== undefined) {
      this.#status({ kind: "refused", participant: from, why });
      return;
    }
    switch (message.type) {
      case "hello":
        this.#tell(from, { type: "plan", text: canonicalPlan(this.#plan) });
        return;
      case "register":
        this.#register(from, message);
        return;
      case "push":
        this.#push(from, message);
        return;
      case "pull":
        this.#pull(from, message.round);
        return;
      case "finish":
        this.#finish(from);
        return;
      case "leave":
        this.#leave(from);
        return;
      default:
        this.#status({ kind: "refused", participant: from, why: "said what only a curator says" });
    }
  }

  /** Why a message is not for this run or not from who sent it; undefined if it is. */
  #foreign(from: string, { run, session, plan, participant, type }: Message): string | undefined {
    if (participant !== from) return "spoke in another's name";
    if (run !== this.#plan.run) return "a message of another run";
    if (type === "hello") return undefined;
    if (session !== this.#session) return "a message of another session";
    if (plan === this.#hash) return undefined;
    if (type === "register") this.#tell(from, { type: "refused", reason: "other-plan" });
    return "agreed to another plan";
  }

  #register(from: string, { tasks }: Extract<Message, { type: "register" }>): void {
    if (this.#state !== "registering") {
      if (this.#registry.same(from, tasks)) {
        this.#tellStart(from);
        if (this.#state === "running") this.#call(from);
      } else this.#refuse(from, "already-started");
      return;
    }
    const refusal = this.#registry.register(from, tasks);
    if (refusal) {
      this.#refuse(from, refusal);
      return;
    }
    this.#tell(from, { type: "registered" });
    this.#status({ kind: "registered", participant: from, tasks: tasks.length });
    if (this.#registry.complete) this.#start();
  }

  #refuse(from: string, reason: Refusal): void {
    this.#tell(from, { type: "refused", reason });
    this.#status({ kind: "refused", participant: from, why: reason });
  }

  #push(from: string, { round, positions, values }: Extract<Message, { type: "push" }>): void {
    const rounds = this.#rounds;
    if (this.#state !== "running" || !rounds || round !== rounds.round) return; // late, or early
    const own = this.#registry.positionsOf(from);
    if (!own || positions.length === 0 || !positions.every((at) => own.includes(at))) {
      this.#status({ kind: "refused", participant: from, why: "pushed for tasks it does not own" });
      return;
    }
    const width = values.length / positions.length;
    for (const [k, position] of positions.entries()) {
      const row = values.subarray(k * width, (k + 1) * width);
      const reception = rounds.put(position, row);
      if (reception === "clipped") this.#clipped++;
      if (reception === "wrong-length" || reception === "not-expected") {
        const why = reception === "wrong-length" ? "a vector of wrong length" : "was not called";
        this.#status({ kind: "refused", participant: from, why });
      }
    }
    this.#closeIfDone();
  }

  /** Gives a participant what it lacks: a past message, or the call of the open round. */
  #pull(from: string, round: number): void {
    const own = this.#registry.positionsOf(from);
    if (!own || !this.#rounds) return;
    if (round <= this.#messages.length) this.#tellMessage(from, round);
    else if (round === this.#rounds.round && this.#state === "running") this.#call(from);
  }

  #finish(from: string): void {
    if (!this.#registry.positionsOf(from)) return;
    if (this.#state === "running" || this.#state === "registering") return;
    this.#tell(from, { type: "done" });
    if (this.#finished.has(from)) return;
    this.#finished.add(from);
    this.#status({ kind: "finished", participant: from });
    if (this.#registry.staying().every((name) => this.#finished.has(name))) this.#end();
  }

  #leave(from: string): void {
    if (!this.#registry.leave(from, this.#state === "registering")) return;
    this.#status({ kind: "left", participant: from });
    if (this.#state === "farewell") {
      if (this.#registry.staying().every((name) => this.#finished.has(name))) this.#end();
    }
  }

  // --- start and rounds ---

  #start(): void {
    if (!this.#registry.enough) return;
    this.#registry.arrange();
    this.#keep({ type: "members", members: this.#registry.members() });
    this.#rounds = this.#openRounds();
    this.#state = "running";
    this.#cancel("registration");
    const { m } = this.#sizes!;
    const members = this.#registry.members();
    this.#status({ kind: "started", tasks: m, participants: members.length });
    for (const { participant } of members) this.#tellStart(participant);
    this.#next();
  }

  /** Opens the next round, or says farewell after the last. */
  #next(): void {
    const rounds = this.#rounds!;
    for (;;) {
      if (rounds.round === rounds.rounds) {
        this.#farewell();
        return;
      }
      const round = rounds.round + 1;
      const kept = this.#samples.get(round);
      rounds.open(kept);
      this.#clipped = 0;
      this.#overdue = false;
      const expected = rounds.expected();
      if (rounds.sampled && !kept) {
        this.#samples.set(round, new Set(expected));
        this.#keep({ type: "sample", round, positions: expected });
      }
      this.#status({ kind: "round", round, rounds: rounds.rounds, expected: expected.length });
      this.#arm();
      if (rounds.sampled) this.#callMissing();
      if (expected.length > 0 || this.#link === "down") return;
      this.#close();
    }
  }

  #arm(): void {
    if (this.#link === "down") return;
    this.#timers({ deadline: 1000 * this.#plan.deadline, remind: this.#patience.remind });
  }

  /** Tasks that must have shared before the round may close at its deadline. */
  #needed(): number {
    return Math.ceil(this.#plan.quorum * this.#rounds!.expected().length);
  }

  #closeIfDone(): void {
    const rounds = this.#rounds;
    if (this.#state !== "running" || this.#link === "down" || !rounds) return;
    const all = rounds.present === rounds.expected().length;
    if (!all && !(this.#overdue && rounds.present >= this.#needed())) return;
    this.#close();
    this.#next();
  }

  /** Charges, draws, keeps, and only then publishes. */
  #close(): void {
    const rounds = this.#rounds!;
    const { round, present } = rounds;
    const expected = rounds.expected().length;
    const { message, release } = rounds.close();
    if (release) this.#keep(release);
    this.#overdue = false;
    this.#remember(message);
    this.#status({ kind: "closed", round, expected, present, clipped: this.#clipped });
    this.#publish(round);
  }

  #remember(values: Float64Array): void {
    const rounds = this.#rounds!;
    const last = rounds.round === rounds.rounds;
    const statement = (): Statement => ({
      guarantee: rounds.guarantee(),
      ledger: rounds.ledger.toJSON(),
    });
    this.#messages.push({ values, ...(last ? { statement: statement() } : {}) });
  }

  #farewell(): void {
    this.#state = "farewell";
    this.#cancel("deadline");
    this.#timers({ remind: this.#patience.remind, farewell: this.#patience.farewell });
    if (this.#registry.staying().length === 0) this.#end();
  }

  #end(): void {
    const rounds = this.#rounds!;
    this.#state = "ended";
    this.#cancel("remind", "farewell");
    this.#effects.push({
      type: "end",
      result: {
        guarantee: rounds.guarantee(),
        ledger: rounds.ledger,
        history: rounds.history,
        finished: [...this.#finished].sort(),
      },
    });
  }

  // --- link and timers ---

  #linkTurned(state: "up" | "down"): void {
    if (state === this.#link) return;
    this.#link = state;
    this.#status({ kind: "link", state });
    if (state === "down") {
      this.#cancel("deadline", "remind");
      return;
    }
    if (this.#state === "registering" && this.#plan.registration !== null) {
      this.#timers({ registration: 1000 * this.#plan.registration });
    }
    if (this.#messages.length > 0) this.#publish(this.#messages.length);
    if (this.#state !== "running") return;
    this.#overdue = false;
    this.#arm();
    this.#callMissing();
    this.#closeIfDone();
  }

  #timer(name: string): void {
    if (name === "registration" && this.#state === "registering") {
      if (this.#registry.enough) this.#start();
      else this.#timers({ registration: 1000 * this.#plan.registration! });
    }
    if (name === "farewell" && this.#state === "farewell") this.#end();
    if (this.#link === "down") return;
    if (name === "remind") this.#remind();
    if (name !== "deadline" || this.#state !== "running") return;
    this.#overdue = true;
    this.#closeIfDone();
    if (this.#overdue) this.#paused();
  }

  #remind(): void {
    if (this.#state === "running") this.#callMissing();
    else if (this.#state === "farewell") {
      for (const name of this.#registry.staying()) {
        if (!this.#finished.has(name)) this.#tellMessage(name, this.#messages.length);
      }
    } else return;
    this.#timers({ remind: this.#patience.remind });
  }

  #paused(): void {
    const rounds = this.#rounds!;
    const missing = new Set(rounds.missing().map((at) => this.#registry.ownerOf(at)));
    this.#status({
      kind: "paused",
      round: rounds.round,
      present: rounds.present,
      needed: this.#needed(),
      missing: [...missing],
    });
  }

  // --- what to say ---

  /** Calls everyone who is expected and has not shared. */
  #callMissing(): void {
    const owners = new Set(this.#rounds!.missing().map((at) => this.#registry.ownerOf(at)));
    for (const owner of owners) this.#call(owner);
  }

  #call(participant: string): void {
    const rounds = this.#rounds!;
    const own = this.#registry.positionsOf(participant)!;
    if (!own.some((at) => rounds.isMissing(at))) return;
    const positions = ascending(own.filter((at) => rounds.isExpected(at)));
    this.#tell(participant, { type: "call", round: rounds.round, positions });
  }

  #tellStart(participant: string): void {
    const { m, rows, mostRows } = this.#sizes!;
    const { start, round } = this.#rounds!;
    this.#tell(participant, {
      type: "start",
      m,
      rows,
      mostRows,
      round: Math.max(1, round),
      positions: this.#registry.positionsOf(participant)!,
      given: start !== null,
      values: start ?? new Float64Array(0),
    });
  }

  /** A past message for one participant, with the tasks of it that had been called. */
  #tellMessage(participant: string, round: number): void {
    const own = this.#registry.positionsOf(participant)!;
    const sample = this.#samples.get(round);
    const called = sample && ascending(own.filter((at) => sample.has(at)));
    const { values, statement } = this.#messages[round - 1]!;
    this.#tell(participant, {
      type: "message",
      round,
      values,
      ...(called ? { called } : {}),
      ...(statement ? { statement } : {}),
    });
  }

  #publish(round: number): void {
    const message = this.#encode("", { type: "message", round, ...this.#messages[round - 1]! });
    this.#effects.push({ type: "broadcast", message });
  }

  #tell(to: string, body: Body): void {
    this.#effects.push({ type: "send", to, message: this.#encode(to, body) });
  }

  #encode(participant: string, body: Body): Uint8Array {
    const { run } = this.#plan;
    return encodeMessage({ run, session: this.#session, plan: this.#hash, participant }, body);
  }

  #status(status: CuratorStatus): void {
    this.#effects.push({ type: "status", status });
  }

  #keep(record: CuratorRecord): void {
    this.#effects.push({ type: "append", record: encodeRecord(record) });
  }

  #timers(milliseconds: Record<string, number>): void {
    for (const [name, time] of Object.entries(milliseconds)) {
      this.#effects.push({ type: "timer", name, milliseconds: time });
    }
  }

  #cancel(...names: string[]): void {
    for (const name of names) this.#effects.push({ type: "cancel", name });
  }
}

const ascending = (positions: readonly number[]) => [...positions].sort((a, b) => a - b);
