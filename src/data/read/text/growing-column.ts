/**
 * A column of text while it is read: as numbers as long as that loses nothing, since a number takes 8 bytes and a
 * piece of text five times as many.
 * @module
 */
import type { Column } from "../../table/table.js";

/** Equal cells of a column share one text, as long as there are no more different ones than this. */
const MOST_SHARED = 1 << 16;
const FIRST = 64;

/** Takes cells one by one. */
export class GrowingColumn {
  #numbers: Float64Array | undefined;
  #texts: string[] = [];
  #shared = new Map<string, string>();
  #length = 0;

  /** @param numbers whether cells that are numbers as JavaScript writes them may be kept as such; default yes. */
  constructor(numbers = true) {
    if (numbers) this.#numbers = new Float64Array(FIRST);
  }

  /** Adds a cell. */
  push(cell: string): void {
    if (this.#numbers) {
      const value = Number(cell);
      // "01", "1.0", "-0", "" and words come back as another text: then the column is one of texts.
      if (String(value) === cell && Number.isFinite(value)) this.#pushNumber(value);
      else this.#becomeText();
    }
    if (!this.#numbers) this.#texts.push(this.#share(cell));
    this.#length++;
  }

  #pushNumber(value: number): void {
    let numbers = this.#numbers!;
    if (this.#length === numbers.length) {
      numbers = new Float64Array(2 * this.#length);
      numbers.set(this.#numbers!);
      this.#numbers = numbers;
    }
    numbers[this.#length] = value;
  }

  #becomeText(): void {
    const numbers = this.#numbers!.subarray(0, this.#length);
    this.#numbers = undefined;
    for (const value of numbers) this.#texts.push(this.#share(String(value)));
  }

  #share(cell: string): string {
    const known = this.#shared.get(cell);
    if (known !== undefined) return known;
    // A piece cut out of a larger text would keep all of that in memory.
    const own = ` ${cell}`.slice(1);
    if (this.#shared.size < MOST_SHARED) this.#shared.set(own, own);
    return own;
  }

  /** The column; nothing may be added afterwards. */
  finish(name: string): Column {
    this.#shared = new Map();
    if (!this.#numbers) return { name, values: this.#texts };
    return { name, values: this.#numbers.slice(0, this.#length), asWritten: true };
  }
}
