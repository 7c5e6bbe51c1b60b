/**
 * The figures and tables of the papers, by number or by name; HELP below says how.
 */
import { performance } from "node:perf_hooks";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { reportHtml } from "../../build/modules/report/index.js";
import { MissingData } from "./data.js";
import { EXPERIMENTS } from "./experiments.js";
import { Harness } from "./harness.js";
import {
  experimentsBehind,
  experimentsOf,
  INDEX,
  namesLike,
  STATEMENTS,
  VERDICTS,
} from "./index/index.js";

const HELP = `npm run paper -- NAME... [options]

  NAME              a figure or table by its number (mp-mtl-fig-6, pmtl-table-1), a statement (mp-mtl-rivals), an experiment, or all
  --list            all names, what they show or say, and our verdicts
  --replicates R    of each cell; default 3 (quick)
  --full            100 replicates, and more rounds where a figure says so: hours
  --finished        draw what there is and run no further cell
  --workers N       processes; default one a core
  --out DIR         where figures go; default bench/paper/results
  --data-folder DIR of the papers' real data; default ../shared/data beside the clone

Every figure is written as SVG, JSON and CSV, all of a run also as one page, index.html. Finished cells are kept
whatever is stopped, and used again by every later run with the same settings.
`;

const OPTIONS = {
  full: { type: "boolean", default: false },
  replicates: { type: "string" },
  finished: { type: "boolean", default: false },
  out: { type: "string" },
  workers: { type: "string" },
  "data-folder": { type: "string" },
  list: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
};

/** Ends with what is wrong with the arguments. */
function refuse(text) {
  console.error(`${text}\n--list shows all names, --help the options`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: OPTIONS });
  } catch (error) {
    return refuse(error.message);
  }
}

function list() {
  for (const { id, shows, verdict, makes } of INDEX) {
    console.log(`${id}\n    ${shows}\n    ${VERDICTS[verdict]}`);
    if (makes.length > 0) console.log(`    made by ${makes.join(", ")}`);
  }
  console.log("\nstatements:\n");
  for (const statement of STATEMENTS) {
    const { id, says, verdict, found } = statement;
    const made = experimentsBehind(statement);
    console.log(`${id}\n    ${says}\n    ${VERDICTS[verdict]}: ${found}`);
    if (made.length > 0) console.log(`    made by ${made.join(", ")}`);
  }
  console.log(`\nexperiments: ${Object.keys(EXPERIMENTS).join(", ")}`);
}

const { values, positionals } = readArguments();
if (values.help || values.list) {
  if (values.help) console.log(HELP);
  if (values.list) list();
  process.exit(0);
}
const { experiments: names, refused } = experimentsOf(positionals, Object.keys(EXPERIMENTS));
if (refused.length > 0) {
  const meant = (name) => {
    const like = namesLike(name, Object.keys(EXPERIMENTS));
    return like.length > 0 ? `; did you mean ${like.join(" or ")}?` : "";
  };
  const said = refused.map(({ name, why }) =>
    why === "unknown" ? `unknown: ${name}${meant(name)}` : `${name}: nothing to run (${why})`,
  );
  refuse(`${said.join("\n")}\nexperiments: ${Object.keys(EXPERIMENTS).join(", ")}`);
}
if (names.length === 0) refuse("expected the name of a figure, table or experiment, or all");

/** A whole number from 1 on, or undefined where the option is not given. */
function count(name) {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(text)) refuse(`--${name}: expected a whole number from 1 on, got ${text}`);
  return Number(text);
}

const here = fileURLToPath(new URL(".", import.meta.url));
const out = values.out ?? join(here, "results", values.full ? "full" : "quick");
const controller = new AbortController();
process.once("SIGINT", () => controller.abort());
const harness = new Harness({
  out,
  full: values.full,
  finished: values.finished,
  signal: controller.signal,
  replicates: count("replicates"),
  workers: count("workers"),
  cells: values.out === undefined ? join(here, "results", "cells") : join(out, "cells"),
});
harness.dataFolder = values["data-folder"] ?? join(here, "../../../shared/data");

const figures = [];
try {
  for (const name of names) {
    const started = performance.now();
    try {
      for (const figure of await EXPERIMENTS[name](harness)) {
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
  const { replicates } = harness;
  // The relative error of a standard deviation of n draws is 1 / sqrt(2 (n - 1)).
  const few =
    replicates >= 10
      ? []
      : [
          `Of ${replicates} replicates standard errors are themselves unsure by ${replicates > 1 ? `${Math.round(100 / Math.sqrt(2 * (replicates - 1)))} %` : "any factor"}: compare shapes, not digits; --full makes 100.`,
        ];
  const page = reportHtml({
    title: "Figures of the papers, made again",
    // What each comes down to stands in its caption.
    conclusion: [],
    notes: [
      `${replicates} replicates. Noise is seeded: these models protect no one. Hyper-parameters were chosen outside the budget.`,
      ...few,
    ],
    command: harness.command(positionals.join(" ")),
    tables: [],
    figures,
  });
  await mkdir(out, { recursive: true });
  await writeFile(join(out, "index.html"), page);
  console.log(`figures in ${out}: index.html, and each as SVG, CSV and JSON, with standard errors`);
  for (const remark of few) console.log(remark);
}
