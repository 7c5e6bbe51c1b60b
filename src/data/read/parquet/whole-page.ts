/**
 * A page from the pieces in which a stream unpacks it.
 * @module
 */
import { damaged } from "./form/damage.js";

/**
 * The pieces side by side.
 * @param length that the page states: no more is taken.
 * @throws ParquetDamage if there is more, or what the stream throws.
 */
export async function wholePage(
  pieces: AsyncIterable<Uint8Array>,
  length: number,
): Promise<Uint8Array> {
  const page = new Uint8Array(length);
  let filled = 0;
  for await (const piece of pieces) {
    if (filled + piece.length > length) damaged("a page has another size than it states");
    page.set(piece, filled);
    filled += piece.length;
  }
  return page.subarray(0, filled);
}
