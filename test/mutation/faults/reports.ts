/**
 * What a report says of guarantees and of what was spent.
 * @module
 */
import { faultsIn } from "./fault.js";

const REPORTS = faultsIn("src/report", {
  "guarantee-word.ts": [
    {
      from: 'if (own && epsilon !== null) return "not known";',
      to: "",
      breaks: "Nothing is said of the privacy of somebody's own method.",
    },
  ],
  "accuracy.ts": [
    {
      from: 'row.tuning === "cv" && row.holds !== null ? "cv, not charged" : row.tuning',
      to: "row.tuning",
      breaks: "A report says that cross-validation was not charged.",
    },
  ],
  "spending.ts": [
    {
      from: "{ ...ledger.toJSON(), entries: [] }",
      to: "ledger.toJSON()",
      breaks: "What was spent is shown from nothing on.",
    },
  ],
});

const EVALUATIONS = faultsIn("src/cli/evaluation", {
  "findings/promise.ts": [
    {
      from: "const learned = learnedIn(cells);",
      to: "const learned: string[] = [];",
      breaks: "What an evaluation says of a promise names what fits learned of columns uncharged.",
    },
    {
      from: 'tuning === "cv");',
      to: "tuning === undefined);",
      breaks: "A promise leaves out a choice by cross-validation, and says so.",
    },
  ],
  "cells/run-cell.ts": [
    {
      from: "learned: learnedOf(guarantee.notCharged),",
      to: "learned: [],",
      breaks: "Results hold what their fits list as learned without a charge.",
    },
  ],
  "cells/results-file.ts": [
    {
      from: '"dataDigest" in configuration;',
      to: '"simulated" in configuration;',
      breaks: "Results of somebody's rows, and their report, are readable by one user alone.",
    },
  ],
  "findings/report.ts": [
    {
      from: "const { dataDigest: _, ...configuration } = all;",
      to: "const configuration = all;",
      breaks: "A report has no digest of the rows it is of.",
    },
  ],
  "findings/remarks.ts": [
    {
      from: 'const { remark } = readDelta(Math.max(...deltas), rows, "record");',
      to: "const { remark } = readDelta(Math.max(...deltas), sizes.m);",
      breaks: "An evaluation holds a delta of records to the number of records.",
    },
  ],
  "plan/plan-cells.ts": [
    {
      from: "...(notCharged.length > 0 ? { notCharged } : {}),",
      to: "",
      breaks: "A loss that was found in all tasks' targets is listed by the fits of an evaluation.",
    },
  ],
});

const PAGE = faultsIn("page/src/work", {
  "read-as-written.ts": [
    {
      from: "decided: written.decimal === undefined ? [] : [SIGN],",
      to: 'decided: written.decimal === "," ? [SIGN] : [],',
      breaks: "A decimal sign that was looked for in all rows is listed, whatever was found.",
    },
  ],
  "fit.ts": [
    {
      from: "notCharged: data.notCharged ?? [],",
      to: "",
      breaks: "What reading a file took from all rows is in the guarantee that the page shows.",
    },
  ],
  "life.ts": [
    {
      from: 'mark("failed");',
      to: "mark(`failed: ${cause.message}`);",
      breaks: "What a worker died of, which may name values, is not on the page's timeline.",
    },
  ],
});

const WARNINGS = faultsIn("src/cli", {
  "fitted/remarks.ts": [
    {
      from: 'ofRecords(unit === "record" ? data.size : data.m, data.size, delta)',
      to: 'ofRecords(unit === "record" ? data.size : data.m, data.m, delta)',
      breaks:
        "Who hides records is warned of a delta that is too large for so many, before it is spent.",
    },
  ],
  "fit/text.ts": [
    {
      from: 'guarantee.kind === "joint" && guarantee.private ? "is paid for"',
      to: 'guarantee.kind === "joint" ? "is paid for"',
      breaks: "A seeded fit, which protects no one, is not called paid for.",
    },
  ],
  "fit/document.ts": [
    {
      from: '  "threads",\n',
      to: "",
      breaks: "How many threads a fit took is for the curator only.",
    },
  ],
  "account/records.ts": [
    {
      from: 'readDelta(known, m * perTask, "record").remark,',
      to: 'readDelta(known, m, "record").remark,',
      breaks: "What records are promised is held to the number of records.",
    },
  ],
});

const WEIGHTS = faultsIn("src/data/schema", {
  "sample-weights.ts": [
    {
      from: "(parseNumber(cell) ?? NaN);",
      to: "NaN;",
      breaks: "A weight is read by itself, however those of others are written.",
    },
  ],
});

const PLANS = faultsIn("src/federation/protocol/words", {
  "plan-prospects.ts": [
    {
      from: 'typeof delta === "number" && delta > LARGEST',
      to: 'typeof delta === "number" && delta > 1e-3',
      breaks: "Who is to agree to a plan is told of a delta that may show records by their number.",
    },
  ],
});

export const FAULTS = [...REPORTS, ...EVALUATIONS, ...PAGE, ...WARNINGS, ...WEIGHTS, ...PLANS];
