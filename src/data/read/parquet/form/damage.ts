/**
 * The error of a Parquet file that contradicts itself; the reader puts the file's name before it.
 * @module
 */
export class ParquetDamage extends Error {}

/** @throws ParquetDamage */
export function damaged(what: string): never {
  throw new ParquetDamage(what);
}
