/**
 * The plain form of a round's sum: every task's vector comes to the curator.
 * @module
 */
import type { CuratorRounds } from "./curator-rounds.js";
import type { CuratorOutput } from "./curator-output.js";
import type { Registry } from "./registry.js";
import type { Collected, RoundCollection, UploadMessage } from "./round-collection.js";
import type { Samples } from "./samples.js";

/** What a plain collection is made of. */
export interface PlainCollectionOptions {
  /** Holds the vectors of the open round. */
  readonly rounds: CuratorRounds;
  readonly registry: Registry;
  readonly output: CuratorOutput;
  readonly samples: Samples;
  /** Fraction of the tasks that must have answered at the deadline. */
  readonly quorum: number;
}

/**
 * Waits for all tasks, drawn or not, and at the deadline for the quorum of them. Who let a deadline pass and has said
 * nothing since is left behind: a round that has its quorum does not last its whole deadline for it. Nobody is waited
 * for who was expelled. All of that depends on who answers, never on who was drawn.
 */
export class PlainCollection implements RoundCollection {
  readonly phase = "vectors";
  readonly #options: PlainCollectionOptions;
  #clipped = 0;
  #overdue = false;
  readonly #silent = new Map<string, number>();
  readonly #behind = new Set<string>();

  constructor(options: PlainCollectionOptions) {
    this.#options = options;
  }

  get collected(): Collected | undefined {
    const { answered: present } = this.#options.rounds;
    if (present === 0 || present < this.#needed) return undefined;
    const enough = this.#overdue || this.#missing().every((owner) => this.#behind.has(owner));
    return enough ? { present, clipped: this.#clipped } : undefined;
  }

  get silent(): ReadonlyMap<string, number> {
    return this.#silent;
  }

  answered(from: string): void {
    this.#behind.delete(from);
  }

  open(): void {
    this.#clipped = 0;
    this.#overdue = false;
    // Whoever may not be drawn cannot know that it should answer before it is told.
    if (this.#options.rounds.sampled) this.remind();
  }

  receive(from: string, message: UploadMessage): void {
    const { rounds, registry } = this.#options;
    if (message.type !== "upload" || message.round !== rounds.round) return;
    const { positions, values } = message;
    const own = registry.positionsOf(from);
    if (!own || positions.length === 0 || !positions.every((at) => own.includes(at))) {
      this.#refuse(from, "pushed for tasks it does not own");
      return;
    }
    const width = values.length / positions.length;
    if (!Number.isInteger(width)) {
      this.#refuse(from, "pushed vectors of unequal lengths");
      return;
    }
    for (const [k, position] of positions.entries()) {
      const reception = rounds.put(position, values.subarray(k * width, (k + 1) * width));
      if (reception === "clipped") this.#clipped++;
      if (reception === "wrong-length") this.#refuse(from, "pushed vectors of a wrong length");
    }
    if (own.every((at) => !rounds.isMissing(at))) this.#silent.delete(from);
  }

  remind(only?: string): void {
    const { rounds, registry, samples, output } = this.#options;
    const { round } = rounds;
    const own = only === undefined ? undefined : registry.positionsOf(only);
    const one = own?.some((at) => rounds.isMissing(at)) ? [only!] : [];
    for (const owner of only === undefined ? this.#missing() : one) {
      const positions = [...registry.positionsOf(owner)!].sort((a, b) => a - b);
      output.tell(owner, { type: "call", round, positions, ...samples.toldTo(owner, round) });
    }
  }

  resume(): void {
    this.#overdue = false;
    this.remind();
  }

  deadline(): boolean {
    const { rounds, output } = this.#options;
    this.#overdue = true;
    for (const owner of this.#missing()) {
      this.#behind.add(owner);
      this.#silent.set(owner, (this.#silent.get(owner) ?? 0) + 1);
    }
    if (!this.collected) {
      const { round, answered: present } = rounds;
      const missing = this.#missing();
      output.status({ kind: "paused", round, present, needed: this.#needed, missing });
    }
    return true;
  }

  /** Tasks that must have answered before the round may close at its deadline. */
  get #needed(): number {
    const { quorum, registry } = this.#options;
    return Math.ceil(quorum * registry.awaited);
  }

  /** Whom to wait for: who has tasks that have not answered, in the order of tasks. */
  #missing(): string[] {
    const { rounds, registry } = this.#options;
    const owners = new Set(rounds.missing().map((at) => registry.ownerOf(at)));
    return [...owners].filter((owner) => !registry.isExpelled(owner));
  }

  #refuse(participant: string, why: string): void {
    this.#options.output.status({ kind: "refused", participant, why });
  }
}
