/**
 * Unpacks the pages of a Parquet file strictly: a page whose packed form is damaged is refused where its codec can tell,
 * and none has another length than it states.
 * @module
 */
import type { CompressionCodec } from "hyparquet";
import { HostError } from "../../../core/errors.js";
import { gunzipPieces } from "../bytes/gunzip.js";
import { unpackBrotli } from "./brotli.js";
import { unpackLz4Block } from "./lz4-block.js";
import { damaged } from "./form/damage.js";
import { wholePage } from "./whole-page.js";
import { packages } from "./loaded.js";

/** Largest page: writers make them of one MB. */
const MOST_PAGE = 2 ** 29;

type Unpack = (packed: Uint8Array, length: number) => Uint8Array | Promise<Uint8Array>;

const codecs: Partial<Record<CompressionCodec, Unpack>> = {
  UNCOMPRESSED: (packed) => packed.slice(),
  SNAPPY: snappy,
  // By the platform, which holds it to its checksum.
  GZIP: (packed, length) => wholePage(gunzipPieces(packed, "a page"), length),
  BROTLI: unpackBrotli,
  ZSTD: zstd,
  LZ4_RAW: unpackLz4Block,
  LZ4: hadoopLz4,
};

/**
 * @param length that the page states.
 * @returns bytes in a buffer of their own.
 * @throws ParquetDamage, or what the codec throws.
 */
export async function unpackPage(
  codec: CompressionCodec | undefined,
  packed: Uint8Array,
  length: number,
): Promise<Uint8Array> {
  if (!(length >= 0 && length <= MOST_PAGE)) damaged("a page's size is impossible");
  const unpack = codec && codecs[codec];
  if (!unpack) damaged("its codec is not known");
  const page = await unpack(packed, length);
  if (page.length !== length) damaged("a page has another size than it states");
  return page.byteLength === page.buffer.byteLength ? page : page.slice();
}

/** The stream begins with the length of what it holds. */
function snappy(packed: Uint8Array, length: number): Uint8Array {
  let stated = 0;
  for (let i = 0; i < 5; i++) {
    const byte = packed[i] ?? damaged("a page ends early");
    stated += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) break;
  }
  if (stated !== length) damaged("a page has another size than it states");
  const page = new Uint8Array(length);
  packages().snappyUncompress(packed, page);
  return page;
}

/**
 * By the reference implementation, which checks a frame's structure, and its checksum where it has one.
 * @throws HostError where the host's policy does not let it start.
 */
async function zstd(packed: Uint8Array, length: number): Promise<Uint8Array> {
  const { ZSTDDecoder } = await import("zstddec");
  const decoder = new ZSTDDecoder();
  await decoder.init().catch((cause: unknown) => {
    throw new HostError(
      "Parquet files packed with zstd cannot be read here, since the host does not let WebAssembly start; pack with snappy or gzip.",
      { cause },
    );
  });
  // It makes nothing of an error, which has not the length of the page; where that is nothing, room for a byte keeps it from asking the frame.
  return decoder.decode(packed, Math.max(length, 1));
}

/**
 * LZ4 as Hadoop frames it: blocks, each behind the length of what it holds and its own. Some writers leave the frame out.
 * https://github.com/apache/parquet-format/blob/master/Compression.md
 */
function hadoopLz4(packed: Uint8Array, length: number): Uint8Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const page = new Uint8Array(length);
  let filled = 0;
  for (let at = 0; at < packed.length;) {
    const [holds, size] =
      at + 8 <= packed.length ? [view.getUint32(at), view.getUint32(at + 4)] : [];
    if (holds === undefined || holds > length - filled || size! > packed.length - at - 8) {
      if (at === 0) return unpackLz4Block(packed, length);
      damaged("a page is damaged");
    }
    page.set(unpackLz4Block(packed.subarray(at + 8, at + 8 + size!), holds), filled);
    filled += holds;
    at += 8 + size!;
  }
  return page.subarray(0, filled);
}
