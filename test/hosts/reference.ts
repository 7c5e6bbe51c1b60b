/**
 * What the fits give in the Node that runs the tests; every other host must give the same.
 * @module
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Command } from "./available.js";

/** What `main.js` prints. */
export interface Digests {
  readonly build: string;
  readonly digests: Record<string, string>;
}

/** Runs the fits with a command; `build` as `initialize` takes it. */
export async function runFits(command: Command, scratch: string, build?: string): Promise<Digests> {
  const [executable, ...before] = command;
  const args = [...before, join(scratch, "main.js"), ...(build ? [build] : [])];
  const { stdout } = await promisify(execFile)(executable, args, { cwd: scratch });
  return JSON.parse(stdout) as Digests;
}

const known = new Map<string, Promise<Digests>>();

/** The digests in this Node, for a build of the kernels; computed once per file. */
export function reference(scratch: string, build?: string): Promise<Digests> {
  const key = build ?? "";
  if (!known.has(key)) known.set(key, runFits([process.execPath], scratch, build));
  return known.get(key)!;
}
