/**
 * What is used of the packages that read Parquet, and nothing of ours: a bundler makes one piece of it, loaded when needed.
 * @module
 */
export { parquetHeader } from "hyparquet/src/column.js";
export { convert, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
export { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from "hyparquet/src/delta.js";
export { byteStreamSplit, readRleBitPackedHybrid } from "hyparquet/src/encoding.js";
export { parquetMetadata, parquetSchema } from "hyparquet/src/metadata.js";
export { readPlain } from "hyparquet/src/plain.js";
export { isFlatColumn } from "hyparquet/src/schema.js";
export { snappyUncompress } from "hyparquet/src/snappy.js";
