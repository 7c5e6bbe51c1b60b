/**
 * Reads the columns of a Parquet file whose values are numbers, booleans or text; loads the packages for it.
 * @module
 */
import type { ColumnMetaData, DecodedArray, ParquetParsers, SchemaTree } from "hyparquet";
import type { ColumnDecoder } from "hyparquet/src/types.js";
import { checkCounts, checkValues } from "./checks.js";
import { damaged } from "./damage.js";
import { loadPackages, packages } from "./loaded.js";
import { checkMeaning } from "./logical-types.js";
import { pagesOf } from "./pages.js";
import type { Place } from "./runs.js";
import { checkForm, FILE } from "./thrift-form.js";
import { dictionaryOf, valuesOf } from "./values.js";

/** What stands for the values of a nested column, which is refused by name later. */
const NESTED = {};

/**
 * Values of every column, by its name; null is a missing value.
 * @param name of the file, for its errors.
 * @throws ParquetDamage if the file contradicts itself, or what the reader throws.
 */
export async function readColumns(file: Uint8Array, name: string): Promise<Map<string, unknown[]>> {
  await loadPackages();
  checkForm(descriptionIn(file), FILE);
  const metadata = packages().parquetMetadata(file, { geoparquet: false });
  const root = packages().parquetSchema(metadata);
  const rows = checkCounts(name, metadata, root.children.length);
  const columns = new Map<string, unknown[]>();
  for (const { element } of root.children) {
    if (element.repetition_type === undefined) damaged("a column's type is impossible");
    if (element.name.includes("\ufffd")) damaged("a column's name is not UTF-8");
    columns.set(element.name, []);
  }
  if (columns.size !== root.children.length) damaged("two columns have one name");
  for (const field of root.children) {
    const values = columns.get(field.element.name)!;
    if (packages().isFlatColumn([root, field])) checkMeaning(field.element);
    else for (let i = 0; i < rows; i++) values.push(NESTED);
  }
  const leaves = leavesOf(root);
  const end = file.length - 8 - metadata.metadata_length;
  for (const { columns: chunks } of metadata.row_groups) {
    if (chunks.length !== leaves.length) damaged("a group has another number of columns");
    for (const [i, { meta_data: chunk }] of chunks.entries()) {
      const leaf = leaves[i]!;
      if (chunk!.path_in_schema.join("\0") !== leaf.path.join("\0"))
        damaged("a group has other columns");
      if (!packages().isFlatColumn([root, leaf]) || leaf.path.length > 1) continue;
      await readChunk(file, chunk!, [root, leaf], end, columns.get(leaf.element.name)!);
    }
  }
  return columns;
}

/** Where the file's description begins; its view ends with it. */
function descriptionIn({ buffer, byteOffset, length }: Uint8Array): Place {
  if (length < 12) damaged("it is too short");
  const size = new DataView(buffer, byteOffset + length - 8).getUint32(0, true);
  if (size > length - 12) damaged("it is too short");
  return { view: new DataView(buffer, byteOffset, length - 8), offset: length - 8 - size };
}

const leavesOf = (node: SchemaTree): SchemaTree[] =>
  node.children.length > 0 ? node.children.flatMap(leavesOf) : [node];

/** Appends the values of a column in one group. */
async function readChunk(
  file: Uint8Array,
  chunk: ColumnMetaData,
  schemaPath: SchemaTree[],
  end: number,
  column: unknown[],
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
  const start = column.length;
  for await (const page of pagesOf(file, chunk, end)) {
    if (page.header.type === "DICTIONARY_PAGE") {
      if (dictionary || column.length > start) damaged("a column has two dictionaries");
      dictionary = dictionaryOf(page, decoder);
    } else {
      const values = valuesOf(page, dictionary, decoder);
      for (const value of values) column.push(value);
    }
  }
  checkValues(column, start, chunk.statistics);
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const parsers = (): ParquetParsers => ({
  ...packages().DEFAULT_PARSERS,
  stringFromBytes(bytes: Uint8Array) {
    try {
      return utf8.decode(bytes);
    } catch {
      return damaged("a text is not UTF-8");
    }
  },
});
