/**
 * What stands under the keys of records, and the keys of parts of records that are too long for one message of the server.
 *
 * A writer that is killed before its record counts leaves parts that no record names, and so does the second of two curators that
 * write one record. Every key has the record's number: once that record is there, whatever other parts have its number are nobody's,
 * since no writer can come to name them.
 * @module
 */

/** First byte of a record's value: what follows is the record, or names its parts. Older releases wrote 0, 1 and 3. */
export const WHOLE = 2;
export const IN_PARTS = 4;

/** Six digits at least, so that keys sort as numbers do. */
export const recordNumber = (record: number) => String(record).padStart(6, "0");

/** The key of one part. @param id of the writer's attempt at that record. */
export const partKey = (record: number, id: string, part: number) =>
  `part.${recordNumber(record)}.${id}.${part}`;

/** Of these keys those that are nobody's. @param named the attempt that each record names, up to the last one. */
export function strayParts(
  keys: readonly string[],
  last: number,
  named: ReadonlyMap<number, string>,
): string[] {
  return keys.filter((key) => {
    const [, record, id] = key.split(".");
    return Number(record) <= last && named.get(Number(record)) !== id;
  });
}

/** A value: its kind, the tag, then the record or what names its parts. */
export function recordValue(kind: number, tag: Uint8Array, content: Uint8Array): Uint8Array {
  const value = new Uint8Array(1 + tag.length + content.length);
  value[0] = kind;
  value.set(tag, 1);
  value.set(content, 1 + tag.length);
  return value;
}
