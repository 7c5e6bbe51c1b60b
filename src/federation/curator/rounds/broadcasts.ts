/**
 * Past broadcasts of a run, for participants that missed them: out of the way until one asks, since they are rounds times
 * the length of a broadcast.
 * @module
 */

/** Where a curator puts broadcasts. Nothing is lost with it: a curator that comes back makes them again from its records. */
export interface BroadcastArchive {
  /** Takes the broadcast of the next round, from the first. */
  add(values: Float64Array): void;
  /** The broadcast of a round that was added; 1 is the first. */
  read(round: number): Float64Array;
  /** Gives back what it takes; nothing is read afterwards. */
  close(): void;
}

/** In memory: for short runs, tests and simulations. */
export class MemoryArchive implements BroadcastArchive {
  #broadcasts: Float64Array[] = [];

  add(values: Float64Array): void {
    this.#broadcasts.push(values);
  }

  read(round: number): Float64Array {
    return this.#broadcasts[round - 1]!;
  }

  /** Gives back what it takes; nothing is read afterwards. */
  close(): void {
    this.#broadcasts = [];
  }
}
