/**
 * Which types of stored values each meaning of a Parquet column may have.
 * https://github.com/apache/parquet-format/blob/master/LogicalTypes.md
 * @module
 */
import type { SchemaElement } from "hyparquet";
import { damaged } from "./damage.js";

const DECIMALS = ["INT32", "INT64", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"];
const ALL = [...DECIMALS, "BOOLEAN", "INT96", "FLOAT", "DOUBLE"];

/** By converted type, and by logical type where one has no other fields; other names are of groups of columns. */
const STORED: Readonly<Record<string, readonly string[]>> = {
  UTF8: ["BYTE_ARRAY"],
  STRING: ["BYTE_ARRAY"],
  ENUM: ["BYTE_ARRAY"],
  JSON: ["BYTE_ARRAY"],
  BSON: ["BYTE_ARRAY"],
  GEOMETRY: ["BYTE_ARRAY"],
  GEOGRAPHY: ["BYTE_ARRAY"],
  DECIMAL: DECIMALS,
  NULL: ALL,
  DATE: ["INT32"],
  TIME_MILLIS: ["INT32"],
  INT_8: ["INT32"],
  INT_16: ["INT32"],
  INT_32: ["INT32"],
  UINT_8: ["INT32"],
  UINT_16: ["INT32"],
  UINT_32: ["INT32"],
  INT_64: ["INT64"],
  UINT_64: ["INT64"],
  TIME_MICROS: ["INT64"],
  TIMESTAMP_MILLIS: ["INT64"],
  TIMESTAMP_MICROS: ["INT64"],
  TIMESTAMP: ["INT64"],
  INTERVAL: ["FIXED_LEN_BYTE_ARRAY"],
  UUID: ["FIXED_LEN_BYTE_ARRAY"],
  FLOAT16: ["FIXED_LEN_BYTE_ARRAY"],
};

/** @throws ParquetDamage if a flat column's meaning is none that its values can have. */
export function checkMeaning({
  type,
  converted_type: converted,
  logical_type: logical,
}: SchemaElement): void {
  const can = (name: string): readonly string[] => STORED[name] ?? [];
  let allowed = ALL;
  if (logical?.type === "INTEGER") {
    if (![8, 16, 32, 64].includes(logical.bitWidth)) damaged("a column's type is impossible");
    allowed = logical.bitWidth === 64 ? ["INT64"] : ["INT32"];
  } else if (logical?.type === "TIME") allowed = logical.unit === "MILLIS" ? ["INT32"] : ["INT64"];
  else if (logical?.type !== undefined) allowed = [...can(logical.type)];
  if (converted !== undefined) allowed = allowed.filter((name) => can(converted).includes(name));
  if (type === undefined || !allowed.includes(type)) damaged("a column's type is impossible");
}
