/**
 * Products of a vector, or a share of one, with random vectors of entries -1, 0, 0, 1: the check that the
 * squared norm has not wrapped around the modulus.
 *
 * Two bits of the stream make an entry, lowest first: 00 is -1, 01 and 10 are 0, 11 is 1.
 * @see PINE, arXiv 2311.10237, Figure 2.
 * @module
 */
import type { Element } from "../field/field.js";
import type { NormParameters } from "./norm-parameters.js";
import type { ByteStream } from "../field/xof.js";

/** One product for each check; linear in `vector`. */
export function randomProducts(
  vector: readonly Element[],
  { field, checks }: NormParameters,
  stream: ByteStream,
): Element[] {
  const row = Math.ceil(vector.length / 4);
  const bytes = stream(row * checks);
  return Array.from({ length: checks }, (_, i) => {
    let sum = 0n;
    for (let j = 0; j < vector.length; j++) {
      const pair = (bytes[i * row + (j >> 2)]! >> (2 * (j & 3))) & 3;
      if (pair === 3) sum += vector[j]!;
      else if (pair === 0) sum -= vector[j]!;
    }
    return field.element(sum);
  });
}
