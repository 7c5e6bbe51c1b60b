/**
 * Broadcasts in the core, for kernels that take several rounds in one call: they stay in their place for all who go through the same rounds.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import type { Momentum } from "../../steps/momentum.js";

/** Most numbers of broadcasts that a call takes. */
const BROADCASTS_AT_ONCE = 2 ** 17;

/** What the kernel is told of them; `placed` is 1 once a call has left its workspace as they need it. */
type Words = Record<"broadcasts" | "betas" | "work" | "rounds" | "placed", Pointer>;

/** Matrices M[d, d] of consecutive rounds. */
export class PlacedBroadcasts {
  /** Rounds that a call should take at most. */
  readonly atOnce: number;
  readonly #core: Core;
  readonly #d: number;
  readonly #momentum: Momentum;
  #words: Words | undefined;
  #room = 0;
  #from = 0;
  #received: readonly Float32Array[] = [];

  /** @param rounds how many there will be, where whoever comes later is to find them; default: room is made when they come. */
  constructor(core: Core, d: number, momentum: Momentum, rounds = 0) {
    this.#core = core;
    this.#d = d;
    this.#momentum = momentum;
    this.atOnce = Math.max(1, Math.floor(BROADCASTS_AT_ONCE / (d * d)));
    if (rounds > 0) this.#words = this.#allocate(Math.min(rounds, this.atOnce));
  }

  #allocate(rounds: number): Words {
    const { arena, kernels } = this.#core;
    this.#room = rounds;
    return {
      broadcasts: arena.bytes(4 * rounds * this.#d ** 2),
      betas: arena.f64(rounds),
      work: arena.bytes(kernels.projectedRoundsWorkspace(this.#d, rounds)),
      rounds: 0,
      placed: 0,
    };
  }

  /** Those of the rounds after round `from`, copied unless they are there. */
  place(received: readonly Float32Array[], from: number): Words {
    const rounds = received.length;
    let words = this.#words;
    if (words?.rounds === rounds && this.#from === from && isSame(this.#received, received)) {
      return words;
    }
    if (!words || this.#room < rounds) words = this.#words = this.#allocate(rounds);
    Object.assign(words, { rounds, placed: 0 });
    this.#from = from;
    this.#received = received;
    const { arena } = this.#core;
    const length = this.#d * this.#d;
    const at = arena.singles(words.broadcasts, rounds * length);
    received.forEach((broadcast, k) => at.set(broadcast, k * length));
    const betas = received.map((_, k) => this.#momentum.beta(from + 1 + k));
    arena.view(words.betas, rounds).set(betas);
    return words;
  }
}

function isSame(some: readonly Float32Array[], others: readonly Float32Array[]): boolean {
  return some.every((one, k) => one === others[k]);
}
