/**
 * Counts what tests reach of the modules of the build (test/built-modules.ts), for .ci/run: sources would have to be compiled again, in
 * the tests and once more for the count. Where lines are to be looked at, `npm run coverage` counts the sources.
 * @module
 */
import { readFile } from "node:fs/promises";
import { Session } from "node:inspector";
import type { Profiler } from "node:inspector";
import v8 from "@vitest/coverage-v8";
import { LOADED_AS_THEY_ARE } from "./built-modules.js";

/** The process's own: before a file with modules of its own this module, too, is loaded again. */
const KEPT = Symbol.for("mp-mtl: what tests reach");
const kept = globalThis as { [KEPT]?: Session };

function startCoverage(): void {
  if (kept[KEPT]) return;
  const session = (kept[KEPT] = new Session());
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
}

/** What was reached since it was last asked. */
function takeCoverage(): Promise<{ result: Profiler.ScriptCoverage[] }> {
  return new Promise((resolve, reject) => {
    kept[KEPT]!.post("Profiler.takePreciseCoverage", (error, { result }) => {
      if (error) reject(error);
      else resolve({ result: result.filter(({ url }) => LOADED_AS_THEY_ARE.test(url)) });
    });
  });
}

/** The code that was loaded is that of the file. */
const transformFile = async (path: string) => ({ code: await readFile(path, "utf8"), map: null });

export default {
  startCoverage,
  takeCoverage,
  stopCoverage: () => undefined,
  getProvider: async () => Object.assign(await v8.getProvider(), { transformFile }),
};
