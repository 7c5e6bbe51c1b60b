/**
 * Work that every batch of tasks would do alike, from releases and public sizes alone: threads divide it.
 * @module
 */

/** Such work in parts that are summed, always in their order, so that the sum has the same bits whoever works them out. */
export interface CommonWork {
  readonly parts: number;
  /** Float64s of a part. */
  readonly length: number;
  /** Works out parts `first` up to `end`, [end - first, length]. */
  compute(first: number, end: number): Float64Array<ArrayBuffer>;
  /** Takes the sum of all parts, [length]: what needs it then finds it done. */
  take(sum: Float64Array): void;
}

/** The sum of all parts, which lie one after the other. */
export function sumOfParts(
  { parts, length }: CommonWork,
  all: Float64Array,
): Float64Array<ArrayBuffer> {
  const sum = new Float64Array(all.subarray(0, length));
  for (let part = 1; part < parts; part++) {
    for (let at = 0; at < length; at++) sum[at]! += all[part * length + at]!;
  }
  return sum;
}
