/**
 * Records as bytes in a file: each with its length and digest.
 * @module
 */
import { createHash } from "node:crypto";
import { DataError } from "../core/errors.js";

/** Bytes before a record: its length in 4, then the first 8 of the content's SHA-256. */
export const RECORD_HEADER = 12;

function digest(content: Uint8Array): Buffer {
  return createHash("sha256").update(content).digest().subarray(0, 8);
}

/** A record with its header. */
export function frameRecord(content: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([length, digest(content), content]);
}

/**
 * Whole records from the start of the file, and how many bytes they take.
 * @throws DataError if one of full length is damaged.
 */
export function readRecords(
  path: string,
  bytes: Buffer,
): { records: Uint8Array[]; length: number } {
  const records: Uint8Array[] = [];
  let at = 0;
  while (at + RECORD_HEADER <= bytes.length) {
    const end = at + RECORD_HEADER + bytes.readUInt32LE(at);
    if (end > bytes.length) break;
    const content = bytes.subarray(at + RECORD_HEADER, end);
    if (!digest(content).equals(bytes.subarray(at + 4, at + RECORD_HEADER))) {
      throw new DataError(
        `${path}: record ${records.length + 1} is damaged, and what it released cannot be drawn ` +
          `again; restore the file from a copy, or start another run with a budget of its own`,
      );
    }
    records.push(Uint8Array.from(content));
    at = end;
  }
  return { records, length: at };
}
