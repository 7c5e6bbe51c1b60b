/**
 * The figures of the papers, by name.
 *
 *   npm run paper -- NAME|all [--full] [--replicates R] [--finished] [--out DIR] [--workers N]
 *     [--data-folder DIR]
 *
 * Quick: 3 replicates, minutes in all. --full: 100, and more rounds where a figure says so;
 * --replicates: another number. Every figure is written as SVG and as JSON, all of a run also as one
 * page, index.html. Finished cells are kept whatever is stopped, and used again by every later run
 * with the same settings, quick or full: a run goes on where another was. --finished draws what there
 * is and runs no further cell.
 */
import { performance } from "node:perf_hooks";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { reportHtml } from "../../build/modules/report/index.js";
import { MissingData } from "./data.js";
import {
  ageingFigure,
  landmineFigure,
  numberOfTasks,
  privacyAccuracyGroupSparse,
  privacyAccuracyLowRank,
  schoolFigures,
} from "./figures/accuracy.js";
import { budgetAlpha, budgetQ } from "./figures/budget.js";
import { leakage } from "./figures/leakage.js";
import { noiseToSignal } from "./figures/noise-to-signal.js";
import { olderNoise, olderNoiseAlpha } from "./figures/older-noise.js";
import { pmtlFemnist } from "./figures/pmtl.js";
import { relationships } from "./figures/relationships.js";
import { tuningFigures } from "./figures/tuning.js";
import { Harness } from "./harness.js";

const FIGURES = {
  leakage,
  relationships,
  "budget-alpha": budgetAlpha,
  "budget-Q": budgetQ,
  "noise-to-signal": noiseToSignal,
  tuning: tuningFigures,
  "privacy-accuracy-low-rank": privacyAccuracyLowRank,
  "privacy-accuracy-group-sparse": privacyAccuracyGroupSparse,
  "older-noise": olderNoise,
  "older-noise-alpha": olderNoiseAlpha,
  "number-of-tasks": numberOfTasks,
  school: schoolFigures,
  landmine: landmineFigure,
  ageing: ageingFigure,
  "pmtl-femnist": pmtlFemnist,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: "boolean", default: false },
    replicates: { type: "string" },
    finished: { type: "boolean", default: false },
    out: { type: "string" },
    workers: { type: "string" },
    "data-folder": { type: "string" },
  },
});
const names = positionals.includes("all") ? Object.keys(FIGURES) : positionals;
const unknown = names.filter((name) => !(name in FIGURES));
if (names.length === 0 || unknown.length > 0) {
  const said = unknown.length > 0 ? `unknown: ${unknown.join(", ")}; ` : "";
  console.error(`${said}expected all or names out of ${Object.keys(FIGURES).join(", ")}`);
  process.exit(2);
}

const here = fileURLToPath(new URL(".", import.meta.url));
const out = values.out ?? join(here, "results", values.full ? "full" : "quick");
const controller = new AbortController();
process.once("SIGINT", () => controller.abort());
const count = (name) => (values[name] === undefined ? undefined : Number(values[name]));
const harness = new Harness({
  ...{ out, full: values.full, finished: values.finished, signal: controller.signal },
  ...{ replicates: count("replicates"), workers: count("workers") },
  cells: values.out === undefined ? join(here, "results", "cells") : join(out, "cells"),
});
harness.dataFolder = values["data-folder"] ?? join(here, "../../../shared/data");

const figures = [];
try {
  for (const name of names) {
    const started = performance.now();
    try {
      for (const figure of await FIGURES[name](harness)) {
        await harness.save(figure);
        figures.push(figure);
      }
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${name}: ${seconds} s`);
    } catch (error) {
      if (!(error instanceof MissingData)) throw error;
      console.log(`${name}: left out, ${error.message}`);
    }
  }
} catch (error) {
  if (!controller.signal.aborted) throw error;
  console.error("\ninterrupted; the same command goes on from here");
  process.exit(130);
}
if (figures.length > 0) {
  const page = reportHtml({
    title: "Figures of the papers, made again",
    // What each comes down to stands in its caption.
    conclusion: [],
    notes: [
      `${harness.replicates} replicates. Noise is seeded: these models protect no one. Hyper-parameters were chosen outside the budget.`,
    ],
    command: harness.command(positionals.join(" ")),
    ...{ tables: [], figures },
  });
  await mkdir(out, { recursive: true });
  await writeFile(join(out, "index.html"), page);
  console.log(`figures in ${out}`);
}
