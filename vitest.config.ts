import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { builtModules, requireFresh, wantsBuilt } from "./test/built-modules.js";
import { LongestFirst } from "./test/longest-first.js";

const all = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".test.ts"))
  .map((path) => join("test", path).replaceAll("\\", "/"));
const textsWith = (pattern: RegExp) =>
  all.filter((path) => pattern.test(readFileSync(path, "utf8")));

/** Tests that put others in the place of modules or clocks: none of it may reach other tests. */
const replacing = textsWith(/\bvi\.(mock|useFakeTimers)\(/);

/** Files of which a part runs only where all tests are asked for, in which case they take most of the time. */
const long = textsWith(/\/thorough\.js"|describeThorough|describePartOfReference/);
/** MP_MTL_FILES: "long" runs these alone, "short" the others, as .ci/run has it. */
const files = process.env["MP_MTL_FILES"];
const leftOut = all.filter(
  (path) => files !== undefined && long.includes(path) !== (files === "long"),
);

const built = wantsBuilt();
if (built) requireFresh();

/** What the machine remembers of records while tests run: not in the home of who runs them. */
const states = mkdtempSync(join(tmpdir(), "mp-mtl-test-states-"));
process.once("exit", () => rmSync(states, { recursive: true, force: true }));

export default defineConfig({
  // The package's own import, taken from the sources instead of from dist/.
  resolve: {
    alias: { "#kernels": new URL("src/core/builds/packed-bytes.ts", import.meta.url).pathname },
  },
  test: {
    // What tests import is loaded, and the kernels are compiled, once a process and not once a file.
    projects: [
      {
        extends: true,
        plugins: built ? [builtModules] : [],
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...replacing, ...leftOut],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "apart",
          include: replacing,
          exclude: [...configDefaults.exclude, ...leftOut],
        },
      },
    ],
    env: { XDG_STATE_HOME: states },
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
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/core/bytes/**", "src/core/builds/workerd.ts", "src/**/index.ts"],
      reporter: ["text-summary", "html"],
      thresholds: { lines: 88, functions: 85, branches: 78 },
    },
  },
});
