/**
 * The encodings of a page's values: each decoded by the reader, after what it takes unlooked at was looked at.
 * @see Apache Parquet, "Encodings" of its format, for what each of them is.
 * @module
 */
import type { DecodedArray } from "hyparquet";
import type { ColumnDecoder } from "hyparquet/src/types.js";
import { damaged } from "./form/damage.js";
import { packages } from "./loaded.js";
import { checkDeltas, checkRuns, type Place } from "./form/runs.js";

/** The values of a page as they lie in it. */
export interface EncodedValues {
  /** Where they begin; decoding moves it on. */
  readonly place: Place;
  /** How many there are, missing ones not counted. */
  readonly count: number;
  readonly dictionary: DecodedArray | undefined;
  readonly decoder: ColumnDecoder;
}

/** @throws ParquetDamage, or RangeError, if the values are not what the page states. */
export function decode(encoding: string, values: EncodedValues): DecodedArray {
  if (values.count === 0) return [];
  switch (encoding) {
    case "PLAIN":
      return plain(values);
    case "PLAIN_DICTIONARY":
    case "RLE_DICTIONARY":
      return ofDictionary(values);
    case "RLE":
      return booleans(values);
    case "BYTE_STREAM_SPLIT":
      return streams(values);
    case "DELTA_BINARY_PACKED":
      return differences(values);
    case "DELTA_LENGTH_BYTE_ARRAY":
      return texts(values);
    case "DELTA_BYTE_ARRAY":
      return continuedTexts(values);
    default:
      return damaged("a page's form is not known");
  }
}

function plain({ place, count, decoder }: EncodedValues): DecodedArray {
  const { type, element } = decoder;
  return packages().convert(packages().readPlain(place, type, count, element.type_length), decoder);
}

function ofDictionary({ place, count, dictionary }: EncodedValues): DecodedArray {
  if (!dictionary) damaged("a page needs a dictionary that is not there");
  const end = place.view.byteLength;
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

function booleans({ place, count, decoder }: EncodedValues): DecodedArray {
  requireType(decoder, "BOOLEAN");
  const length = place.view.getUint32(place.offset, true);
  place.offset += 4;
  checkRuns(place, place.offset + length, 1, count);
  const bits = new Array<number>(count);
  packages().readRleBitPackedHybrid(place, 1, bits, length);
  return bits.map((bit) => bit === 1);
}

/** Bytes of a value, where its type says so. */
const WIDTH: Partial<Record<string, number>> = { FLOAT: 4, INT32: 4, DOUBLE: 8, INT64: 8 };

/** The first bytes of all values, then the second ones, and so on. */
function streams({ place, count, decoder }: EncodedValues): DecodedArray {
  const { type, element } = decoder;
  const width = WIDTH[type] ?? element.type_length;
  // Where a stream begins follows from how many values there are: with another number all would be other values.
  if (place.view.byteLength - place.offset !== count * (width ?? NaN))
    damaged("a page holds another number of values");
  return packages().convert(
    packages().byteStreamSplit(place, count, type, element.type_length),
    decoder,
  );
}

/** Bits of the integers that have differences. */
const BITS: Partial<Record<string, 32 | 64>> = { INT32: 32, INT64: 64 };

function differences({ place, count, decoder }: EncodedValues): DecodedArray {
  const bits = BITS[decoder.type] ?? damaged("a page's form is not that of its type");
  checkDeltas(place, count, bits);
  const values = bits === 32 ? new Int32Array(count) : new BigInt64Array(count);
  packages().deltaBinaryUnpack(place, count, values);
  return packages().convert(values, decoder);
}

/** All lengths, then all texts. */
function texts({ place, count, decoder }: EncodedValues): DecodedArray {
  requireType(decoder, "BYTE_ARRAY");
  checkDeltas(place, count, 32);
  const values = new Array<Uint8Array>(count);
  packages().deltaLengthByteArray(place, count, values);
  return packages().convert(values, decoder);
}

/** Texts of which each goes on where it differs from the one before. */
function continuedTexts({ place, count, decoder }: EncodedValues): DecodedArray {
  requireType(decoder, "BYTE_ARRAY");
  checkPrefixes(place, count);
  const values = new Array<Uint8Array>(count);
  packages().deltaByteArray(place, count, values);
  return packages().convert(values, decoder);
}

function requireType({ type }: ColumnDecoder, expected: string): void {
  if (type !== expected) damaged("a page's form is not that of its type");
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
