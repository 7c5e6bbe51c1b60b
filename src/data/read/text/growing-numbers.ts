/**
 * Numbers of which nobody knows beforehand how many there will be.
 * @module
 */

/** Takes numbers one by one into arrays of one type. */
export class Growing<Numbers extends Float64Array | Uint32Array> {
  readonly #make: new (length: number) => Numbers;
  #numbers: Numbers;
  length = 0;

  constructor(make: new (length: number) => Numbers) {
    this.#make = make;
    this.#numbers = new make(64);
  }

  /** Adds a number. */
  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new this.#make(2 * this.length);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.length++] = value;
  }

  /** All of them; nothing may be added afterwards. */
  finish(): Numbers {
    return this.#numbers.slice(0, this.length) as Numbers;
  }
}
