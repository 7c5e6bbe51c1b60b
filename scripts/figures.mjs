/**
 * The pictures of the documents: `npm run figures` writes docs/figures/*.svg anew.
 *
 *   npm run figures
 *   npm run figures -- --measured DIR/privacy-accuracy-low-rank.json
 *   npm run figures -- --page
 *
 * Most are drawn from the code. Some are drawn from tables of documents: shares and owners from docs/RESULTS-MIXED.md, records from
 * docs/RESULTS-RECORDS.md, the gains of threads from docs/PERFORMANCE-THREADS.md, the ratios of kernels from docs/PERFORMANCE-KERNELS.md. The
 * accuracy is drawn from docs/figures/accuracy.json, for which `--measured` takes new numbers from what
 * `npm run paper -- privacy-accuracy-low-rank --replicates 5 --out DIR` wrote; the
 * file says with which command they were measured. test/docs/figures.test.ts holds the files to this script. `--page` also takes
 * docs/figures/page.png of the playground, in Chromium: noise and fonts are the machine's, so nothing holds that file to a script.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import prettier from "prettier";
import { accuracy, kept } from "./figures/accuracy.mjs";
import { folders, foldersOfDataAndCommands } from "./figures/folders.mjs";
import { kernels } from "./figures/kernels.mjs";
import { owners } from "./figures/owners.mjs";
import { records } from "./figures/records.mjs";
import { round } from "./figures/round.mjs";
import { shares } from "./figures/shares.mjs";
import { threads } from "./figures/threads.mjs";
import { whoSeesWhat } from "./figures/who-sees-what.mjs";

const folder = new URL("../docs/figures/", import.meta.url);
const DATA = new URL("accuracy.json", folder);
const RESULTS = new URL("../docs/RESULTS-MIXED.md", import.meta.url);
const PERFORMANCE = new URL("../docs/PERFORMANCE-THREADS.md", import.meta.url);
const KERNELS = new URL("../docs/PERFORMANCE-KERNELS.md", import.meta.url);
const RECORDS = new URL("../docs/RESULTS-RECORDS.md", import.meta.url);

/** File names and contents of all pictures, drawn with the modules src/report and src/charts given. */
export async function figures(report, charts) {
  return {
    "round.svg": round(),
    "who-sees-what.svg": whoSeesWhat(),
    "folders.svg": folders(),
    "folders-data-cli.svg": foldersOfDataAndCommands(),
    "accuracy.svg": await accuracy(JSON.parse(readFileSync(DATA, "utf8")), report),
    "shares.svg": shares(readFileSync(RESULTS, "utf8"), report, charts),
    "kernels.svg": kernels(readFileSync(KERNELS, "utf8"), report, charts),
    "threads.svg": threads(readFileSync(PERFORMANCE, "utf8"), report, charts),
    "owners.svg": owners(readFileSync(RESULTS, "utf8"), report, charts),
    "records.svg": records(readFileSync(RECORDS, "utf8"), report, charts),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { measured: { type: "string" }, page: { type: "boolean", default: false } },
  });
  mkdirSync(folder, { recursive: true });
  if (values.measured !== undefined) {
    const results = JSON.parse(readFileSync(values.measured, "utf8"));
    const text = JSON.stringify(kept(results));
    writeFileSync(DATA, await prettier.format(text, { parser: "json", printWidth: 100 }));
  }
  const report = await import("../build/modules/report/index.js");
  const charts = await import("../build/modules/charts/index.js");
  for (const [name, svg] of Object.entries(await figures(report, charts))) {
    writeFileSync(new URL(name, folder), svg);
    console.log(`docs/figures/${name}`);
  }
  if (values.page) {
    const { picturePage } = await import("./figures/page.mjs");
    await picturePage(fileURLToPath(new URL("page.png", folder)));
    console.log("docs/figures/page.png");
  }
}
