/**
 * Room for what a batch of sparse tasks keeps of each: in blocks that go from one fit of a thread to the next. Arrays of their own, some
 * ten thousand in a fit, would have the engine collect everything once or twice in each.
 * @module
 */

/** Makes an array of n zeros. */
export type Zeros = (n: number) => Float64Array;

/** Arrays of their own, for who has no batch. */
export const ownZeros: Zeros = (n) => new Float64Array(n);

/** Numbers of a block, 512 kB, and how many blocks are kept at most. */
const BLOCK = 2 ** 16;
const MOST_KEPT = 128;

const kept: Float64Array[] = [];

/** Arrays of one batch, until it is closed. Where it never is, they are garbage as others. */
export class BatchRoom {
  #blocks: Float64Array[] = [];
  /** Numbers of the last block that are given away. */
  #at = BLOCK;

  /** n zeros; nobody may use them once the batch is closed. */
  readonly zeros: Zeros = (n) => {
    if (n === 0 || n > BLOCK) return new Float64Array(n);
    if (this.#at + n > BLOCK) {
      this.#blocks.push(kept.pop() ?? new Float64Array(BLOCK));
      this.#at = 0;
    }
    const from = this.#at;
    this.#at += n;
    return this.#blocks.at(-1)!.subarray(from, this.#at).fill(0);
  };

  /** Leaves the blocks to the next batch. */
  close(): void {
    for (const block of this.#blocks) if (kept.length < MOST_KEPT) kept.push(block);
    this.#blocks = [];
    this.#at = BLOCK;
  }
}
