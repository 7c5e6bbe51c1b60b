/**
 * Values of the pages of a flat Parquet column: decoded by the reader, after what it takes unlooked at was looked at.
 * @module
 */
import type { DecodedArray } from "hyparquet";
import type { ColumnDecoder } from "hyparquet/src/types.js";
import { damaged } from "./form/damage.js";
import { packages } from "./loaded.js";
import { checkCount, type Page } from "./pages.js";
import { checkDeltas, checkRuns, type Place } from "./form/runs.js";

const placeIn = ({ buffer }: Uint8Array): Place => ({ view: new DataView(buffer), offset: 0 });

/** @throws ParquetDamage, or RangeError, if the page does not hold what it states. */
export function dictionaryOf({ header, bytes }: Page, decoder: ColumnDecoder): DecodedArray {
  const described = header.dictionary_page_header;
  if (!described || !["PLAIN", "PLAIN_DICTIONARY"].includes(described.encoding))
    damaged("a dictionary's form is not known");
  const count = checkCount(described.num_values);
  const { type, element } = decoder;
  return packages().convert(
    packages().readPlain(placeIn(bytes), type, count, element.type_length),
    decoder,
  );
}

/**
 * The page's values, null where one is missing.
 * @throws ParquetDamage, or RangeError, if the page does not hold what it states, or a place that its dictionary has not.
 */
export function valuesOf(
  page: Page,
  dictionary: DecodedArray | undefined,
  decoder: ColumnDecoder,
): DecodedArray {
  const place = placeIn(page.bytes);
  const described = page.header.data_page_header ?? page.header.data_page_header_v2!;
  const count = checkCount(described.num_values);
  const levels = levelsOf(page, place, decoder);
  const present = levels ? levels.reduce((sum, level) => sum + level, 0) : count;
  const values = decode(place, described.encoding, present, dictionary, decoder);
  if (!levels || present === count) return values;
  let next = 0;
  return levels.map((level) => (level === 1 ? values[next++] : null));
}

/** 1 where there is a value and 0 where it is missing, of a column that may have missing ones; goes on to the values. */
function levelsOf(
  { header }: Page,
  place: Place,
  { element }: ColumnDecoder,
): number[] | undefined {
  const { data_page_header: first, data_page_header_v2: second } = header;
  const nullable = element.repetition_type === "OPTIONAL";
  if (header.type === "DATA_PAGE" && first) {
    if (!nullable) return undefined;
    if (first.definition_level_encoding !== "RLE") damaged("its levels are in a form not read");
    const length = place.view.getUint32(0, true);
    place.offset = 4;
    return read(first.num_values, length);
  }
  if (header.type !== "DATA_PAGE_V2" || !second) damaged("a page has no description");
  if (second.repetition_levels_byte_length !== 0 || second.num_rows !== second.num_values)
    damaged("a page has another number of rows");
  const levels = nullable
    ? read(second.num_values, second.definition_levels_byte_length)
    : undefined;
  if (second.num_nulls !== (levels?.filter((level) => level === 0).length ?? 0))
    damaged("a page has another number of nulls");
  place.offset = second.definition_levels_byte_length;
  return levels;

  function read(count: number, length: number): number[] {
    checkRuns(place, place.offset + length, 1, count);
    const found = new Array<number>(count);
    packages().readRleBitPackedHybrid(place, 1, found, length);
    return found;
  }
}

/** Bytes of a value, where its type says so. */
const WIDTH: Partial<Record<string, number>> = { FLOAT: 4, INT32: 4, DOUBLE: 8, INT64: 8 };

/** Bits of the integers that have differences. */
const BITS: Partial<Record<string, 32 | 64>> = { INT32: 32, INT64: 64 };

function decode(
  place: Place,
  encoding: string,
  count: number,
  dictionary: DecodedArray | undefined,
  decoder: ColumnDecoder,
): DecodedArray {
  const { type, element } = decoder;
  const end = place.view.byteLength;
  if (count === 0) return [];
  const texts = () => {
    if (type !== "BYTE_ARRAY") damaged("a page's form is not that of its type");
    return new Array<Uint8Array>(count);
  };
  switch (encoding) {
    case "PLAIN":
      return packages().convert(
        packages().readPlain(place, type, count, element.type_length),
        decoder,
      );
    case "PLAIN_DICTIONARY":
    case "RLE_DICTIONARY": {
      if (!dictionary) damaged("a page needs a dictionary that is not there");
      const places = new Array<number>(count).fill(0);
      const width = place.view.getUint8(place.offset++);
      checkRuns(place, end, width, count);
      if (width > 0) packages().readRleBitPackedHybrid(place, width, places, end - place.offset);
      if (places.some((entry) => entry >= dictionary.length))
        damaged("a value is none of its column's dictionary");
      if (dictionary instanceof Float64Array || dictionary instanceof Float32Array)
        return Float64Array.from(places, (entry) => dictionary[entry]!);
      return places.map((entry) => dictionary[entry] as unknown);
    }
    case "RLE": {
      if (type !== "BOOLEAN") damaged("a page's form is not that of its type");
      const length = place.view.getUint32(place.offset, true);
      place.offset += 4;
      checkRuns(place, place.offset + length, 1, count);
      const bits = new Array<number>(count);
      packages().readRleBitPackedHybrid(place, 1, bits, length);
      return bits.map((bit) => bit === 1);
    }
    case "BYTE_STREAM_SPLIT": {
      // Where a stream begins follows from how many values there are: with another number all would be other values.
      const width = WIDTH[type] ?? element.type_length;
      if (end - place.offset !== count * (width ?? NaN))
        damaged("a page holds another number of values");
      return packages().convert(
        packages().byteStreamSplit(place, count, type, element.type_length),
        decoder,
      );
    }
    case "DELTA_BINARY_PACKED": {
      const bits = BITS[type] ?? damaged("a page's form is not that of its type");
      checkDeltas(place, count, bits);
      const values = bits === 32 ? new Int32Array(count) : new BigInt64Array(count);
      packages().deltaBinaryUnpack(place, count, values);
      return packages().convert(values, decoder);
    }
    case "DELTA_LENGTH_BYTE_ARRAY": {
      const values = texts();
      checkDeltas(place, count, 32);
      packages().deltaLengthByteArray(place, count, values);
      return packages().convert(values, decoder);
    }
    case "DELTA_BYTE_ARRAY": {
      const values = texts();
      checkPrefixes(place, count);
      packages().deltaByteArray(place, count, values);
      return packages().convert(values, decoder);
    }
    default:
      return damaged("a page's form is not known");
  }
}

/** Each text begins with so many bytes of the one before, which must have them. */
function checkPrefixes(start: Place, count: number): void {
  const place = { ...start };
  const next = () => {
    const lengths = new Int32Array(count);
    const end = checkDeltas(place, count, 32);
    packages().deltaBinaryUnpack(place, count, lengths);
    place.offset = end;
    return lengths;
  };
  const [prefixes, suffixes] = [next(), next()];
  for (let i = 0, before = 0; i < count; i++) {
    if (prefixes[i]! < 0 || prefixes[i]! > before) damaged("a text's beginning is not there");
    before = prefixes[i]! + suffixes[i]!;
  }
}
