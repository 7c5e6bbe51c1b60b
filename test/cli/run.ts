/**
 * The command line, run inside a test.
 * @module
 */
import { main } from "../../src/cli/run.js";
import { testIo } from "./io.js";

/** Runs it with these arguments: its exit code, and what it wrote. */
export async function run(...args: string[]) {
  const io = testIo();
  const code = await main(args, io);
  return { code, out: io.out(), err: io.err() };
}
