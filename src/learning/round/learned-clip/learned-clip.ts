/**
 * K, the bound on uploads, where it is not an option but learned in the run: known to each side once it was released.
 *
 * Then uploads are in units of K, and what is released of them is of vectors of norm at most 1, whatever K turns out to be. So the plan of
 * a run is fixed beforehand, and no guarantee rests on who tells the tasks what K is.
 * @module
 */
import { DataError } from "../../../core/index.js";

/** K: a number, or what says it once it is known, Infinity before. */
export type Clip = number | (() => number);

export const clipNow = (clip: Clip): number => (typeof clip === "number" ? clip : clip());

/** A bound that one side of a run learns. */
export class LearnedClip {
  #value: number | undefined;

  /** @param guess where nothing is released of it. */
  constructor(guess?: number) {
    if (guess !== undefined) this.settle(guess);
  }

  /** K. @throws RangeError before it is known. */
  get value(): number {
    if (this.#value === undefined) throw new RangeError("clip: it was not learned yet");
    return this.#value;
  }

  /** K, and before it is known Infinity: what tasks vote on is not cut. */
  readonly now = (): number => this.#value ?? Infinity;

  /** @throws DataError if it is no positive number. */
  settle(value: number): void {
    if (!(value > 0 && value < Infinity)) {
      throw new DataError(
        "clip: expected the bound on uploads that the votes decided, a positive number; the broadcast after the votes has another",
      );
    }
    this.#value = value;
  }
}
