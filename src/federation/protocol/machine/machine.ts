/**
 * What machines are: an event goes in, effects come out. A machine reads no clock, no socket and no
 * randomness of its own but the noise of its half, so a run can be replayed and tested at will.
 * @module
 */
import type { LinkState } from "./transport.js";

/** What happens to either machine. */
export type MachineEvent =
  /** The link to the transport came up or went down. */
  | {
      readonly type: "link";
      /** "down": nothing can be sent, and nothing arrives. */
      readonly state: LinkState;
    }
  /** A timer that the machine asked for has run out. */
  | {
      readonly type: "timer";
      /** Its name, as the machine gave it. */
      readonly name: string;
    };

/** What either machine wants done, in this order. */
export type MachineEffect =
  /** Keep the record durably before any later effect is carried out. */
  | {
      readonly type: "append";
      /** What goes after the records kept so far. */
      readonly record: Uint8Array;
    }
  /** Hold the record durably, in place of the one held before, or wipe that one: before any later effect. */
  | {
      readonly type: "hold";
      /** What is held from now on; null: nothing is. */
      readonly record: Uint8Array | null;
    }
  /** Have the store say whether nobody else has added a record: before any later effect. */
  | { readonly type: "confirm" }
  /** Call back with a `timer` event; a timer of that name that is running is replaced. */
  | {
      readonly type: "timer";
      /** What the event will call it. */
      readonly name: string;
      /** Time until it runs out, from now. */
      readonly milliseconds: number;
    }
  /** Stop a timer for good. */
  | {
      readonly type: "cancel";
      /** The timer that is stopped, if there is one. */
      readonly name: string;
    }
  /** Stop a timer while the link is down, or go on with what is left of it. */
  | {
      readonly type: "pause" | "resume";
      /** The timer, if there is one. */
      readonly name: string;
    };

/** Keeps what a machine must not lose. Records come back in order, each whole or not at all. */
export interface RunStore {
  /** Everything kept so far, in order, and last what is held. */
  load(): Promise<readonly Uint8Array[]>;
  /** The same, one after the other: nothing needs them all at once. Absent where they are in memory anyway. */
  read?(): AsyncIterable<Uint8Array>;
  /**
   * Adds a record; resolves when it will survive the process and the machine. undefined: nothing to wait for.
   * @throws DataError if someone else has added one meanwhile: two curators cannot hold one run.
   */
  append(record: Uint8Array): Promise<void> | undefined;
  /**
   * Holds one record beside the others, in place of the one held before, or wipes it: null. Resolves when that
   * will survive the process and the machine. Participants of secure sums need it, and curators of runs that sample
   * tasks; absent where it cannot be had.
   */
  hold?(record: Uint8Array | null): Promise<void>;
  /**
   * Resolves where this writer's last record is still the last one: whoever waits and writes nothing would not learn of another.
   * Absent where nobody else can open what is open here.
   * @throws DataError if someone else has added one.
   */
  confirm?(): Promise<void>;
  /** Gives the store back; nothing is written afterwards. */
  close(): Promise<void>;
}

/** A store that lives as long as its process: for tests and simulations. */
export class MemoryStore implements RunStore {
  readonly #records: Uint8Array[] = [];
  #held: Uint8Array | null = null;

  load(): Promise<readonly Uint8Array[]> {
    return Promise.resolve([...this.#records, ...(this.#held ? [this.#held.slice()] : [])]);
  }

  append(record: Uint8Array): Promise<void> {
    this.#records.push(record.slice());
    return Promise.resolve();
  }

  hold(record: Uint8Array | null): Promise<void> {
    this.#held?.fill(0);
    this.#held = record?.slice() ?? null;
    return Promise.resolve();
  }

  /** Gives the store back; nothing is written afterwards. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
