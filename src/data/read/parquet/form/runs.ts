/**
 * Walks the packed integers of a Parquet page before they are decoded: the reader takes counts and widths as they stand,
 * so that a damaged one keeps it busy for ever, or gives values that the page does not hold.
 * https://parquet.apache.org/docs/file-format/data-pages/encodings/
 * @module
 */
import { damaged } from "./damage.js";

/** Bits of a level, or of a place in a dictionary, which has at most 2^30 entries. */
const MOST_BITS = 30;

/** A place in a page. */
export interface Place {
  readonly view: DataView;
  offset: number;
}

function byteAt(place: Place, end: number): number {
  if (place.offset >= end) damaged("a page ends early");
  return place.view.getUint8(place.offset++);
}

/** An integer of at most `bits` bits; bigint, since deltas have 64. */
function varint(place: Place, end: number, bits: number): bigint {
  let value = 0n;
  for (let shift = 0; shift < bits; shift += 7) {
    const byte = byteAt(place, end);
    value |= BigInt(byte & 0x7f) << BigInt(shift);
    if (byte < 0x80) {
      if (value >> BigInt(bits)) break;
      return value;
    }
  }
  return damaged("a page has an impossible count");
}

/**
 * Runs of equal values and of packed ones: `count` of them between the place and `end`, each of `width` bits.
 * @throws ParquetDamage if there are fewer, a run goes on past them, or a run's value has more bits.
 */
export function checkRuns(start: Place, end: number, width: number, count: number): void {
  if (width > MOST_BITS) damaged("a page has an impossible width");
  if (end > start.view.byteLength) damaged("a page ends early");
  const place = { ...start };
  for (let seen = 0; seen < count;) {
    const header = Number(varint(place, end, 32));
    const length = Math.floor(header / 2);
    if (length === 0) damaged("a page has an empty run");
    if (header % 2 === 1) {
      // Eight a group; the last group may be padded.
      const values = Math.min(8 * length, count - seen);
      if (place.offset + Math.ceil((values * width) / 8) > end) damaged("a page ends early");
      place.offset += length * width;
      seen += values;
    } else {
      if (length > count - seen) damaged("a page has more values than it states");
      let value = 0;
      for (let i = 0; 8 * i < width; i++) value += byteAt(place, end) * 2 ** (8 * i);
      if (value >= 2 ** width) damaged("a page has an impossible value");
      seen += length;
    }
  }
}

/**
 * Blocks of differences (DELTA_BINARY_PACKED).
 * @param bits   of the integers.
 * @returns where they end.
 * @throws ParquetDamage if there are not `count`, or the blocks' form is impossible.
 */
export function checkDeltas(start: Place, count: number, bits: 32 | 64): number {
  const place = { ...start };
  const end = place.view.byteLength;
  const block = Number(varint(place, end, 32));
  const minis = Number(varint(place, end, 32));
  const values = block / minis;
  if (!(block > 0 && block % 128 === 0 && values % 32 === 0))
    damaged("a page has blocks of an impossible size");
  if (Number(varint(place, end, 32)) !== count) damaged("a page has another number of values");
  varint(place, end, 64);
  for (let seen = 1; seen < count;) {
    varint(place, end, 64);
    const widths = Array.from({ length: Math.min(minis, end - place.offset) }, () =>
      byteAt(place, end),
    );
    if (widths.length < minis) damaged("a page ends early");
    for (let i = 0; i < minis && seen < count; i++, seen += values) {
      if (widths[i]! > bits) damaged("a page has an impossible width");
      place.offset += (values * widths[i]!) / 8;
      if (place.offset > end) damaged("a page ends early");
    }
  }
  return place.offset;
}
