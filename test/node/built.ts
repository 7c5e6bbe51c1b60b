/**
 * Child processes that use the built package, which `npm test` makes first.
 * @module
 */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";

const entry = new URL("../../dist/node/index.js", import.meta.url);
export const builtEntry = entry.href;
export const isBuilt = existsSync(entry);

/** A process and what it wrote. */
export interface Child {
  readonly process: ChildProcess;
  /** What it wrote to standard output so far. */
  out(): string;
  /** Resolves once it has written something. */
  readonly begun: Promise<void>;
  /** What it came to: exit code, output, errors. */
  readonly ended: Promise<{ code: number | null; out: string; err: string }>;
}

/** Runs an ES module; `dist/node` is imported as `mpmtl`. */
export function runScript(body: string, ...args: string[]): Child {
  const script = `import * as mpmtl from ${JSON.stringify(builtEntry)};
    import { writeSync } from "node:fs"; const args = process.argv.slice(1); ${body}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, ...args]);
  let out = "";
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => (err += String(chunk)));
  const begun = new Promise<void>((resolve) =>
    child.stdout.on("data", (chunk: Buffer) => {
      out += String(chunk);
      resolve();
    }),
  );
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, out, err })),
  );
  return { process: child, out: () => out, begun, ended };
}
