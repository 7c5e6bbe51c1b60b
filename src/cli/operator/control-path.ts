/**
 * Where the curator of a run listens for its operator: a socket in the folder of the run's state, and on Windows, whose files
 * cannot be sockets for Node, a named pipe.
 *
 * A pipe lies in no folder, so its name is of the folder's path. It has the system's default permissions: besides its owner and
 * administrators nobody may write to it, and so nobody else may ask.
 * @module
 */
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";

/** Hexadecimal digits of a pipe's name: no two folders meet by chance. */
const DIGITS = 32;

/** The place. */
export interface ControlPath {
  readonly path: string;
  /** Whether a file is there, which a process that was killed leaves behind. */
  readonly isFile: boolean;
}

/**
 * @param folder of the run's state, relative to the working directory or not.
 * @param platform Node's name of the system; default: of this one.
 */
export function controlPath(folder: string, platform: string = process.platform): ControlPath {
  if (platform !== "win32") return { path: join(folder, ".control.sock"), isFile: true };
  // Names of files there are the same in capitals.
  const name = createHash("sha256").update(resolve(folder).toLowerCase()).digest("hex");
  return { path: `\\\\.\\pipe\\mp-mtl-${name.slice(0, DIGITS)}`, isFile: false };
}
