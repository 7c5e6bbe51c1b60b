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
});

export const FAULTS = [...REPORTS, ...EVALUATIONS, ...PAGE];
