/**
 * Processor time of every test file, with that of its processes, where MP_MTL_TIMES names a file to write to: a machine that does
 * other things, too, says by the clock nothing of a test. Linux only.
 * @module
 */
import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, expect } from "vitest";

/** Seconds that this process and those of its that ended have taken so far. */
function seconds(): number {
  // user, system, and both of children: fields 14 to 17, in hundredths; the name before them may hold blanks.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)!.split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
}

const out = process.env["MP_MTL_TIMES"];
if (out !== undefined) {
  const before = seconds();
  afterAll(() => {
    const file = relative(process.cwd(), expect.getState().testPath!);
    appendFileSync(out, `${(seconds() - before).toFixed(2)} ${file}\n`);
  });
}
