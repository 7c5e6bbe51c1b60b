/**
 * The values of a flat Parquet column in one group: as numbers of 8 bytes as long as they are that, otherwise as they come.
 * @module
 */
import type { DecodedArray, Statistics } from "hyparquet";
import { columnOfValues } from "../../table/column-of-values.js";
import type { Column } from "../../table/table.js";
import { checkRange, checkValues } from "./checks.js";
import { damaged } from "./form/damage.js";

/** Takes pages of values. */
export class GrowingValues {
  #numbers: Float64Array | undefined;
  #length = 0;
  #nulls = 0;
  #values: unknown[] = [];

  /**
   * @param rows of the group.
   * @param room for as many numbers or more, to be used instead of new memory.
   */
  constructor(rows: number, room: ArrayBuffer | undefined) {
    this.#numbers = room ? new Float64Array(room, 0, rows) : new Float64Array(rows);
  }

  /** Adds the values of a page, null where one is missing. */
  add(values: DecodedArray): void {
    const numbers = this.#numbers;
    if (numbers && values.length > numbers.length - this.#length)
      damaged("a column has more values than it states");
    if (numbers && isNumbers(values)) numbers.set(values, this.#length);
    else if (!numbers || !this.#addEach(numbers, values)) {
      this.#values = this.#asTheyCame();
      this.#numbers = undefined;
      for (const value of values) this.#values.push(value);
    }
    this.#length += values.length;
  }

  /** Whether all values were numbers or missing; nothing counts of them otherwise. */
  #addEach(numbers: Float64Array, values: ArrayLike<unknown>): boolean {
    let at = this.#length;
    let nulls = 0;
    for (let i = 0; i < values.length; i++, at++) {
      const value = values[i];
      if (typeof value === "number") numbers[at] = value;
      else if (value === null) {
        numbers[at] = NaN;
        nulls++;
      } else if (typeof value === "bigint" && Number.isSafeInteger(Number(value))) {
        numbers[at] = Number(value);
      } else return false;
    }
    this.#nulls += nulls;
    return true;
  }

  /** Values so far, once one of them is no number. A missing one is NaN here, and there are none beside numbers that are NaN. */
  #asTheyCame(): unknown[] {
    if (!this.#numbers) return this.#values;
    const before = this.#numbers.subarray(0, this.#length);
    return Array.from(before, (value) => (Number.isNaN(value) ? null : value));
  }

  /**
   * The column, its values held to what the file states of them.
   * @throws ParquetDamage where they contradict it; DataError for values that are neither numbers, booleans nor text.
   */
  finish(name: string, statistics: Statistics | undefined, source: string): Column {
    const numbers = this.#numbers;
    if (!numbers) {
      checkValues(this.#values, 0, statistics);
      return columnOfValues(name, this.#values, source);
    }
    if (this.#length !== numbers.length) damaged("a column has fewer values than it states");
    checkRange(numbers, this.#nulls, statistics);
    return { name, values: numbers };
  }
}

const isNumbers = (values: DecodedArray): values is Float64Array | Float32Array | Int32Array =>
  values instanceof Float64Array || values instanceof Float32Array || values instanceof Int32Array;
