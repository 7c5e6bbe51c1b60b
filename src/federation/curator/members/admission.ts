/**
 * Who is let in: participants that register before the start, and those that come after it.
 * @module
 */
import type { Refusal } from "../../protocol/messages/refusal-reasons.js";
import type { RegisteredTask } from "../../protocol/messages/messages.js";
import type { Plan } from "../../protocol/plan/plan-form.js";
import type { CuratorOutput } from "../events/curator-output.js";
import type { Registry } from "./registry.js";
import type { CuratorRecord, Registration } from "../../protocol/records.js";
import { stateField } from "../../protocol/party/state-name.js";
import type { Stopping } from "./who-stops.js";

/** Changes of one participant that are kept: one that registers this and that by turns must not fill a disk. */
const MOST_KEPT = 100;

/** Milliseconds in which registrations are gathered for one record: a hundred thousand, each synced to disk alone, took a quarter of an hour. */
const GATHER = 250;

/** Answers participants that register. */
export class Admission {
  readonly #plan: Plan;
  readonly #registry: Registry;
  readonly #output: CuratorOutput;
  /** How many changes of each participant were kept. */
  readonly #kept = new Map<string, number>();
  /** What is not kept yet, in the order in which it came. */
  readonly #gathered = new Map<string, Registration["tasks"]>();
  /** Whose registration is kept: whoever is told so may go home, since a curator that is killed knows it then. */
  readonly #acknowledged = new Set<string>();
  /** Tasks that were registered when it was last said that they are too few. */
  #tooFew: number | undefined;
  /** Whether the plan's time for registering has begun. */
  #timed = false;
  /** Whether somebody spoke of a round since it was last looked up whether this curator is the only one. */
  #roundNamed = false;

  constructor(plan: Plan, registry: Registry, output: CuratorOutput) {
    this.#plan = plan;
    this.#registry = registry;
    this.#output = output;
  }

  /** Before the start. Of two states of one participant the later one counts, since no noise was drawn: the earlier one may be lost. */
  register(from: string, tasks: readonly RegisteredTask[], state: string | undefined): void {
    const { states } = this.#registry;
    const earlier = states.other(from, state);
    const before = earlier === undefined && this.#registry.same(from, tasks);
    const refusal = this.#registry.register(from, tasks);
    if (refusal) {
      this.#refuse(from, refusal, tasks);
      return;
    }
    states.enter(from, state);
    if (earlier !== undefined) this.#output.refuse(from, "other-state", "", earlier);
    // Who waits asks again and again.
    if (before) {
      if (this.#acknowledged.has(from)) this.#output.tell(from, { type: "registered" });
      return;
    }
    this.#acknowledged.delete(from);
    this.#gather(from, tasks);
    this.#output.status({ kind: "registered", participant: from, tasks: tasks.length });
  }

  /**
   * A party without tasks is there. Of two states of a helper the later one counts until one was asked for something, and then that one.
   * @returns whether this one takes part.
   */
  partyThere(from: string, state: string | undefined): boolean {
    const { states } = this.#registry;
    const earlier = states.other(from, state);
    const bound = earlier !== undefined && states.isBound(from);
    if (!bound) states.enter(from, state);
    if (earlier !== undefined) {
      this.#output.refuse(from, "other-state", "", bound ? state : earlier);
    }
    return !bound;
  }

  /** Of a task that is another's the operator learns whose: one of the two it may want to expel. */
  #refuse(from: string, refusal: Refusal, tasks: readonly RegisteredTask[]): void {
    const taken = refusal === "task-taken" ? this.#registry.taken(from, tasks) : undefined;
    this.#output.refuse(
      from,
      refusal,
      taken && `: ${JSON.stringify(taken.task)} is ${taken.holder}'s`,
    );
  }

  /** Before the start: who would stop the run for all. Its tasks are free again. */
  refuse({ participants, reason }: Stopping): void {
    for (const participant of participants) {
      this.withdraw(participant);
      this.#output.refuse(participant, reason);
    }
  }

  /** Before the start. @returns whether it was registered. */
  withdraw(participant: string): boolean {
    const left = this.#registry.leave(participant, true);
    this.#acknowledged.delete(participant);
    if (left) this.#gather(participant, null);
    return left;
  }

  /** Somebody speaks of a round: the run may be another curator's, who has begun it. Looked up a few times a second at most, whoever says it. */
  roundNamed(): void {
    if (this.#roundNamed) return;
    this.#roundNamed = true;
    if (this.#gathered.size === 0) this.#output.timers({ registrations: GATHER });
  }

  #gather(participant: string, tasks: Registration["tasks"]): void {
    if (this.#gathered.size === 0) this.#output.timers({ registrations: GATHER });
    // Behind whoever gave up a task's name that it takes.
    this.#gathered.delete(participant);
    this.#gathered.set(participant, tasks);
  }

  /**
   * Keeps what was gathered, and then tells whom it knows from now on. After the last change that may be kept of a participant nothing
   * of it is remembered, and it is told nothing: when the curator is started again, it registers again.
   */
  keep(): void {
    if (this.#roundNamed) this.#output.confirm();
    this.#roundNamed = false;
    const changes = [...this.#gathered].flatMap(([participant, tasks]): Registration[] => {
      const kept = (this.#kept.get(participant) ?? 0) + 1;
      if (kept > MOST_KEPT) return [];
      this.#kept.set(participant, kept);
      if (kept === MOST_KEPT || !tasks) return [{ participant, tasks: null }];
      return [{ participant, tasks, ...stateField(this.#registry.states.of(participant)) }];
    });
    this.#gathered.clear();
    if (changes.length > 0) this.#output.keep({ type: "registrations", changes });
    for (const { participant, tasks } of changes) if (tasks) this.#acknowledge(participant);
  }

  /** Before the start: the time for registering begins with the link, stands still while that is away, and then goes on. */
  linkTurned(state: "up" | "down"): void {
    // What another curator did meanwhile nobody may speak of any more.
    if (state === "up") this.#output.confirm();
    if (this.#timed) this.#output.linkTurned(state, "registration");
    else if (state === "up") this.#time();
  }

  #time(): void {
    const { registration } = this.#plan;
    this.#timed = registration !== null;
    if (registration !== null) this.#output.timers({ registration: 1000 * registration });
  }

  /** The time is up, and there are too few: it begins anew. Said when their number is another one than at the last time. */
  awaitMore(): void {
    this.#output.confirm();
    this.#time();
    const needed = this.#plan.minimumTasks;
    let tasks = 0;
    for (const [, own] of this.#registry.registered) tasks += own.length;
    if (tasks === this.#tooFew) return;
    this.#tooFew = tasks;
    this.#output.status({ kind: "too-few", tasks, needed });
  }

  /** A run that had started goes on: who takes part in it. */
  resumed({ round, rounds }: { readonly round: number; readonly rounds: number }): void {
    const participants = [...this.#registry.registered].map(([participant, { length: tasks }]) => {
      const expelled = this.#registry.isExpelled(participant);
      return { participant, tasks, expelled };
    });
    this.#output.status({ kind: "resumed", round, rounds, participants });
  }

  /** The start keeps who takes part: nothing is left to be gathered, and who was not told so yet is. */
  started(): void {
    const untold = [...this.#gathered.keys()];
    this.#gathered.clear();
    for (const participant of untold) this.#acknowledge(participant);
  }

  #acknowledge(participant: string): void {
    if (!this.#registry.isRegistered(participant)) return;
    this.#acknowledged.add(participant);
    this.#output.tell(participant, { type: "registered" });
  }

  /** Takes up what an earlier process kept of a run that has not started. */
  restore(records: readonly CuratorRecord[]): void {
    for (const record of records) {
      if (record.type === "expelled") this.#registry.expel(record.participant, true);
      if (record.type !== "registrations") continue;
      for (const { participant, tasks, state } of record.changes) {
        this.#kept.set(participant, (this.#kept.get(participant) ?? 0) + 1);
        if (tasks) this.#registry.register(participant, tasks);
        else this.#registry.leave(participant, true);
        if (tasks) this.#registry.states.enter(participant, state);
      }
    }
    for (const [participant, tasks] of this.#registry.registered) {
      this.#acknowledged.add(participant);
      this.#output.status({ kind: "registered", participant, tasks: tasks.length });
    }
  }

  /**
   * After the start: who is back, and who comes late into places that the plan keeps. That is kept before it is told where it stands.
   * @param over whether the last round was published.
   * @returns whether it takes part.
   */
  join(
    from: string,
    tasks: readonly RegisteredTask[],
    over: boolean,
    state: string | undefined,
  ): boolean {
    const { states } = this.#registry;
    if (states.other(from, state) !== undefined) {
      this.#output.refuse(from, "other-state", "", state);
      return false;
    }
    if (this.#registry.same(from, tasks)) {
      // Records of earlier releases name none.
      states.enter(from, state);
      return true;
    }
    const joined = over ? "already-started" : this.#registry.join(from, tasks, state);
    if (typeof joined === "string") this.#refuse(from, joined, tasks);
    else {
      this.#output.keep({ type: "joined", member: joined });
      this.#output.status({ kind: "joined", participant: from, tasks: tasks.length });
    }
    return typeof joined !== "string";
  }
}
