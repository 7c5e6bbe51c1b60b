/**
 * Unpacks Brotli by the host's own reference implementation: decoders written in JavaScript read damaged streams without a word.
 * @module
 */
import { HostError } from "../../../core/errors.js";
import { damaged } from "./form/damage.js";
import { wholePage } from "./whole-page.js";

/** What is used of `node:zlib`. */
interface Zlib {
  brotliDecompressSync(
    packed: Uint8Array,
    options: { maxOutputLength: number; info: true },
  ): { buffer: Uint8Array; engine: { bytesWritten: number } };
}

/** Of Node from 20.16, Deno, Bun and workers that have Node's modules; asked at run time, so that no bundler looks for it. */
interface Host {
  readonly process?: { readonly getBuiltinModule?: (name: string) => Zlib | undefined };
}

/**
 * @param length that the page states.
 * @throws ParquetDamage if the stream is damaged, too long, or followed by other bytes; HostError where the host has no Brotli.
 */
export async function unpackBrotli(packed: Uint8Array, length: number): Promise<Uint8Array> {
  const zlib = (globalThis as Host).process?.getBuiltinModule?.("node:zlib");
  if (!zlib?.brotliDecompressSync) return wholePage(piecesOf(packed), length);
  // The limit is at least a byte.
  const options = { maxOutputLength: Math.max(length, 1), info: true as const };
  const { buffer, engine } = zlib.brotliDecompressSync(packed, options);
  if (engine.bytesWritten !== packed.length) damaged("a page has bytes after its end");
  return new Uint8Array(buffer);
}

/** By the standard of compression streams, which refuses what follows the end; browsers have its "brotli" since 2025 or not yet. */
async function* piecesOf(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  const stream = new Blob([packed as Uint8Array<ArrayBuffer>]).stream();
  const reader = stream.pipeThrough(brotliStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function brotliStream(): DecompressionStream {
  try {
    return new DecompressionStream("brotli" as CompressionFormat);
  } catch (cause) {
    throw new HostError(
      "Parquet files packed with Brotli cannot be read here, since the host has no Brotli for programs; pack with zstd, snappy or gzip.",
      { cause },
    );
  }
}
