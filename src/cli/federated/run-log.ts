/**
 * What a command says while a run goes on, on standard error: lines for people, or JSON.
 * @module
 */
import { appendFileSync } from "node:fs";
import { explained } from "../../node/files/explain-write.js";
import type { CommonValues } from "../options/common-options.js";
import type { Context } from "../options/command.js";
import { printable, printableLine } from "../terminal/printable.js";

/** Says what happened: `event` for programs, a line or several for people. Neither holds data. */
export type Log = (event: object, lines: string | readonly string[]) => void;

/** The log in the form that `--progress` asks for; with "none" there is nothing. */
export function openLog(values: object, { io, progress }: Context): Log {
  const { progress: mode } = values as CommonValues;
  const now = () => new Date().toISOString();
  if (mode === "none") return () => undefined;
  if (mode === "json") {
    return (event) => io.stderr(`${printable(JSON.stringify({ time: now(), event }))}\n`);
  }
  return (_event, lines) => {
    progress.end(); // a bar is drawn anew below the line
    for (const line of typeof lines === "string" ? [lines] : lines) {
      io.stderr(`${printableLine(line)}\n`); // names of others are in it
    }
  };
}

/** The same log, every event of which is also appended to a file for its owner, if there is one. */
export function audited(log: Log, file: string | undefined): Log {
  if (file === undefined) return log;
  return (event, lines) => {
    const line = `${printable(JSON.stringify({ time: new Date().toISOString(), event }))}\n`;
    explained(file, () => appendFileSync(file, line, { mode: 0o600, flush: true }));
    log(event, lines);
  };
}
