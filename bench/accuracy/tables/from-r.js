/**
 * Writes tables of R's packages, with splits and typical ranges, where `bench:tables` reads them: tables that no constant of the
 * methods was settled on but where docs/RESULTS.md says so.
 *
 *   npm run bench:r-tables -- [--folder build/r-tables] && npm run bench:tables -- --data-folder build/r-tables
 *
 * Takes what is there of mlmRev, nlme, MASS, plm, carData, AER, HSAUR3, lme4, geepack, brms, ordinal and lmerTest (Debian: r-cran-mlmrev and so on).
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: {
    folder: {
      type: "string",
      default: fileURLToPath(new URL("../../../build/r-tables", import.meta.url)),
    },
  },
});
mkdirSync(`${options.folder}/splits`, { recursive: true });
const script = fileURLToPath(new URL("./from-r.R", import.meta.url));
const run = spawnSync("Rscript", [script, options.folder], {
  stdio: ["ignore", "inherit", "inherit"],
});
if (run.error) {
  console.error("Rscript: not on this machine; R with its packages is needed to read their tables");
  process.exitCode = 1;
} else process.exitCode = run.status ?? 1;
