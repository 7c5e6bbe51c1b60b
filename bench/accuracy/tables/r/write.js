/**
 * Writes tables of R's packages, with splits and typical ranges, where the benches of tables read them: tables that no constant of the
 * methods was settled on but where docs/RESULTS-MIXED.md says so.
 *
 *   npm run bench:r-tables -- [--parts first,classes] [--folder build/r-tables] && npm run bench:tables -- --data-folder build/r-tables
 *   npm run bench:r-tables -- --parts more --folder build/more-r-tables && npm run bench:against-alone -- --data-folder build/more-r-tables
 *   npm run bench:r-tables -- --parts fresh --folder build/fresh-r-tables && npm run bench:tables -- --data-folder build/fresh-r-tables
 *
 * Takes what is there of the packages that the parts (the files *.R here) name, and says which are not (Debian: r-cran-mlmrev and so on).
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "../../../parse-args.js";

const { values: options } = parseArgs({
  options: {
    parts: { type: "string", default: "first,classes" },
    folder: {
      type: "string",
      default: fileURLToPath(new URL("../../../../build/r-tables", import.meta.url)),
    },
  },
});
mkdirSync(`${options.folder}/splits`, { recursive: true });
const script = fileURLToPath(new URL("./main.R", import.meta.url));
const run = spawnSync("Rscript", [script, options.folder, ...options.parts.split(",")], {
  stdio: ["ignore", "inherit", "inherit"],
});
if (run.error) {
  console.error("Rscript: not on this machine; R with its packages is needed to read their tables");
  process.exitCode = 1;
} else process.exitCode = run.status ?? 1;
