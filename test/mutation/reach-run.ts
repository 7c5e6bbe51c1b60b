/**
 * A process that runs test files on marked sources once, and ends: `node build/mutation-reach-run.mjs TEST...`. What was
 * reached is appended to the file named by MP_MTL_REACH.
 * @module
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { createVitest } from "vitest/node";
import { marked } from "./probes.js";
import { SCOPES, sourcesOf } from "./scope.js";

const root = process.cwd();
const sources = new Set(SCOPES.flatMap(sourcesOf));
const vitest = await createVitest(
  "test",
  {
    root,
    config: "test/mutation/vitest.config.ts",
    include: ["test/**/*.test.ts"],
    watch: false,
    maxWorkers: 1,
    pool: "threads",
    reporters: [{}],
    testTimeout: 240_000,
    coverage: { enabled: false },
    setupFiles: ["test/mutation/worker-setup.ts"],
  },
  {
    plugins: [
      {
        name: "marks",
        enforce: "pre",
        load: (id) => {
          const file = relative(root, id.split("?")[0]!).replaceAll("\\", "/");
          if (!sources.has(file)) return undefined;
          return { code: marked(file, readFileSync(file, "utf8")), map: null };
        },
      },
    ],
  },
);
await vitest.standalone();
const specifications = await vitest.globTestSpecifications(process.argv.slice(2));
await vitest.runTestSpecifications(specifications);
process.exit(0);
