/**
 * Who was drawn in the rounds of a sampled run: the curator's secret, of which each participant is told its part.
 * @module
 */
import type { Drawn } from "../protocol/messages.js";
import type { CuratorRecord } from "../protocol/records.js";
import type { CuratorOutput } from "./curator-output.js";
import type { Registry } from "./registry.js";

/** The samples so far, kept before anybody is called. */
export class Samples {
  readonly #registry: Registry;
  readonly #output: CuratorOutput;
  readonly #drawn = new Map<number, ReadonlySet<number>>();

  /** @param records what an earlier process kept: what was drawn stands. */
  constructor(registry: Registry, output: CuratorOutput, records: readonly CuratorRecord[]) {
    this.#registry = registry;
    this.#output = output;
    for (const record of records) {
      if (record.type === "sample") this.#drawn.set(record.round, new Set(record.positions));
    }
  }

  /** The positions that were drawn for a round, if they were. */
  of(round: number): ReadonlySet<number> | undefined {
    return this.#drawn.get(round);
  }

  /** Keeps what was drawn for a round. */
  keep(round: number, positions: readonly number[]): void {
    const { m: tasks } = this.#registry.sizes();
    this.#drawn.set(round, new Set(positions));
    this.#output.keep({ type: "sample", round, tasks, positions });
  }

  /** What a participant is told of a round: a mark for each of its tasks; nothing where everyone takes part. */
  toldTo(participant: string, round: number): { readonly drawn?: Drawn } {
    const drawn = this.#drawn.get(round);
    if (!drawn) return {};
    const own = [...this.#registry.positionsOf(participant)!].sort((a, b) => a - b);
    return { drawn: own.map((at) => (drawn.has(at) ? 1 : 0)) };
  }
}
