/**
 * From the flags of `data-options.ts` to a table and to what is said of its columns.
 * @module
 */
import { DataError, OptionError } from "../../core/index.js";
import {
  parseSchema,
  type DataSchema,
  type FeatureKind,
  type Table,
  type TableSchema,
} from "../../data/index.js";
import { formatOf, isText } from "../../data/read/index.js";
import { readBytes } from "../../node/files/read-bytes.js";
import { readTable } from "../../node/tables/read-table.js";
import { readJson } from "../words/read-json.js";
import type { DataValues } from "./data-options.js";

/** The values with which a table of text is read. */
export type TableFormatValues = Pick<DataValues, "delimiter" | "decimal">;

/** Reads a table as the flags say it is written. */
export function openTable(path: string, values: Partial<TableFormatValues>): Promise<Table> {
  return readTable(path, readOptionsFor(path, values));
}

/** How a file is read; of one that is no text the flags say how tables made of it are written. */
export function readOptionsFor(path: string, values: Partial<TableFormatValues>) {
  const format = formatOf(path);
  return format === undefined || isText(format) ? readOptionsOf(values) : {};
}

/** How a table of text is written. */
export const readOptionsOf = ({ delimiter, decimal }: Partial<TableFormatValues>) => ({
  ...(delimiter === undefined ? {} : { delimiter: delimiter === "tab" ? "\t" : delimiter }),
  ...(decimal === undefined ? {} : { decimal }),
});

/**
 * Reads a schema file.
 * @throws DataError naming the file, and in it the column and member that is not as expected.
 */
export async function readSchema(path: string): Promise<DataSchema> {
  const bytes = await readBytes(path);
  let found: unknown;
  try {
    found = readJson(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new DataError(
      `${path}: ${(cause as Error).message}; \`mp-mtl inspect --out FILE\` drafts a schema.`,
      { cause },
    );
  }
  return parseSchema(found, path);
}

/**
 * What the options say of the table's columns.
 * @throws OptionError if the task or the target is named nowhere.
 */
export async function schemaOf(
  values: DataValues,
  targetKind: TableSchema["targetKind"],
): Promise<TableSchema & { task: string; target: string }> {
  const { features, categorical = [], hexPixels, missing, ranges, sparse } = values;
  const schema = ranges === undefined ? undefined : await readSchema(ranges);
  const usual = usualRoles(values.data);
  const task = values.task ?? schema?.task ?? usual.task;
  const target = values.target ?? schema?.target?.column ?? usual.target;
  const absent = [
    ...(task === undefined ? ["task"] : []),
    ...(target === undefined ? ["target"] : []),
  ];
  if (task === undefined || target === undefined) {
    throw new OptionError(absent.map((name) => `--${name} is needed.`).join("\n"));
  }
  const kinds: Record<string, FeatureKind> = {};
  for (const name of categorical) kinds[name] = "category";
  if (hexPixels !== undefined) kinds[hexPixels] = "hex-digits";
  return {
    task,
    target,
    kinds,
    missing,
    undeclared: "auto",
    ...(schema ? { schema } : {}),
    ...(values.person === undefined ? {} : { person: values.person }),
    ...(values.weights === undefined ? {} : { weights: values.weights }),
    ...(targetKind ? { targetKind } : {}),
    ...(features ? { features } : {}),
    ...(values.missingCodes ? { missingCodes: values.missingCodes } : {}),
    ...(sparse ? { sparse } : {}),
  };
}

/** The columns that a file of sparse rows has. */
export const SPARSE_ROLES = { task: "qid", target: "target" } as const;

/** What the roles are where nobody says so. */
export function usualRoles(data: string | undefined): Partial<typeof SPARSE_ROLES> {
  return data !== undefined && formatOf(data) === "svmlight" ? SPARSE_ROLES : {};
}
