/**
 * A fault written by hand: a mistake that somebody could make, and the promise that it breaks.
 * @module
 */

/** What is written, what stands there instead, and why that is wrong. */
export interface Change {
  /** Exact text; it occurs once in its file. */
  readonly from: string;
  readonly to: string;
  /** What holds without the fault, in a sentence. */
  readonly breaks: string;
}

/** A change and its file, by its path from the project's folder. */
export interface Fault extends Change {
  readonly file: string;
}

/** The faults of a folder's files. */
export const faultsIn = (
  folder: string,
  files: Readonly<Record<string, readonly Change[]>>,
): Fault[] =>
  Object.entries(files).flatMap(([name, changes]) =>
    changes.map((change) => ({ file: `${folder}/${name}`, ...change })),
  );
