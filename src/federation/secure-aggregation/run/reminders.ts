/**
 * When those who have not answered in an attempt are told again what they are to answer.
 *
 * What a phase says to everyone is megabytes where participants are many (the consents of ten thousand are half a megabyte for each), and
 * what they answer takes them time. So nobody is told again while answers come in: those that are left are busy, or their turn
 * comes when the others are done. After that the waits double up to eight: who is gone is told in vain, and all of it is sent all the same.
 * @module
 */

/** Most times in a row that nobody is told again, since messages can be lost, too. */
const LONGEST = 8;

/** Says when those who have not answered are to be told again, through one attempt after the other. */
export class Reminders {
  readonly #count: () => number;
  #phase = "";
  #missing = 0;
  /** Times in a row that nothing had come since the time before. */
  #quiet = 0;
  /** How many of them make the next one due. */
  #next = 1;

  /** @param missing how many have not answered. */
  constructor(missing: () => number) {
    this.#count = missing;
  }

  /** Notes what is awaited; if it is something new, reminders begin anew. */
  begin(phase: string): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#missing = this.#count();
    this.#restart();
  }

  /**
   * Whether they are to be told again, asked whenever it may be time: at the first, second, fourth and every eighth time in a row
   * that nothing has come since the time before.
   */
  areDue(): boolean {
    const missing = this.#count();
    const came = missing < this.#missing;
    this.#missing = missing;
    if (came) this.#restart();
    else this.#quiet++;
    if (this.#quiet < this.#next) return false;
    this.#next += Math.min(this.#next, LONGEST);
    return true;
  }

  #restart(): void {
    this.#quiet = 0;
    this.#next = 1;
  }
}
