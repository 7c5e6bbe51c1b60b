/**
 * What the JSON that we write says of itself: the name of its layout and a version.
 * @module
 */
import { DataError } from "./errors.js";

/** The first two members of a document. */
export interface FileFormat {
  /** Name of the layout. */
  readonly format: string;
  /** Counts up when a layout changes so that older releases would misread it. */
  readonly version: number;
}

/**
 * Lets through what this release reads.
 *
 * @param what  names the document in errors.
 * @param found what was read.
 * @throws DataError if it is of another layout or version, saying which.
 */
export function checkFormat(what: string, found: object, { format, version }: FileFormat): void {
  const { format: is, version: at } = found as Partial<FileFormat>;
  if (is !== format || !Number.isInteger(at)) {
    throw new DataError(`${what}: expected the format ${format} with a version; it is not one.`);
  }
  if (at !== version) {
    throw new DataError(
      `${what}: format version ${at}, this release reads version ${version}` +
        (at! > version ? "; use a newer mp-mtl." : "."),
    );
  }
}

/** As {@link checkFormat}, for documents that carried neither name nor version when they were of version 1. */
export function checkOldFormat(what: string, found: object, expected: FileFormat): void {
  if ("format" in found || "version" in found) checkFormat(what, found, expected);
  else checkFormat(what, { ...expected, version: 1 }, expected);
}
