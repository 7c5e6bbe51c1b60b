/**
 * Tables come from files: their name says the format, and some commands read them twice.
 * @module
 */
import { statSync } from "node:fs";
import { DataError } from "../../core/errors.js";

/** Standard input and other open files by their numbers, as shells name them. */
const BY_NUMBER = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/[^/]+\/fd\/\d+)$/;

function isFile(path: string): boolean | undefined {
  try {
    const found = statSync(path);
    return found.isFile() || found.isDirectory();
  } catch {
    return undefined; // reading says why
  }
}

/**
 * Before a path of an unknown format is opened, which of a pipe would wait for whoever writes to it.
 * @throws DataError saying what to do, where it is standard input, a pipe or a device.
 */
export function refusePipe(path: string): void {
  const isFound = isFile(path);
  if (path === "-" ? isFound === true : isFound !== false && !BY_NUMBER.test(path)) return;
  throw new DataError(
    `${path} is standard input, a pipe or a device: tables are read from files, some of them twice. Write the rows to a file whose ` +
      "name says what they are (cat > rows.csv), and name that one.",
  );
}
