/**
 * The plain form of a round's sum: every task's vector comes to the curator.
 * @module
 */
import { Attendance, pausedStatus, type AttendanceOptions } from "./attendance.js";
import type { CuratorOutput } from "../events/curator-output.js";
import type { Collected, RoundCollection, UploadMessage } from "./round-collection.js";
import type { Samples } from "./samples.js";

/** What a plain collection is made of. */
export interface PlainCollectionOptions extends AttendanceOptions {
  readonly output: CuratorOutput;
  readonly samples: Samples;
}

/** Waits for all tasks, drawn or not, and at the deadline for the quorum of them (`attendance.ts`). */
export class PlainCollection implements RoundCollection {
  readonly phase = "vectors";
  readonly #options: PlainCollectionOptions;
  readonly #attendance: Attendance;
  #clipped = 0;

  constructor(options: PlainCollectionOptions) {
    this.#options = options;
    this.#attendance = new Attendance(options);
  }

  get collected(): Collected | undefined {
    if (!this.#attendance.enough) return undefined;
    return { present: this.#options.rounds.answered, clipped: this.#clipped };
  }

  get silent(): ReadonlyMap<string, number> {
    return this.#attendance.silent;
  }

  answered(from: string): void {
    this.#attendance.back(from);
  }

  open(): void {
    this.#clipped = 0;
    this.#attendance.begin();
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
    this.#attendance.answered(from);
  }

  settle(): void {
    // A plain sum needs nothing more than its vectors.
  }

  remind(only?: string): void {
    const { rounds, registry, samples, output } = this.#options;
    const { round } = rounds;
    const one = () => (this.#attendance.isMissing(only!) ? [only!] : []);
    for (const owner of only === undefined ? this.#attendance.missing() : one()) {
      const positions = [...registry.positionsOf(owner)!].sort((a, b) => a - b);
      output.tell(owner, { type: "call", round, positions, ...samples.toldTo(owner, round) });
    }
  }

  resume(): void {
    this.remind();
  }

  deadline(): boolean {
    const { rounds, output } = this.#options;
    this.#attendance.expire();
    if (!this.collected) output.status(pausedStatus(rounds, this.#attendance));
    return true;
  }

  #refuse(participant: string, why: string): void {
    this.#options.output.status({ kind: "refused", participant, why });
  }
}
