/**
 * Random allocation: the rounds are cut into blocks, and every task takes part in one round of each block, which it draws by itself.
 * @module
 */
import { blockSizes } from "../../privacy/events/random-allocation.js";

/** Flags of a task: it has taken part in the present block; it has taken part in the block that its rounds begin inside. */
const [IN_BLOCK, IN_FIRST] = [1, 2] as const;

interface BlockNow {
  /** Rounds of the block that are left, this one included. */
  readonly left: number;
  readonly flag: typeof IN_BLOCK | typeof IN_FIRST;
  /** Whether this is the block's first round. */
  readonly fresh: boolean;
}

/**
 * The rounds lie on a circle that is cut into blocks. If these differ in length, tasks begin at places spread evenly over the circle, by
 * their position, so that every round expects equally many. A block that a task begins inside is continued at the end of its rounds.
 * The places are public: the charge is the same for all.
 */
export class AllocatedRounds {
  readonly #rounds: number;
  /** For every round of the circle: the first round of its block, and of the next block. */
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

  /** Writes marks[m], 1 for who takes part in this round, by uniform[m] in [0, 1): every round left of a block is equally likely. */
  draw(uniform: ArrayLike<number>, marks: Uint8Array): void {
    this.#eachTask((i, { left }, taken) => {
      marks[i] = !taken && uniform[i]! * left < 1 ? 1 : 0;
    });
  }

  /**
   * Records who takes part in this round and goes to the next.
   * @throws RangeError if some task takes part twice in a block, or not at all.
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

  /** Visits every task with its present block and whether it has taken part in that. */
  #eachTask(visit: (i: number, block: BlockNow, taken: boolean) => void): void {
    const m = this.#taken.length;
    let from = -1;
    let block: BlockNow | undefined;
    for (let i = 0; i < m; i++) {
      // Neighbours mostly begin at the same place.
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
    // The block that they begin inside: its part from `start` on comes first, the part before `start` last.
    if (begin < start && start < end) {
      const left = place >= start ? end - place + start - begin : start - place;
      return { left, flag: IN_FIRST, fresh: false };
    }
    return { left: end - place, flag: IN_BLOCK, fresh: place === begin };
  }
}
