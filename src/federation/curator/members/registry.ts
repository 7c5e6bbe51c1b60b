/**
 * Who takes part, with which tasks, and where each task stands.
 * @module
 */
import type { PublicSizes } from "../../../learning/round/halves.js";
import type { RegisteredTask } from "../../protocol/messages/messages.js";
import { TASK_LIMITS, type Refusal } from "../../protocol/messages/refusal-reasons.js";
import { isHelper } from "../../verified-sums/plan/planned.js";
import type { Member } from "../../protocol/records.js";
import { stateField } from "../../protocol/party/state-name.js";
import { States } from "./states.js";
import type { Plan, PlannedTask } from "../../protocol/plan/plan-form.js";

/**
 * The participants of a run. The order of tasks, on which the bits of a sum depend, is the plan's or,
 * where it names none, that of the tasks' names (by code unit).
 */
export class Registry {
  readonly #plan: Plan;
  /** The plan's tasks by name, where it names them. */
  readonly #planned: ReadonlyMap<string, PlannedTask> | undefined;
  readonly #tasks = new Map<string, readonly RegisteredTask[]>();
  readonly #owner = new Map<string, string>();
  /** Who came after the start. */
  readonly #late = new Set<string>();
  readonly #left = new Set<string>();
  readonly #expelled = new Set<string>();
  /** With which states they take part. */
  readonly states = new States();
  readonly #mostTasks: number;
  /** Who may take part, where the plan's sums name them all. */
  readonly #named: ReadonlySet<string> | undefined;
  #positions = new Map<string, readonly number[]>();
  /** The participant at each position; undefined at places that are kept for tasks that come late. */
  #owners: (string | undefined)[] = [];
  #awaited = 0;

  /** @param mostTasks most tasks of one participant, where the plan does not name the tasks. */
  constructor(plan: Plan, mostTasks = Infinity) {
    this.#plan = plan;
    this.#mostTasks = plan.tasks ? Infinity : mostTasks;
    const { aggregation } = plan;
    if (aggregation && "participants" in aggregation) {
      this.#named = new Set(aggregation.participants.map(({ name }) => name));
    }
    this.#planned = plan.tasks ? new Map(plan.tasks.map((task) => [task.name, task])) : undefined;
  }

  /** Takes a participant's tasks, in place of those it registered before. */
  register(participant: string, tasks: readonly RegisteredTask[]): Refusal | undefined {
    const refusal = this.#refusalOf(participant, tasks);
    if (refusal) return refusal;
    this.#forget(participant);
    this.#enter(participant, tasks);
    return undefined;
  }

  /** Takes a participant that comes after the start into places that the plan keeps; the first free ones. */
  join(participant: string, tasks: readonly RegisteredTask[], state?: string): Member | Refusal {
    const { latecomers } = this.#plan;
    if (!latecomers || this.#tasks.has(participant)) return "already-started";
    const refusal = this.#refusalOf(participant, tasks);
    if (refusal) return refusal;
    const first = this.#owners.findIndex((owner) => owner === undefined);
    const fits = tasks.every(
      ({ rows, epsilon }) => rows <= latecomers.rows && epsilon === undefined,
    );
    if (!fits || first < 0 || first + tasks.length > this.#owners.length) return "no-place";
    const positions = tasks.map((_, i) => first + i);
    const member = { participant, tasks, positions, ...stateField(state) };
    this.take(member);
    return member;
  }

  /** Takes up what `join` gave. */
  take({ participant, tasks, positions, state }: Member): void {
    this.#late.add(participant);
    this.states.enter(participant, state);
    this.#enter(participant, tasks);
    this.#place(participant, positions);
    this.#count();
  }

  /** Why a participant cannot take part with these tasks, if so. */
  #refusalOf(participant: string, tasks: readonly RegisteredTask[]): Refusal | undefined {
    const names = new Set(tasks.map(({ name }) => name));
    if (this.#expelled.has(participant)) return "expelled";
    if (tasks.length === 0 || names.size !== tasks.length) return "not-in-plan";
    if (tasks.length > this.#mostTasks) return "too-many";
    const tooLarge = tasks.some(
      ({ name, rows }) => rows > TASK_LIMITS.rows || name.length > TASK_LIMITS.name,
    );
    if (tooLarge) return "too-large";
    if (!(this.#named?.has(participant) ?? !isHelper(this.#plan, participant)))
      return "not-in-plan";
    if (tasks.some(({ name }) => this.#planned?.has(name) === false)) return "not-in-plan";
    return this.taken(participant, tasks) && "task-taken";
  }

  /**
   * The first of these tasks that is another's: by the plan, or because that one came first. A name is then bound to whoever the
   * transport vouches for, to the end of the run.
   */
  taken(
    participant: string,
    tasks: readonly RegisteredTask[],
  ): { readonly task: string; readonly holder: string } | undefined {
    for (const { name: task } of tasks) {
      const holder = this.#planned?.get(task)?.participant ?? this.#owner.get(task);
      if (holder !== undefined && holder !== participant) return { task, holder };
    }
    return undefined;
  }

  #enter(participant: string, tasks: readonly RegisteredTask[]): void {
    this.#tasks.set(participant, tasks);
    for (const { name } of tasks) this.#owner.set(name, participant);
  }

  #place(participant: string, positions: readonly number[]): void {
    this.#positions.set(participant, positions);
    for (const position of positions) this.#owners[position] = participant;
  }

  /** Every place that the plan keeps stands behind the tasks of the start. */
  #keepPlaces(): void {
    const places = this.#plan.latecomers?.tasks ?? 0;
    for (let k = 0; k < places; k++) this.#owners.push(undefined);
  }

  /** Whether these are the tasks the participant started with; if so it is back, had it left. */
  same(participant: string, tasks: readonly RegisteredTask[]): boolean {
    const known = this.#tasks.get(participant);
    const same =
      known?.length === tasks.length &&
      known.every((own, i) => {
        const { name, rows, epsilon } = tasks[i]!;
        return own.name === name && own.rows === rows && own.epsilon === epsilon;
      });
    if (same) this.#left.delete(participant);
    return same;
  }

  /** Before the start a participant that leaves is forgotten; later its tasks count as absent. */
  leave(participant: string, forget: boolean): boolean {
    if (!this.#tasks.has(participant) || this.#left.has(participant)) return false;
    if (forget) this.#forget(participant);
    else this.#left.add(participant);
    return true;
  }

  /**
   * Nobody waits for a participant any more, and nothing more is taken from it; before the start its tasks are free.
   * @returns whether it was not expelled before.
   */
  expel(participant: string, forget: boolean): boolean {
    if (this.#expelled.has(participant)) return false;
    this.#expelled.add(participant);
    if (forget) this.#forget(participant);
    this.#count();
    return true;
  }

  /** Whether a participant was expelled. */
  isExpelled(participant: string): boolean {
    return this.#expelled.has(participant);
  }

  /** Whether a participant has tasks in the run. */
  isRegistered(participant: string): boolean {
    return this.#tasks.has(participant);
  }

  /** How many of the run's tasks are of participants that were not expelled. */
  get awaited(): number {
    return this.#awaited;
  }

  /** Asked for at every answer, so counted only when it changes. */
  #count(): void {
    this.#awaited = this.#owners.filter(
      (owner) => owner !== undefined && !this.#expelled.has(owner),
    ).length;
  }

  #forget(participant: string): void {
    for (const { name } of this.#tasks.get(participant) ?? []) this.#owner.delete(name);
    this.#tasks.delete(participant);
    this.states.forget(participant);
  }

  /** What participants registered so far. */
  get registered(): Iterable<readonly [participant: string, tasks: readonly RegisteredTask[]]> {
    return this.#tasks;
  }

  /** Whether the tasks that the plan names are all there. */
  get complete(): boolean {
    return this.#plan.tasks !== null && this.#owner.size === this.#plan.tasks.length;
  }

  /** Whether there are as many tasks as the plan asks for. */
  get enough(): boolean {
    return this.#owner.size >= this.#plan.minimumTasks;
  }

  /** Gives every task its position; who joins after this takes a place that the plan keeps. */
  arrange(): void {
    this.#positions = new Map();
    this.#owners = [];
    const names = this.#plan.tasks
      ? this.#plan.tasks.map(({ name }) => name).filter((name) => this.#owner.has(name))
      : [...this.#owner.keys()].sort();
    const position = new Map(names.map((name, i) => [name, i]));
    for (const [participant, tasks] of this.#tasks) {
      this.#place(
        participant,
        tasks.map(({ name }) => position.get(name)!),
      );
    }
    this.#keepPlaces();
    this.#count();
  }

  /** The participants with tasks and positions, by name. */
  members(): Member[] {
    return [...this.#tasks.keys()].sort().map((participant) => ({
      participant,
      tasks: this.#tasks.get(participant)!,
      positions: this.#positions.get(participant)!,
      ...stateField(this.states.of(participant)),
    }));
  }

  /** Takes up what `members` gave an earlier process. */
  restore(members: readonly Member[]): void {
    for (const { participant, tasks, positions, state } of members) {
      this.#enter(participant, tasks);
      this.states.enter(participant, state);
      this.#place(participant, positions);
    }
    this.#keepPlaces();
    this.#count();
  }

  /** Participants that state so small an epsilon of their own, or a smaller one. */
  below(least: number): string[] {
    const states = (tasks: readonly RegisteredTask[]) =>
      tasks.some(({ epsilon = Infinity }) => epsilon <= least);
    return [...this.#tasks].flatMap(([name, tasks]) => (states(tasks) ? [name] : []));
  }

  /** Participants with a task of so many rows. */
  withRows(most: number): string[] {
    return [...this.#tasks].flatMap(([name, tasks]) =>
      tasks.some(({ rows }) => rows === most) ? [name] : [],
    );
  }

  /** Participants that have not left. */
  staying(): string[] {
    const gone = (name: string) => this.#left.has(name) || this.#expelled.has(name);
    return [...this.#tasks.keys()].filter((name) => !gone(name));
  }

  /** Where a participant's tasks stand, in the order it registered them. */
  positionsOf(participant: string): readonly number[] | undefined {
    return this.#positions.get(participant);
  }

  /** Whose task stands there; undefined for a place that is kept. */
  ownerOf(position: number): string | undefined {
    return this.#owners[position];
  }

  /** What is public of the tasks: it counts places that are kept, and does not change when they are taken. */
  sizes(): PublicSizes {
    const { latecomers, features } = this.#plan;
    let [m, rows, mostRows] = [0, 0, 0];
    const add = (count: number, each: number) => {
      m += count;
      rows += count * each;
      mostRows = Math.max(mostRows, each);
    };
    for (const [, tasks] of this.#early()) for (const task of tasks) add(1, task.rows);
    if (latecomers) add(latecomers.tasks, latecomers.rows);
    const owners = this.#budgets(m);
    const sizes = { m, d: features.length, rows, mostRows };
    return owners ? { ...sizes, owners } : sizes;
  }

  /** The participants of the start, with their tasks. */
  #early(): [participant: string, tasks: readonly RegisteredTask[]][] {
    return [...this.#tasks].filter(([participant]) => !this.#late.has(participant));
  }

  /** Every task's epsilon, by position, if at least one owner stated its own; else undefined. */
  #budgets(m: number): PublicSizes["owners"] {
    const early = this.#early();
    const stated = early.some(([, tasks]) => tasks.some(({ epsilon }) => epsilon !== undefined));
    if (!stated) return undefined;
    const most = this.#plan.options["epsilon"] as number;
    const rows = new Array<number>(m).fill(this.#plan.latecomers?.rows ?? 0);
    const epsilons = new Array<number>(m).fill(most);
    for (const [participant, tasks] of early) {
      const positions = this.#positions.get(participant);
      if (!positions) return undefined; // nobody has a position yet
      tasks.forEach((task, i) => {
        rows[positions[i]!] = task.rows;
        epsilons[positions[i]!] = task.epsilon ?? most;
      });
    }
    return { rows, epsilons };
  }
}
