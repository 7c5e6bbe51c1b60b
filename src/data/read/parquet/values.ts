/**
 * Values of the pages of a flat Parquet column, with nulls where the levels say that one is missing.
 * @module
 */
import type { DecodedArray } from "hyparquet";
import type { ColumnDecoder } from "hyparquet/src/types.js";
import { damaged } from "./form/damage.js";
import { packages } from "./loaded.js";
import { checkCount, type Page } from "./pages.js";
import { decode } from "./encodings.js";
import { checkRuns, type Place } from "./form/runs.js";

const placeIn = ({ buffer }: Uint8Array): Place => ({ view: new DataView(buffer), offset: 0 });

/** @throws ParquetDamage, or RangeError, if the page does not hold what it states. */
export function dictionaryOf({ header, bytes }: Page, decoder: ColumnDecoder): DecodedArray {
  const described = header.dictionary_page_header;
  if (!described || !["PLAIN", "PLAIN_DICTIONARY"].includes(described.encoding))
    damaged("a dictionary's form is not known");
  const count = checkCount(described.num_values);
  return decode("PLAIN", { place: placeIn(bytes), count, dictionary: undefined, decoder });
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
  const values = decode(described.encoding, { place, count: present, dictionary, decoder });
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
