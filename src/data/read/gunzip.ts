/**
 * Unpacks gzip with the platform's own streams, in Node and in browsers.
 * @module
 */
import { DataError } from "../../core/errors.js";

/** Whether bytes begin as gzip does. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** @throws DataError if the bytes are no gzip, or are cut short or damaged. */
export async function gunzip(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  try {
    const stream = new Blob([new Uint8Array(bytes)]).stream();
    const unpacked = stream.pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(unpacked).arrayBuffer());
  } catch {
    throw new DataError(
      `${name}: the gzip data ends too early or is damaged; copy or download the file again.`,
    );
  }
}
