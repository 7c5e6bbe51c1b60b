/**
 * Waits of a thread for another that will soon be done. Who sleeps is woken by the system, which takes both of them longer than many a
 * round does; so a thread looks for itself first, about as long as that takes, which costs at most twice what the better way would have.
 *
 * @see Karlin, Manasse, McGeoch and Owicki (1994), "Competitive randomized algorithms for nonuniform problems", for the twice.
 * @module
 */

/** Milliseconds for which a thread looks before it sleeps. */
const LOOK = 0.2;

/** Waits that are slept through at most before it looks again, where looking was in vain: on a core that both share, it always is. */
const MOST_BLIND = 255;

/** Looks between two at the clock, a division after each: it waits for the one before, so that who shares the core loses little by them. */
const LOOKS = 128;

/** Remembers whether looking is of use where it runs. */
export class BriefWaits {
  /** How many of the next waits are slept through, and how many will be after the next that looks in vain. */
  #blind = 0;
  #nextBlind = 0;

  /**
   * Blocks this thread until a word no longer has the value, or for so many milliseconds beyond the looks.
   * @throws TypeError where this thread may not block.
   */
  wait(words: Int32Array, at: number, value: number, milliseconds: number): void {
    if (this.#blind > 0) this.#blind--;
    else if (looksUntilChanged(words, at, value)) {
      this.#nextBlind = 0;
      return;
    } else {
      this.#blind = this.#nextBlind = Math.min(2 * this.#nextBlind + 1, MOST_BLIND);
    }
    Atomics.wait(words, at, value, milliseconds);
  }
}

/** @returns whether the word changed meanwhile. */
function looksUntilChanged(words: Int32Array, at: number, value: number): boolean {
  const end = performance.now() + LOOK;
  let x = 1;
  do {
    for (let look = 0; look < LOOKS; look++) {
      if (Atomics.load(words, at) !== value) return true;
      x = 1 / (1 + x);
    }
    // x is in [1/2, 1]: asking keeps the divisions from being left out.
  } while (x > 0 && performance.now() < end);
  return false;
}
