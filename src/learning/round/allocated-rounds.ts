/**
 * One round of each block, drawn by every task for itself.
 * @module
 */
import { blockSizes } from "../../privacy/random-allocation.js";

/** Of a task: whether it took part in the block of this round, and in the one that its rounds begin inside. */
const [IN_BLOCK, IN_FIRST] = [1, 2] as const;

/**
 * Rounds lie on a circle that is cut into blocks. Where these differ in length, tasks begin at places of it that differ, all around by
 * their position, so that as many are expected in every round; a block that a task begins inside goes on at the end of its
 * rounds. Places are public: what is charged is the same wherever a task begins.
 */
export class AllocatedRounds {
  readonly #rounds: number;
  /** Of every round of the circle: its block's first and the next block's. */
  readonly #begins: Uint32Array;
  readonly #ends: Uint32Array;
  /** Whether every task begins with a block. */
  readonly #even: boolean;
  readonly #taken: Uint8Array;
  #round = 0;

  /** @param picks rounds of each of the m tasks, as many as there are blocks. */
  constructor(m: number, rounds: number, picks: number) {
    this.#rounds = rounds;
    this.#even = rounds % picks === 0;
    this.#taken = new Uint8Array(m);
    [this.#begins, this.#ends] = [new Uint32Array(rounds), new Uint32Array(rounds)];
    let begin = 0;
    for (const { size, blocks } of blockSizes(rounds, picks)) {
      for (let k = 0; k < blocks; k++, begin += size) {
        this.#begins.fill(begin, begin, begin + size);
        this.#ends.fill(begin + size, begin, begin + size);
      }
    }
  }

  /** Writes 1 for every task that takes part in this round: of what is left of a block each round is as likely. */
  draw(uniform: ArrayLike<number>, marks: Uint8Array): void {
    for (let i = 0; i < marks.length; i++) {
      const { left, taken } = this.#at(i);
      marks[i] = !taken && uniform[i]! * left < 1 ? 1 : 0;
    }
  }

  /**
   * Remembers who takes part in this round and goes to the next.
   * @throws RangeError if that is not one round of each block.
   */
  count(marks: Uint8Array): void {
    for (let i = 0; i < marks.length; i++) {
      const { left, taken, flag, fresh } = this.#at(i);
      if (taken ? marks[i] === 1 : left === 1 && marks[i] === 0) {
        throw new RangeError(
          `round ${this.#round + 1}: its kept sample is not one of an allocation by blocks; was it drawn by another release?`,
        );
      }
      if (fresh) this.#taken[i]! &= ~flag;
      if (marks[i] === 1) this.#taken[i]! |= flag;
    }
    this.#round++;
  }

  /** Of a task, in this round: rounds left in its block, with this one, and whether it took part in it. */
  #at(i: number) {
    const start = this.#even ? 0 : Math.floor((i * this.#rounds) / this.#taken.length);
    const place = (this.#round + start) % this.#rounds;
    const [begin, end] = [this.#begins[place]!, this.#ends[place]!];
    const split = begin < start && start < end;
    // Of the block that the task begins inside: first from `start` to its end, then from its beginning to `start`.
    const left = !split
      ? end - place
      : place >= start
        ? end - place + start - begin
        : start - place;
    const flag = split ? IN_FIRST : IN_BLOCK;
    const fresh = !split && place === begin;
    return { left, flag, fresh, taken: !fresh && (this.#taken[i]! & flag) !== 0 };
  }
}
