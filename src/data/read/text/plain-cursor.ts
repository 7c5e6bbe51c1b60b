/**
 * The cells of a line of text in which nothing is quoted, one after the other; numbers are read digit by digit where that is exact.
 * @module
 */
import { isMissing, parseNumber } from "../../table/cells.js";

/** Powers of ten that are exact, and so a correctly rounded quotient of an exact number by one of them. */
const POWERS = /* @__PURE__ */ Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
/** Largest number of digits that is an exact integer whatever they are. */
const EXACT_DIGITS = 15;
const MINUS = 45;
const PLUS = 43;
const POINT = 46;
const ZERO = 48;

/** Stands before a cell or behind it. */
export class PlainCursor {
  readonly #text: string;
  readonly #delimiter: string;
  readonly #separator: number;
  #at = 0;
  #stop = 0;

  constructor(text: string, delimiter: string) {
    this.#text = text;
    this.#delimiter = delimiter;
    this.#separator = delimiter.charCodeAt(0);
  }

  /** Before the first cell of the line from `at` up to `stop`. */
  move(at: number, stop: number): void {
    this.#at = at;
    this.#stop = stop;
  }

  isAtEnd(): boolean {
    return this.#at === this.#stop;
  }

  /** Whether another cell followed. */
  passSeparator(): boolean {
    return this.#at++ < this.#stop;
  }

  /** To behind the cell. */
  skip(): void {
    const next = this.#text.indexOf(this.#delimiter, this.#at);
    this.#at = next < 0 || next > this.#stop ? this.#stop : next;
  }

  text(): string {
    const begin = this.#at;
    this.skip();
    return this.#text.slice(begin, this.#at);
  }

  /** NaN where the cell says that it is missing; undefined where it is no number. */
  number(): number | undefined {
    const text = this.#text;
    const separator = this.#separator;
    const stop = this.#stop;
    // Digits, at most one point among them; what has an exponent or more digits is for the general parser.
    let at = this.#at;
    let code = at < stop ? text.charCodeAt(at) : separator;
    const negative = code === MINUS;
    if (negative || code === PLUS) code = ++at < stop ? text.charCodeAt(at) : separator;
    let value = 0;
    let digits = 0;
    let scale = -1;
    for (;;) {
      const digit = code - ZERO;
      if (digit >= 0 && digit <= 9) {
        value = 10 * value + digit;
        digits++;
        if (scale >= 0) scale++;
      } else if (code === POINT && scale < 0) scale = 0;
      else break;
      code = ++at < stop ? text.charCodeAt(at) : separator;
    }
    if (code !== separator || digits === 0 || digits > EXACT_DIGITS) {
      const cell = this.text();
      return isMissing(cell) ? NaN : parseNumber(cell);
    }
    this.#at = at;
    const size = scale > 0 ? value / POWERS[scale]! : value;
    return negative ? -size : size;
  }
}
