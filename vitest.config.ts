import { fileURLToPath } from "node:url";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import {
  builtModules,
  LOADED_AS_THEY_ARE,
  requireFresh,
  wantsBuilt,
} from "./test/built-modules.js";
import { LongestFirst } from "./test/longest-first.js";
import { memoryFolder } from "./test/memory-folder.js";
import { phaseOf } from "./test/phases.js";

/** MP_MTL_FILES: "servers" and "long" run the files of which a part is left out otherwise, "short" the others, as .ci/run has it. */
const { shared, apart } = phaseOf(process.env["MP_MTL_FILES"]);

const built = wantsBuilt();
if (built) requireFresh();

/** What the machine remembers of records while tests run: not in the home of who runs them. */
const states = mkdtempSync(join(memoryFolder, "mp-mtl-test-states-"));
process.once("exit", () => rmSync(states, { recursive: true, force: true }));

export default defineConfig({
  // The package's own import, taken from the sources instead of from dist/.
  resolve: {
    alias: {
      "#kernels": fileURLToPath(new URL("src/core/builds/packed-bytes.ts", import.meta.url)),
    },
  },
  test: {
    // What tests import is loaded, and the kernels are compiled, once a process and not once a file.
    projects: [
      {
        extends: true,
        plugins: built ? [builtModules] : [],
        test: {
          name: "shared",
          include: [...shared],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "apart",
          include: [...apart],
        },
      },
    ],
    server: { deps: { external: built ? [LOADED_AS_THEY_ARE] : [] } },
    // What is so, whatever was asked for.
    env: {
      XDG_STATE_HOME: states,
      MP_MTL_RUN_FOLDER: states,
      MP_MTL_MODULES: built ? "built" : "sources",
    },
    setupFiles: [
      "test/setup.ts",
      ...(process.env["MP_MTL_TIMES"] ? ["test/processor-time.ts"] : []),
    ],
    // By their names, the files that need a process of their own before those that share one.
    sequence: { sequencer: LongestFirst },
    // Many tests wait for servers, browsers and processes: no core is kept free.
    maxWorkers: "100%",
    testTimeout: 60_000,
    // Packing and installing take their time on a busy machine.
    hookTimeout: 60_000,
    coverage: {
      ...(built
        ? { provider: "custom", customProviderModule: "./test/counted-modules.ts" }
        : { provider: "v8" }),
      include: [built ? "build/modules/**/*.js" : "src/**/*.ts"],
      exclude: ["core/bytes/**", "core/builds/workerd.*", "**/index.*"].map(
        (path) => `${built ? "build/modules" : "src"}/${path}`,
      ),
      reporter: ["text-summary", "html"],
      thresholds: { lines: 88, functions: 85, branches: 78 },
    },
  },
});
