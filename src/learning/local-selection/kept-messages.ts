/**
 * Participants who keep the messages they receive, and can show them to others again.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import type { Participants } from "../round/participants.js";

/** Tasks that go through rounds of which nobody asks what they share. */
export interface Followers {
  /** Rounds that one call of `follow` should take at most. */
  readonly atOnce: number;
  /**
   * @param messages of consecutive rounds.
   * @param marks [rounds, m], 1 for the tasks that take part; absent: all.
   */
  follow(messages: readonly Float32Array[], marks?: Uint8Array): void;
}

/** Tasks whose messages are kept, in single precision: half a message of float64s for every round. */
export class KeptMessages implements Participants {
  readonly m: number;
  readonly d: number;
  /** Float64s of a message. */
  readonly length: number;
  readonly #core: Core;
  readonly #inner: Participants;
  readonly #after: (round: number) => void;
  readonly #messages: Float32Array[] = [];
  /** Which of the tasks took part in each round, where not all did. */
  readonly #marks: (Uint8Array | undefined)[] = [];

  /**
   * @param length float64s of a message.
   * @param after called when the tasks have taken a round's step.
   */
  constructor(core: Core, inner: Participants, length: number, after: (round: number) => void) {
    this.m = inner.m;
    this.d = inner.d;
    this.length = length;
    this.#core = core;
    this.#inner = inner;
    this.#after = after;
  }

  share(round: number, marks?: Uint8Array): Pointer {
    this.#marks[round - 1] = marks?.slice();
    return this.#inner.share(round, marks);
  }

  receive(message: Pointer, round: number, last: boolean): void {
    this.#messages[round - 1] = Float32Array.from(this.#core.arena.view(message, this.length));
    this.#inner.receive(message, round, last);
    this.#after(round);
  }

  /**
   * Shows all messages to other participants in the same core; stops after each round for whoever
   * drives it.
   * @param owners which of the tasks each of the others stands for: it takes part in the same rounds.
   */
  *replay(
    participants: Participants,
    owners: Uint32Array,
    after: (round: number) => void,
  ): Generator<void, void> {
    const { arena } = this.#core;
    const at = arena.f64(this.length);
    const rounds = this.#messages.length;
    for (let round = 1; round <= rounds; round++) {
      const marks = this.#marks[round - 1];
      participants.share(round, marks && Uint8Array.from(owners, (task) => marks[task]!));
      arena.view(at, this.length).set(this.#messages[round - 1]!);
      participants.receive(at, round, round === rounds);
      after(round);
      yield;
    }
  }

  /**
   * Lets others follow all messages, several rounds at once.
   * @param owners which of the tasks each of them stands for: it takes part in the same rounds.
   * @param stops rounds to stop after, ascending; others may come between them.
   * @returns the number of the last round that is done, at every stop.
   */
  *follow(
    followers: Followers,
    owners: Uint32Array,
    stops: readonly number[],
  ): Generator<number, void> {
    const rounds = this.#messages.length;
    for (let done = 0; done < rounds;) {
      const next = stops.find((round) => round > done) ?? rounds;
      const to = Math.min(next, done + followers.atOnce);
      const marks = this.#marks.slice(done, to);
      const own = marks.flatMap((of) => (of ? Array.from(owners, (task) => of[task]!) : []));
      const marked = own.length > 0 ? Uint8Array.from(own) : undefined;
      followers.follow(this.#messages.slice(done, to), marked);
      done = to;
      yield done;
    }
  }
}
