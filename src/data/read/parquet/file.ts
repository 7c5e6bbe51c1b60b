/**
 * What a Parquet file holds, read from its end, and the pages of one column of one group: from bytes that may lie anywhere.
 * @module
 */
import type { ColumnMetaData, DecodedArray, ParquetParsers, RowGroup, SchemaTree } from "hyparquet";
import type { ColumnDecoder } from "hyparquet/src/types.js";
import { checkCounts } from "./checks.js";
import { damaged } from "./form/damage.js";
import { dateParsers } from "./dates.js";
import { loadPackages, packages } from "./loaded.js";
import { checkMeaning } from "./form/logical-types.js";
import { pagesOf, rangeOf } from "./pages.js";
import { FILE } from "./form/description-forms.js";
import { checkSizeStatistics, levelsOf } from "./form/size-statistics.js";
import { checkForm } from "./form/thrift-form.js";
import { dictionaryOf, valuesOf } from "./values.js";

/** Bytes that are read where they are needed. */
export interface ByteSource {
  readonly length: number;
  /** Those from `from` up to `to`, which lie inside; their memory may be used again for the next ones. */
  read(from: number, to: number): Uint8Array | Promise<Uint8Array>;
}

/** A column at the top of the file's schema. */
export interface ParquetField {
  readonly name: string;
  /** Whether it has one value a row. */
  readonly flat: boolean;
}

/** A file's description, looked at. */
export interface ParquetFile {
  readonly source: ByteSource;
  readonly rows: number;
  readonly fields: readonly ParquetField[];
  readonly groups: readonly RowGroup[];
  readonly root: SchemaTree;
  readonly leaves: readonly SchemaTree[];
  /** Where the description begins. */
  readonly end: number;
}

const TAIL = 8;

/** Bytes in memory. */
export function inMemory({ buffer, byteOffset, length }: Uint8Array): ByteSource {
  // Where they are a Buffer of Node, `slice` of a part would be no copy.
  const bytes = new Uint8Array(buffer, byteOffset, length);
  return { length, read: (from, to) => bytes.subarray(from, to) };
}

/**
 * Reads the description at the end of a file.
 * @throws ParquetDamage if it contradicts itself, or what the reader throws.
 */
export async function openParquet(source: ByteSource): Promise<ParquetFile> {
  await loadPackages();
  const { length } = source;
  if (length < TAIL + 4) damaged("it is too short");
  const tail = await source.read(length - TAIL, length);
  const size = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true);
  if (size > length - TAIL - 4) damaged("it is too short");
  const end = length - TAIL - size;
  const description = (await source.read(end, length)).slice();
  const { buffer, byteOffset } = description;
  checkForm({ view: new DataView(buffer, byteOffset, size), offset: 0 }, FILE);
  const metadata = packages().parquetMetadata(description, { geoparquet: false });
  const root = packages().parquetSchema(metadata);
  const rows = checkCounts(metadata);
  const fields = root.children.map((field) => {
    const { element } = field;
    if (element.repetition_type === undefined) damaged("a column's type is impossible");
    if (element.name.includes("\ufffd")) damaged("a column's name is not UTF-8");
    const flat = packages().isFlatColumn([root, field]);
    if (flat) checkMeaning(element);
    return { name: element.name, flat };
  });
  if (new Set(fields.map(({ name }) => name)).size !== fields.length)
    damaged("two columns have one name");
  const leaves = leavesOf(root);
  const levels = levelsOf(root);
  for (const { columns } of metadata.row_groups) {
    if (columns.length !== leaves.length) damaged("a group has another number of columns");
    columns.forEach(({ meta_data: chunk }, i) => checkSizeStatistics(chunk!, levels[i]!));
  }
  return { source, rows, fields, groups: metadata.row_groups, root, leaves, end };
}

const leavesOf = (node: SchemaTree): SchemaTree[] =>
  node.children.length > 0 ? node.children.flatMap(leavesOf) : [node];

/** A flat column of a group. */
export interface FlatChunk {
  readonly name: string;
  readonly chunk: ColumnMetaData;
  readonly schemaPath: SchemaTree[];
}

/**
 * The flat columns of a group.
 * @throws ParquetDamage if it has other columns than the file.
 */
export function flatChunks({ root, leaves }: ParquetFile, { columns }: RowGroup): FlatChunk[] {
  return columns.flatMap(({ meta_data: chunk }, i) => {
    const leaf = leaves[i]!;
    if (chunk!.path_in_schema.join("\0") !== leaf.path.join("\0"))
      damaged("a group has other columns");
    const schemaPath = [root, leaf];
    if (!packages().isFlatColumn(schemaPath) || leaf.path.length > 1) return [];
    return [{ name: leaf.element.name, chunk: chunk!, schemaPath }];
  });
}

/**
 * Hands out the values of a column in one group, page by page, null where one is missing.
 * @throws ParquetDamage, or what the reader throws.
 */
export async function readChunk(
  { source, end }: ParquetFile,
  { chunk, schemaPath }: FlatChunk,
  take: (values: DecodedArray) => void,
): Promise<void> {
  const { element } = schemaPath.at(-1)!;
  if (chunk.type !== element.type) damaged("a column has another type");
  const decoder: ColumnDecoder = {
    type: chunk.type,
    pathInSchema: chunk.path_in_schema,
    element,
    schemaPath,
    parsers: parsers(),
    codec: "UNCOMPRESSED",
  };
  let dictionary: DecodedArray | undefined;
  let begun = false;
  const pages = pagesOf(await source.read(...rangeOf(chunk, end)), chunk);
  for await (const page of pages) {
    if (page.header.type === "DICTIONARY_PAGE") {
      if (dictionary || begun) damaged("a column has two dictionaries");
      dictionary = dictionaryOf(page, decoder);
    } else {
      const values = valuesOf(page, dictionary, decoder);
      begun ||= values.length > 0;
      take(values);
    }
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const parsers = (): ParquetParsers => ({
  ...packages().DEFAULT_PARSERS,
  ...dateParsers,
  stringFromBytes(bytes: Uint8Array) {
    try {
      return utf8.decode(bytes);
    } catch {
      return damaged("a text is not UTF-8");
    }
  },
});
