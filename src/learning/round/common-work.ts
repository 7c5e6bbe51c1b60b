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

/** The sum of all parts, which lie one after the other in consecutive stretches of them. */
export function sumOfParts(
  { length }: CommonWork,
  ...stretches: readonly Float64Array[]
): Float64Array<ArrayBuffer> {
  let sum: Float64Array<ArrayBuffer> | undefined;
  for (const stretch of stretches) {
    for (let part = 0; part < stretch.length; part += length) {
      if (sum) for (let at = 0; at < length; at++) sum[at]! += stretch[part + at]!;
      else sum = stretch.slice(0, length) as Float64Array<ArrayBuffer>;
    }
  }
  return sum!;
}
