/**
 * Where curators and participants keep what must outlive them, unless told otherwise: a folder of the user's, which does
 * not depend on where a command is typed.
 * @see the XDG Base Directory Specification ("state": what must survive restarts and is nobody's document).
 * @module
 */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** A folder below `$XDG_STATE_HOME/mp-mtl`; without that variable below `~/.local/state`, on Windows `%LOCALAPPDATA%`. */
export function stateFolder(...parts: readonly string[]): string {
  const { XDG_STATE_HOME: given, LOCALAPPDATA: local } = process.env;
  // The specification has relative paths ignored.
  if (given !== undefined && isAbsolute(given)) return join(given, "mp-mtl", ...parts);
  const home = process.platform === "win32" && local ? local : join(homedir(), ".local", "state");
  return join(home, "mp-mtl", ...parts);
}
