/**
 * The form of a Parquet file's descriptions: which fields each must have and may have, and of which types.
 * https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
 * @module
 */

export type Kind = "bool" | "i8" | "i32" | "i64" | "binary" | Enumeration | Form | readonly [Kind];
/** One of a numbered list of names, an i32. */
export interface Enumeration {
  readonly names: number;
}
/** Fields by their number; others are passed over. */
export interface Form {
  readonly must: Readonly<Record<number, Kind>>;
  readonly may?: Readonly<Record<number, Kind>>;
  /** Exactly one of the fields that may be, and no other. */
  readonly union?: true;
}

const statistics: Form = {
  must: {},
  may: {
    1: "binary",
    2: "binary",
    3: "i64",
    4: "i64",
    5: "binary",
    6: "binary",
    7: "bool",
    8: "bool",
  },
};
const empty: Form = { must: {} };
const unit: Form = { must: {}, may: { 1: empty, 2: empty, 3: empty }, union: true };
const instant: Form = { must: { 1: "bool", 2: unit } };
/** LogicalType: what the values mean. */
const meaning: Form = {
  must: {},
  may: {
    1: empty,
    2: empty,
    3: empty,
    4: empty,
    6: empty,
    11: empty,
    12: empty,
    13: empty,
    14: empty,
    15: empty,
    16: empty,
    17: empty,
    18: empty,
    5: { must: { 1: "i32", 2: "i32" } },
    7: instant,
    8: instant,
    10: { must: { 1: "i8", 2: "bool" } },
  },
  union: true,
};
const keyValue: Form = { must: { 1: "binary" }, may: { 2: "binary" } };
const schemaElement: Form = {
  must: { 4: "binary" },
  may: {
    1: { names: 8 },
    2: "i32",
    3: { names: 3 },
    5: "i32",
    6: { names: 22 },
    7: "i32",
    8: "i32",
    9: "i32",
    10: meaning,
  },
};
const columnMetadata: Form = {
  must: {
    1: "i32",
    2: ["i32"],
    3: ["binary"],
    4: "i32",
    5: "i64",
    6: "i64",
    7: "i64",
    9: "i64",
  },
  may: {
    8: [keyValue],
    10: "i64",
    11: "i64",
    12: statistics,
    13: [{ must: { 1: "i32", 2: "i32", 3: "i32" } }],
    14: "i64",
    15: "i32",
    16: { must: {}, may: { 1: "i64", 2: ["i64"], 3: ["i64"] } },
  },
};
const column: Form = {
  must: { 2: "i64" },
  may: { 1: "binary", 3: columnMetadata, 4: "i64", 5: "i32", 6: "i64", 7: "i32" },
};
const rowGroup: Form = {
  must: { 1: [column], 2: "i64", 3: "i64" },
  may: { 4: [{ must: { 1: "i32", 2: "bool", 3: "bool" } }], 5: "i64", 6: "i64" },
};

/** FileMetaData. */
export const FILE: Form = {
  must: { 1: "i32", 2: [schemaElement], 3: "i64", 4: [rowGroup] },
  may: { 5: [keyValue], 6: "binary" },
};

/** PageHeader. */
export const PAGE: Form = {
  must: { 1: "i32", 2: "i32", 3: "i32" },
  may: {
    4: "i32",
    5: { must: { 1: "i32", 2: "i32", 3: "i32", 4: "i32" }, may: { 5: statistics } },
    7: { must: { 1: "i32", 2: "i32" }, may: { 3: "bool" } },
    8: {
      must: { 1: "i32", 2: "i32", 3: "i32", 4: "i32", 5: "i32", 6: "i32" },
      may: { 7: "bool", 8: statistics },
    },
  },
};
