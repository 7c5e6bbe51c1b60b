/**
 * Participants who log the broadcasts they receive, so that others can go through the rounds again.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import type { Participants } from "../round/participants.js";

/** Numbers of broadcasts that share an array: it takes a fraction of what as many small ones take. */
const NUMBERS_AT_ONCE = 2 ** 14;

/** Tasks that go through rounds of which nobody asks for their uploads: several rounds at once. */
export interface Replayer {
  /** Rounds that one call of `replay` should take at most. */
  readonly atOnce: number;
  /**
   * @param broadcasts of consecutive rounds.
   * @param marks [rounds, m], 1 for the tasks that take part; absent: all.
   */
  replay(broadcasts: readonly Float32Array[], marks?: Uint8Array): void;
}

/**
 * Tasks whose broadcasts are logged, in single precision: half a broadcast of float64s for every round, and of a large
 * symmetric matrix a quarter.
 */
export class BroadcastLog implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  /** Float64s of a broadcast. */
  readonly length: number;
  readonly #core: Core;
  readonly #inner: Participants;
  readonly #after: (round: number) => void;
  /** Order of the matrices whose lower triangles are kept; undefined: broadcasts are kept whole. */
  readonly #order: number | undefined;
  readonly #broadcasts: Float32Array[] = [];
  /** Room for the next broadcasts that are kept whole. */
  #room = new Float32Array(0);
  /** Which of the tasks took part in each round, where not all did. */
  readonly #marks: (Uint8Array | undefined)[] = [];

  /**
   * @param length float64s of a broadcast.
   * @param after called when the tasks have taken a round's step.
   * @param order of broadcasts that are symmetric matrices: half of one is kept, and who goes round by round is handed the
   *   kernels' panels of it (`singleProjection`).
   */
  constructor(
    core: Core,
    inner: Participants,
    length: number,
    after: (round: number) => void,
    order?: number,
  ) {
    this.#order = order;
    this.m = inner.m;
    this.uploadLength = inner.uploadLength;
    this.length = length;
    this.#core = core;
    this.#inner = inner;
    this.#after = after;
  }

  upload(round: number, marks?: Uint8Array): Pointer {
    this.#marks[round - 1] = marks?.slice();
    return this.#inner.upload(round, marks);
  }

  receive(broadcast: Pointer, round: number, last: boolean): void {
    const given = this.#core.arena.view(broadcast, this.length);
    this.#broadcasts[round - 1] =
      this.#order === undefined ? this.#whole(given) : lowerTriangle(given, this.#order);
    this.#inner.receive(broadcast, round, last);
    this.#after(round);
  }

  /** In single precision. */
  #whole(given: Float64Array): Float32Array {
    const { length } = given;
    if (this.#room.length < length) {
      const count = Math.max(1, Math.floor(NUMBERS_AT_ONCE / length));
      this.#room = new Float32Array(count * length);
    }
    const kept = this.#room.subarray(0, length);
    this.#room = this.#room.subarray(length);
    kept.set(given);
    return kept;
  }

  /**
   * Lets others go through all rounds again; stops now and then for whoever drives it.
   * @param owners which of the tasks each of them stands for: it takes part in the same rounds.
   * @param stops rounds to stop after, ascending; others may come between them.
   * @returns the number of the last round that is done, at every stop.
   */
  replay(
    tasks: Participants | Replayer,
    owners: Uint32Array,
    stops: readonly number[],
  ): Generator<number, void> {
    if ("replay" in tasks && this.#order !== undefined) {
      throw new TypeError("replay: halves of matrices are for tasks that go round by round");
    }
    return "replay" in tasks
      ? this.#inBlocks(tasks, owners, stops)
      : this.#roundByRound(tasks, owners);
  }

  *#roundByRound(tasks: Participants, owners: Uint32Array): Generator<number, void> {
    const { arena, kernels } = this.#core;
    const order = this.#order;
    const at =
      order === undefined ? arena.f64(this.length) : arena.bytes(kernels.singlePanelsBytes(order));
    const halves = order === undefined ? 0 : arena.bytes(2 * order * (order + 1));
    const rounds = this.#broadcasts.length;
    for (let round = 1; round <= rounds; round++) {
      const marks = this.#marks[round - 1];
      tasks.upload(round, marks && Uint8Array.from(owners, (task) => marks[task]!));
      const kept = this.#broadcasts[round - 1]!;
      if (order === undefined) arena.view(at, this.length).set(kept);
      else {
        arena.words(halves, kept.length).set(new Uint32Array(kept.buffer));
        kernels.singlePanels(halves, at, order);
      }
      tasks.receive(at, round, round === rounds);
      yield round;
    }
  }

  *#inBlocks(
    tasks: Replayer,
    owners: Uint32Array,
    stops: readonly number[],
  ): Generator<number, void> {
    const rounds = this.#broadcasts.length;
    for (let done = 0; done < rounds;) {
      const next = stops.find((round) => round > done) ?? rounds;
      const to = Math.min(next, done + tasks.atOnce);
      const marks = this.#marks.slice(done, to);
      const own = (of: Uint8Array) => Array.from(owners, (task) => of[task]!);
      const marked = marks.some((of) => of)
        ? Uint8Array.from(marks.flatMap((of) => (of ? own(of) : [])))
        : undefined;
      tasks.replay(this.#broadcasts.slice(done, to), marked);
      done = to;
      yield done;
    }
  }
}

/** In single precision, row by row. */
function lowerTriangle(a: Float64Array, d: number): Float32Array {
  const out = new Float32Array((d * (d + 1)) / 2);
  for (let i = 0, at = 0; i < d; at += ++i) out.set(a.subarray(i * d, i * d + i + 1), at);
  return out;
}
