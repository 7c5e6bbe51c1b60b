/** The fits from a command line: `main.js [build]` prints their digests as JSON. */
import { run } from "./fit.js";

const build = globalThis.process.argv[2];
console.log(JSON.stringify(await run(build)));
