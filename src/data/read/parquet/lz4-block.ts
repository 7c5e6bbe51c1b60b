/**
 * Unpacks blocks of LZ4 as the format's description has them
 * (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md): readers in JavaScript fill up with zeros what a damaged
 * block does not hold.
 * @module
 */

/** Shortest match, which is not counted in its length. */
const LEAST_MATCH = 4;

/**
 * @param length of what the block holds.
 * @throws RangeError if the block is no LZ4, or holds more or less.
 */
export function unpackLz4Block(block: Uint8Array, length: number): Uint8Array {
  const output = new Uint8Array(length);
  let from = 0;
  let to = 0;
  const byte = () => {
    if (from === block.length) throw new RangeError("an LZ4 block ends early");
    return block[from++]!;
  };
  const lengthFrom = (nibble: number) => {
    let total = nibble;
    for (let more = nibble === 15 ? 255 : 0; more === 255;) total += more = byte();
    return total;
  };
  for (;;) {
    const token = byte();
    const literals = lengthFrom(token >> 4);
    if (literals > block.length - from || literals > length - to) {
      throw new RangeError("an LZ4 block has too many literals");
    }
    output.set(block.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    // The last sequence has literals only.
    if (from === block.length) break;
    const offset = byte() | (byte() << 8);
    const match = lengthFrom(token & 15) + LEAST_MATCH;
    if (offset === 0 || offset > to || match > length - to) {
      throw new RangeError("an LZ4 block has an impossible match");
    }
    for (const end = to + match; to < end; to++) output[to] = output[to - offset]!;
  }
  if (to !== length) throw new RangeError("an LZ4 block holds less than it should");
  return output;
}
