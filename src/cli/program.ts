/**
 * Runs the command line of this process.
 * @module
 */
import { processIo } from "./terminal/io.js";
import { main } from "./run.js";

// Not process.exit: what is still being written to a pipe would be lost.
process.exitCode = await main(process.argv.slice(2), processIo());
