/**
 * Whom an open round waits for, where every participant answers once: all of them, and at the deadline the quorum.
 * @module
 */
import type { CuratorStatus } from "../events/curator-events.js";
import type { CuratorRounds } from "./curator-rounds.js";
import type { Registry } from "../members/registry.js";

/** What attendance is taken of. */
export interface AttendanceOptions {
  /** Knows who has answered in the open round. */
  readonly rounds: CuratorRounds;
  readonly registry: Registry;
  /** Fraction of the tasks that must have answered at the deadline. */
  readonly quorum: number;
}

/**
 * Who let a deadline pass and has said nothing since is left behind: a round that has its quorum does not last its whole
 * deadline for it. Nobody is waited for who was expelled. All of that depends on who answers, never on who was drawn.
 */
export class Attendance {
  readonly #options: AttendanceOptions;
  #overdue = false;
  readonly #silent = new Map<string, number>();
  readonly #behind = new Set<string>();
  /** Nobody is waited for whose task stands before this one: what an answer costs must not grow with the tasks. */
  #first = 0;

  constructor(options: AttendanceOptions) {
    this.#options = options;
  }

  /** A round is open, or everyone is to answer again. */
  begin(): void {
    this.#overdue = false;
    this.#first = 0;
  }

  /** Whether the round has whom it waits for. */
  get enough(): boolean {
    const { answered } = this.#options.rounds;
    if (answered === 0 || answered < this.needed) return false;
    return this.#overdue || !this.#waits();
  }

  /** Whether a task has not answered whose owner is neither behind nor expelled. */
  #waits(): boolean {
    const { rounds, registry } = this.#options;
    const isAwaited = (at: number) => {
      if (!rounds.isMissing(at)) return false;
      const owner = registry.ownerOf(at);
      return owner !== undefined && !this.#behind.has(owner) && !registry.isExpelled(owner);
    };
    while (this.#first < rounds.tasks && !isAwaited(this.#first)) this.#first++;
    return this.#first < rounds.tasks;
  }

  /** Tasks that must have answered before the round may close at its deadline. */
  get needed(): number {
    const { quorum, registry } = this.#options;
    return Math.ceil(quorum * registry.awaited);
  }

  /** Whom to wait for: who has tasks that have not answered, in the order of tasks. */
  missing(): string[] {
    const { rounds, registry } = this.#options;
    const owners = new Set(rounds.missing().flatMap((at) => registry.ownerOf(at) ?? []));
    return [...owners].filter((owner) => !registry.isExpelled(owner));
  }

  /** Whether one of a participant's tasks has not answered. */
  isMissing(participant: string): boolean {
    const { rounds, registry } = this.#options;
    return registry.positionsOf(participant)?.some((at) => rounds.isMissing(at)) ?? false;
  }

  /** Participants that let deadlines pass without an answer, and how many in a row. */
  get silent(): ReadonlyMap<string, number> {
    return this.#silent;
  }

  /** A participant said something. */
  back(from: string): void {
    if (!this.#behind.delete(from)) return;
    for (const at of this.#options.registry.positionsOf(from) ?? []) {
      this.#first = Math.min(this.#first, at);
    }
  }

  /** A participant may have answered for all of its tasks. */
  answered(from: string): void {
    if (!this.isMissing(from)) this.#silent.delete(from);
  }

  /** Who let a deadline pass and has said nothing since. */
  get behind(): Iterable<string> {
    return this.#behind;
  }

  /**
   * The deadline has passed.
   * @param isSilent whether an owner that is missing has let it pass: not where its word may lie with a relay.
   */
  expire(isSilent: (owner: string) => boolean = () => true): void {
    this.#overdue = true;
    for (const owner of this.missing()) if (isSilent(owner)) this.pass(owner);
  }

  /** An owner let the deadline pass. */
  pass(owner: string): void {
    this.#behind.add(owner);
    this.#silent.set(owner, (this.#silent.get(owner) ?? 0) + 1);
  }
}

/** Why a round does not close at its deadline. */
export function pausedStatus(rounds: CuratorRounds, attendance: Attendance): CuratorStatus {
  const { round, answered: present } = rounds;
  const { needed } = attendance;
  return { kind: "paused", round, present, needed, missing: attendance.missing() };
}
