/**
 * Parquet by groups of rows, for whoever reads a file from where it lies.
 * @module
 */
export { ParquetDamage } from "./parquet/form/damage.js";
export { openParquet, type ByteSource, type ParquetFile } from "./parquet/file.js";
export { packedSize, readGroup } from "./parquet/groups.js";
