/**
 * Unpacks gzip with the platform's own streams, in Node and in browsers.
 * @module
 */
import { DataError } from "../../../core/errors.js";
import { MOST_BYTES } from "./limits.js";

/** Beyond this many bytes a file that grows more than `MOST_GROWTH` times is taken for one that is made to fill memory. */
const GROWTH_FROM = 2 ** 28;
/** Tables of text grow 3 to 50 times; gzip can be made to grow 1,030 times. */
const MOST_GROWTH = 250;

/** Whether bytes begin as gzip does. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * The unpacked bytes in pieces: of a small file that holds a huge one, no more than was taken lies in memory.
 * @throws DataError if the bytes are no gzip, are cut short or damaged, or hold more than is read, or far more than their
 *   size lets expect.
 */
export async function* gunzipPieces(bytes: Uint8Array, name: string): AsyncGenerator<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  const reader = stream.pipeThrough(new DecompressionStream("gzip")).getReader();
  let total = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new DataError(
          `${name}: the gzip data ends too early or is damaged; copy or download the file again.`,
          { cause },
        );
      });
      if (done) return;
      total += value.length;
      if (total > MOST_BYTES) {
        throw new DataError(`${name} holds more than ${MOST_BYTES} bytes once it is unpacked.`);
      }
      if (total > GROWTH_FROM && total > MOST_GROWTH * bytes.length) {
        throw new DataError(
          `${name}: ${bytes.length} bytes of gzip hold more than ${MOST_GROWTH} times as many, as no table does; if ` +
            `this is one, unpack it and read the result.`,
        );
      }
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Of formats that are read as a whole: most bytes, which is what one block of memory surely has. */
const MOST_WHOLE = 2 ** 31;

/**
 * All of it, for formats that cannot be read in pieces.
 * @throws DataError as {@link gunzipPieces} does.
 */
export async function gunzip(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of gunzipPieces(bytes, name)) {
    length += piece.length;
    if (length > MOST_WHOLE) {
      throw new DataError(
        `${name} holds more than ${MOST_WHOLE} bytes; unpack it, and take fewer rows.`,
      );
    }
    pieces.push(piece);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
