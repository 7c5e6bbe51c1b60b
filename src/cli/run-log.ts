/**
 * What a command says while a run goes on, on standard error: lines for people, or JSON.
 * @module
 */
import type { CommonValues } from "./common-options.js";
import type { Context } from "./command.js";
import { printable, printableLine } from "./printable.js";

/** Says what happened: `event` for programs, a line or several for people. Neither holds data. */
export type Log = (event: object, lines: string | readonly string[]) => void;

/** The log in the form that `--progress` asks for; with "none" there is nothing. */
export function openLog(values: object, { io, progress }: Context): Log {
  const { progress: mode } = values as CommonValues;
  if (mode === "none") return () => undefined;
  if (mode === "json") return (event) => io.stderr(`${printable(JSON.stringify({ event }))}\n`);
  return (_event, lines) => {
    progress.end(); // a bar is drawn anew below the line
    for (const line of typeof lines === "string" ? [lines] : lines) {
      io.stderr(`${printableLine(line)}\n`); // names of others are in it
    }
  };
}
