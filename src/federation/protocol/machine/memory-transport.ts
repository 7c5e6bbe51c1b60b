/**
 * A network in memory, with faults where a test wants them: loss, delay, repetition, and with unequal
 * delays reordering; participants cut off; the whole link down.
 * @module
 */
import { object } from "../../../core/checks.js";
import type { Clock } from "./clock.js";
import type {
  CuratorHandlers,
  CuratorTransport,
  LinkState,
  ParticipantHandlers,
  ParticipantTransport,
} from "./transport.js";

/** What goes wrong with a message. Numbers come from `random`, so a seed repeats a run. */
export interface NetworkFaults {
  /** Uniform on [0, 1). */
  readonly random: () => number;
  /** Probability that a message is lost; default 0. */
  readonly loss?: number;
  /** Probability that a message arrives twice; default 0. */
  readonly duplication?: number;
  /** Longest delay in milliseconds, each message's drawn uniformly: messages overtake each other. */
  readonly delay?: number;
}

/** A message on its way, for tests that look on. */
export interface Passing {
  /** Name of the sender. */
  readonly from: string;
  /** Empty for a broadcast. */
  readonly to: string;
  /** What is sent. */
  readonly message: Uint8Array;
}

/** Who the curator is, among the senders. */
export const CURATOR = "(curator)";

/** Connects one curator and any number of participants in one process. */
export class MemoryNetwork {
  readonly #clock: Clock;
  readonly #faults: NetworkFaults | undefined;
  #curator: CuratorHandlers | undefined;
  readonly #participants = new Map<string, ParticipantHandlers>();
  readonly #cut = new Set<string>();
  #down = false;
  /** Called with every message that is sent. */
  watch: ((passing: Passing) => void) | undefined;

  constructor(clock: Clock, faults?: NetworkFaults) {
    this.#clock = object("clock", clock);
    this.#faults = faults;
  }

  /** The curator's end; a new one takes the place of an earlier one. */
  curator(): CuratorTransport {
    let own: CuratorHandlers | undefined;
    return {
      send: (to, message) => {
        this.#carry({ from: CURATOR, to, message }, to, () => this.#deliver(to, message, "own"));
        return Promise.resolve();
      },
      broadcast: (message) => {
        this.watch?.({ from: CURATOR, to: "", message });
        for (const to of this.#participants.keys()) {
          this.#carry(undefined, to, () => this.#deliver(to, message, "all"));
        }
        return Promise.resolve();
      },
      listen: (handlers) => {
        own = this.#curator = handlers;
        handlers.link(this.#down ? "down" : "up");
      },
      close: () => {
        if (this.#curator === own) this.#curator = undefined;
        return Promise.resolve();
      },
    };
  }

  /** A participant's end; a new one takes the place of an earlier one of that name. */
  participant(name: string): ParticipantTransport {
    let own: ParticipantHandlers | undefined;
    return {
      send: (message, relay) => {
        this.#carry({ from: name, to: relay ?? CURATOR, message }, name, () => {
          if (relay === undefined) this.#curator?.message(name, message);
          else if (!this.#isCut(relay)) this.#participants.get(relay)?.member?.(name, message);
        });
        return Promise.resolve();
      },
      listen: (handlers) => {
        own = handlers;
        this.#participants.set(name, handlers);
        handlers.link(this.#isCut(name) ? "down" : "up");
      },
      close: () => {
        if (this.#participants.get(name) === own) this.#participants.delete(name);
        return Promise.resolve();
      },
    };
  }

  /** Says something to the curator in a participant's place, as a forger with its credentials would. */
  inject(from: string, message: Uint8Array): void {
    this.#curator?.message(from, message);
  }

  /** Cuts a participant off, or connects it again. */
  cut(name: string, cut: boolean): void {
    if (cut === this.#cut.has(name)) return;
    if (cut) this.#cut.add(name);
    else this.#cut.delete(name);
    if (!this.#down) this.#participants.get(name)?.link(cut ? "down" : "up");
  }

  /** Takes the whole network down, or up again. */
  turn(state: LinkState): void {
    if (this.#down === (state === "down")) return;
    this.#down = state === "down";
    this.#curator?.link(state);
    for (const [name, { link }] of this.#participants) if (!this.#cut.has(name)) link(state);
  }

  #isCut(name: string): boolean {
    return this.#down || this.#cut.has(name);
  }

  #carry(passing: Passing | undefined, party: string, arrive: () => void): void {
    if (passing) this.watch?.(passing);
    if (this.#isCut(party)) return;
    const { random, loss = 0, duplication = 0, delay = 0 } = this.#faults ?? { random: () => 1 };
    if (loss > 0 && random() < loss) return;
    const copies = duplication > 0 && random() < duplication ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      this.#clock.after(delay > 0 ? random() * delay : 0, () => {
        if (!this.#isCut(party)) arrive();
      });
    }
  }

  #deliver(to: string, message: Uint8Array, scope: "own" | "all"): void {
    this.#participants.get(to)?.message(message, scope);
  }
}
