/**
 * A plain sum that relays add up, on the curator's side: sums of relays, and vectors of those who have none, or whose relay is done
 * without. It holds one sum, whatever the number of owners.
 *
 * Who is waited for, and when a round closes, is as for plain sums without relays (`curator/rounds/attendance.ts`), but that at the deadline relays
 * are asked first for what they have. Every vector is in the sum once at most (`relays/relayed-inputs.ts`), each on the grid on which
 * sums are exact, so the bits depend neither on who came by which relay nor on when.
 * @module
 */
import { openCore } from "../../core/index.js";
import { Attendance, pausedStatus, type AttendanceOptions } from "../curator/rounds/attendance.js";
import type { CuratorOutput } from "../curator/events/curator-output.js";
import type {
  Collected,
  RoundCollection,
  UploadMessage,
} from "../curator/rounds/round-collection.js";
import { relayGroups, type RelayGroup } from "../relays/plan/groups.js";
import { RelayedInputs, type RelayedEffect } from "../relays/relayed-inputs.js";
import { sessionId } from "../secure-aggregation/keys/session.js";
import { CLEAR_BITS, ClearSum, ClearVectors, integersOfSum } from "./clear-sum.js";
import { entriesOf, termsBytes } from "./clear-terms.js";
import type { PlannedRelays } from "./plan/planned.js";
import { ATTEMPT } from "./relayed-upload.js";

/** What a collection is made of. */
export interface RelayedCollectionOptions extends AttendanceOptions {
  readonly planned: PlannedRelays;
  readonly output: CuratorOutput;
  /** Hash of the plan, and run and session, which name every round. */
  readonly plan: string;
  readonly run: string;
}

type Upload = Extract<UploadMessage, { type: "upload" }>;
type Aggregate = Extract<UploadMessage, { type: "aggregate" }>;

/** What an open round has. */
interface OpenRound {
  readonly sum: ClearSum;
  readonly vectors: ClearVectors;
  readonly relayed: RelayedInputs;
}

/** Collects sums and vectors. */
export class RelayedCollection implements RoundCollection {
  readonly phase = "vectors";
  readonly #options: RelayedCollectionOptions;
  readonly #attendance: Attendance;
  readonly #names: readonly string[];
  readonly #number: ReadonlyMap<string, number>;
  readonly #groups: readonly RelayGroup[];
  readonly #relayNumber: ReadonlyMap<string, number>;
  /** Relays that gave no sum, by number: until they are back those beneath them send straight. */
  readonly #silentRelays = new Set<number>();
  /** Participants that were not there when the round was opened: no relay waits for them, they send straight. */
  #aside: ReadonlySet<number> = new Set();
  readonly #core = openCore();
  readonly #mark = this.#core.arena.mark();
  #open: OpenRound | undefined;
  #overdue = false;

  constructor(options: RelayedCollectionOptions) {
    const { planned } = options;
    this.#options = options;
    this.#attendance = new Attendance(options);
    this.#names = planned.participants.map(({ name }) => name);
    this.#number = new Map(this.#names.map((name, i) => [name, i]));
    this.#groups = relayGroups(planned);
    this.#relayNumber = new Map(this.#groups.map(({ name }, i) => [name, i]));
  }

  get collected(): Collected | undefined {
    const open = this.#open;
    if (!open || !this.#attendance.enough || open.relayed.isAwaiting) return undefined;
    const { rounds } = this.#options;
    const statistic = new Float64Array(rounds.statisticLength);
    open.sum.write(statistic);
    return { statistic, present: rounds.answered, clipped: open.sum.clipped };
  }

  get silent(): ReadonlyMap<string, number> {
    return this.#attendance.silent;
  }

  answered(from: string): void {
    this.#attendance.back(from);
  }

  open(): void {
    const { rounds } = this.#options;
    const { shape } = rounds;
    this.#aside = new Set([...this.#attendance.behind].map((name) => this.#number.get(name)!));
    this.#core.arena.release(this.#mark);
    this.#overdue = false;
    this.#attendance.begin();
    const relayed = new RelayedInputs({
      setting: { session: this.#session(), bits: CLEAR_BITS, entries: entriesOf(shape) },
      groups: this.#groups,
      straight: this.#silentRelays,
      isAwaited: (index) => !this.#aside.has(index) && this.#isMissing(index),
      inbox: (to) => ({ kind: "send", to, message: new Uint8Array() }),
      terms: (members) => termsBytes({ shape, tasks: members.map((one) => this.#tasksOf(one)) }),
      judge: (words, members) => {
        const integers = integersOfSum(words, shape, this.#tasksIn(members));
        return typeof integers === "string" ? integers : undefined;
      },
    });
    const vectors = new ClearVectors(this.#core, shape);
    this.#open = { sum: new ClearSum(shape), vectors, relayed };
    this.#perform(relayed.begin());
    for (const index of this.#missing()) if (this.#isPast(index)) this.#call(index);
  }

  receive(from: string, message: UploadMessage): void {
    if (message.type !== "upload" && message.type !== "aggregate") return;
    if (message.round !== this.#options.rounds.round) return;
    if (message.type === "upload") this.#takeVectors(from, message);
    else this.#takeSum(from, message);
  }

  settle(): void {
    // A plain sum needs nothing more than its vectors.
  }

  remind(only?: string): void {
    const open = this.#open;
    if (!open) return;
    if (only === undefined) {
      this.#perform(open.relayed.remind(this.#missing()));
      return;
    }
    const relay = this.#relayNumber.get(only);
    if (relay !== undefined) {
      this.#silentRelays.delete(relay);
      this.#perform(open.relayed.relayBack(relay));
    } else if (this.#attendance.isMissing(only)) this.#call(this.#number.get(only)!);
  }

  resume(): void {
    this.remind();
  }

  deadline(): boolean {
    const { rounds, output } = this.#options;
    const { relayed } = this.#open!;
    this.#overdue = true;
    // Whose vectors lie with a relay is known when that one has given what it has.
    this.#attendance.expire((owner) => !relayed.isRelayed(this.#number.get(owner)!));
    this.#perform(relayed.hurry());
    if (!this.collected && !relayed.isAwaiting) {
      output.status(pausedStatus(rounds, this.#attendance));
    }
    return true;
  }

  #takeVectors(from: string, { positions, values }: Upload): void {
    const { rounds, registry } = this.#options;
    const { vectors, sum, relayed } = this.#open!;
    const own = registry.positionsOf(from);
    const isWhole = own?.length === positions.length && positions.every((at) => own.includes(at));
    const index = this.#number.get(from);
    if (!isWhole || index === undefined) {
      this.#refuse(from, "pushed for other tasks than its own");
    } else if (relayed.isRelayed(index) && !this.#aside.has(index)) {
      this.#refuse(from, "its vectors are to come by its relay");
    } else if (own.some((at) => rounds.isMissing(at))) {
      const integers = vectors.integersIn(values, own.length);
      if (typeof integers === "string") {
        this.#refuse(from, integers);
        return;
      }
      sum.add(integers);
      this.#counted(from);
    }
  }

  #takeSum(from: string, { attempt, bytes }: Aggregate): void {
    const relay = this.#relayNumber.get(from);
    const { relayed, sum } = this.#open!;
    if (relay === undefined || attempt !== ATTEMPT) return;
    const taken = relayed.receive(relay, bytes);
    if (!("sum" in taken)) {
      this.#perform(taken);
      return;
    }
    const { shape } = this.#options.rounds;
    const integers = integersOfSum(taken.sum, shape, this.#tasksIn(taken.members));
    // It was judged before it was taken.
    if (typeof integers === "string") throw new TypeError(integers);
    sum.add(integers);
    for (const member of taken.members) this.#counted(this.#names[member]!);
    for (const member of taken.gone) {
      // It comes straight, if it still comes.
      if (this.#overdue) this.#attendance.pass(this.#names[member]!);
      this.#call(member);
    }
    this.#perform(taken.asked);
  }

  /** A participant's vectors are in the sum. */
  #counted(name: string): void {
    const { rounds, registry } = this.#options;
    for (const at of registry.positionsOf(name)!) rounds.mark(at);
    this.#attendance.back(name);
    this.#attendance.answered(name);
  }

  #perform(effects: readonly RelayedEffect[]): void {
    const { output, rounds } = this.#options;
    const { round } = rounds;
    const nameOf = (relay: number) => this.#groups[relay]!.name;
    for (const effect of effects) {
      switch (effect.kind) {
        case "send":
          this.#call(effect.to);
          break;
        case "gather": {
          const bytes = effect.message as Uint8Array<ArrayBuffer>;
          const straight = effect.straight ? { straight: true as const } : {};
          output.tell(nameOf(effect.relay), {
            type: "aggregate",
            round,
            attempt: ATTEMPT,
            bytes,
            ...straight,
          });
          break;
        }
        case "relay-refused":
          this.#refuse(nameOf(effect.relay), effect.reason);
          break;
        case "without-relay": {
          const { relay, reason: why } = effect;
          this.#silentRelays.add(relay);
          output.status({ kind: "without-relay", round, relay: nameOf(relay), why });
          break;
        }
      }
    }
  }

  /** Asks a participant for its vectors, and says which way. */
  #call(index: number): void {
    const { registry, rounds, output } = this.#options;
    const name = this.#names[index]!;
    const positions = registry.positionsOf(name);
    if (!positions) return;
    output.tell(name, {
      type: "call",
      round: rounds.round,
      positions: [...positions].sort((a, b) => a - b),
      ...(this.#isPast(index) ? { straight: true } : {}),
    });
  }

  /** Whether a participant that has a relay is to send past it. */
  #isPast(index: number): boolean {
    const hasRelay = this.#options.planned.participants[index]!.relay !== undefined;
    return hasRelay && (this.#aside.has(index) || !this.#open!.relayed.isRelayed(index));
  }

  #isMissing(index: number): boolean {
    const name = this.#names[index]!;
    return !this.#options.registry.isExpelled(name) && this.#attendance.isMissing(name);
  }

  /** Numbers of those who have not answered. */
  #missing(): number[] {
    return this.#attendance.missing().map((name) => this.#number.get(name)!);
  }

  #tasksOf(index: number): number {
    return this.#options.registry.positionsOf(this.#names[index]!)?.length ?? 0;
  }

  #tasksIn(members: readonly number[]): number {
    return members.reduce((sum, member) => sum + this.#tasksOf(member), 0);
  }

  #session(): Uint8Array {
    const { plan, run, rounds } = this.#options;
    return sessionId({ plan, run, round: rounds.round, attempt: ATTEMPT });
  }

  #refuse(participant: string, why: string): void {
    this.#options.output.status({ kind: "refused", participant, why });
  }
}
