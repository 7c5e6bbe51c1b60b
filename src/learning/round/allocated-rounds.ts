/**
 * One round of each block, drawn by every task for itself.
 * @module
 */
import { blockSizes } from "../../privacy/events/random-allocation.js";

/** Of a task: whether it took part in the block of this round, and in the one that its rounds begin inside. */
const [IN_BLOCK, IN_FIRST] = [1, 2] as const;

interface BlockNow {
  /** Its rounds that are left, with this one. */
  readonly left: number;
  readonly flag: typeof IN_BLOCK | typeof IN_FIRST;
  /** Whether this is its first. */
  readonly fresh: boolean;
}

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
    this.#eachTask((i, { left }, taken) => {
      marks[i] = !taken && uniform[i]! * left < 1 ? 1 : 0;
    });
  }

  /**
   * Remembers who takes part in this round and goes to the next.
   * @throws RangeError if that is not one round of each block.
   */
  count(marks: Uint8Array): void {
    this.#eachTask((i, { left, flag, fresh }, taken) => {
      const drawn = marks[i] === 1;
      if (taken ? drawn : left === 1 && !drawn) {
        throw new RangeError(
          `round ${this.#round + 1}: its kept sample is not one of an allocation by blocks; was it drawn by another release?`,
        );
      }
      if (fresh) this.#taken[i]! &= ~flag;
      if (drawn) this.#taken[i]! |= flag;
    });
    this.#round++;
  }

  /** Of every task: where its block stands, and whether it took part in that. */
  #eachTask(visit: (i: number, block: BlockNow, taken: boolean) => void): void {
    const m = this.#taken.length;
    let from = -1;
    let block: BlockNow | undefined;
    for (let i = 0; i < m; i++) {
      // Tasks in a row begin at one place.
      const start = this.#even ? 0 : Math.floor((i * this.#rounds) / m);
      if (start !== from) block = this.#blockOf((from = start));
      const { flag, fresh } = block!;
      visit(i, block!, !fresh && (this.#taken[i]! & flag) !== 0);
    }
  }

  /** The block of this round, for tasks that begin at a place. */
  #blockOf(start: number): BlockNow {
    const place = (this.#round + start) % this.#rounds;
    const [begin, end] = [this.#begins[place]!, this.#ends[place]!];
    // A block that they begin inside: first from `start` to its end, at last from its beginning to `start`.
    if (begin < start && start < end) {
      const left = place >= start ? end - place + start - begin : start - place;
      return { left, flag: IN_FIRST, fresh: false };
    }
    return { left: end - place, flag: IN_BLOCK, fresh: place === begin };
  }
}
