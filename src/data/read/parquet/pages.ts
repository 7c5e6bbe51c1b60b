/**
 * The pages of one column in one row group of a Parquet file, each held to its sizes and its checksum, and unpacked.
 * @module
 */
import type { ColumnMetaData, PageHeader } from "hyparquet";
import { crc32 } from "./crc32.js";
import { unpackPage } from "./codecs.js";
import { damaged } from "./form/damage.js";
import { packages } from "./loaded.js";
import { PAGE } from "./form/description-forms.js";
import { checkForm } from "./form/thrift-form.js";

export interface Page {
  readonly header: PageHeader;
  /** Unpacked, in a buffer of their own. */
  readonly bytes: Uint8Array;
}

/** @throws ParquetDamage unless it is a number of things. */
export function checkCount(value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  return damaged("a count is impossible");
}

/**
 * Where a column's pages lie in the file.
 * @param end of what may be pages: where the description begins.
 * @throws ParquetDamage if they lie outside.
 */
export function rangeOf(chunk: ColumnMetaData, end: number): [from: number, to: number] {
  const [data, dictionary] = [Number(chunk.data_page_offset), Number(chunk.dictionary_page_offset)];
  // Some writers leave the dictionary's place at 0.
  const from = dictionary > 0 && dictionary < data ? dictionary : data;
  const to = from + Number(chunk.total_compressed_size);
  if (!(Number.isSafeInteger(to) && from >= 4 && from <= to && to <= end))
    damaged("a column lies outside the file");
  return [from, to];
}

/**
 * Pages up to `chunk.num_values` values.
 * @param bytes of the column's pages.
 * @throws ParquetDamage, or what a codec throws.
 */
export async function* pagesOf(bytes: Uint8Array, chunk: ColumnMetaData): AsyncGenerator<Page> {
  const reader = {
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
    offset: 0,
  };
  for (let left = Number(chunk.num_values); left > 0;) {
    checkForm(reader, PAGE);
    const header = packages().parquetHeader(reader);
    const size = checkCount(header.compressed_page_size);
    const start = reader.offset;
    reader.offset += size;
    if (reader.offset > bytes.length) damaged("a page ends early");
    const packed = bytes.subarray(start, start + size);
    const { crc } = header;
    if (crc !== undefined && crc !== crc32(packed)) damaged("a page has another checksum");
    if ((header.type as string) === "INDEX_PAGE") continue;
    const unpacked = await unpack(chunk, header, packed);
    const data = header.data_page_header ?? header.data_page_header_v2;
    if (header.type !== "DICTIONARY_PAGE") {
      left -= checkCount(data?.num_values);
      if (left < 0) damaged("a column has more values than it states");
    }
    yield { header, bytes: unpacked };
  }
}

/** In the second version of data pages the levels stand unpacked before the values. */
async function unpack(
  { codec }: ColumnMetaData,
  header: PageHeader,
  packed: Uint8Array,
): Promise<Uint8Array> {
  const size = checkCount(header.uncompressed_page_size);
  const second = header.type === "DATA_PAGE_V2" ? header.data_page_header_v2 : undefined;
  if (!second) return unpackPage(codec, packed, size);
  const levels =
    checkCount(second.repetition_levels_byte_length) +
    checkCount(second.definition_levels_byte_length);
  if (levels > packed.length || levels > size) damaged("a page ends early");
  const values = await unpackPage(
    second.is_compressed === false ? "UNCOMPRESSED" : codec,
    packed.subarray(levels),
    size - levels,
  );
  const whole = new Uint8Array(size);
  whole.set(packed.subarray(0, levels));
  whole.set(values, levels);
  return whole;
}
