/**
 * From tables to what other tasks are given, and what is said of it.
 * @module
 */
import { faultsIn } from "./fault.js";

const READ = faultsIn("src/data", {
  "schema/table-roles.ts": [
    {
      from: "decided: decides",
      to: "decided: decides && features.length === 0",
      breaks: "Kinds of columns that were found by looking at all rows are listed.",
    },
  ],
  "columns/column-encoding.ts": [
    {
      from: '{ what: `levels of the column ${column} observed over all tasks`, from: "pooled" }',
      to: '{ what: `levels of the column ${column} observed over all tasks`, from: "declared" }',
      breaks: "Levels that were found in all rows are listed.",
    },
    {
      from: '(fills ? "level" : "refuse")',
      to: '(fills ? (table.hasGaps(column) ? "level" : "zeros") : "refuse")',
      breaks: "Whether a declared category has a column for gaps does not depend on rows.",
    },
  ],
  "columns/number-column.ts": [
    {
      from: "for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {\n    const value",
      to: "for (let at = 0; at < rows.length; at++) {\n    const value",
      breaks: "A task's gaps are filled by its own mean.",
    },
  ],
  "columns/categorical.ts": [
    {
      from: "canonicalLevel(text, table.decimalCommas));",
      to: "canonicalLevel(text));",
      breaks: "Which level a cell is does not depend on its column's other cells.",
    },
    {
      from: "return number === undefined ? cell : String(number);",
      to: "return number === undefined ? text : String(number);",
      breaks:
        "Which level a percentage with a decimal comma is does not depend on its column's other cells.",
    },
  ],
  "table/cells.ts": [
    {
      from: "hasDecimalComma(withoutPercent(text)) ? text.replace",
      to: "hasDecimalComma(text) ? text.replace",
      breaks:
        "Which level a percentage with a decimal comma is does not depend on its column's other cells.",
    },
  ],
  "encode/table-encoding.ts": [
    {
      from: "Object.entries(encoding.means).filter(([name]) => name === task)",
      to: "Object.entries(encoding.means)",
      breaks: "No task is given the means of others.",
    },
  ],
  "schema/missing-codes.ts": [
    {
      from: "own(name) ?? (naming.has(name) ? [] : common)",
      to: "own(name) ?? common",
      breaks: "A code of the whole table is none of a column that names something.",
    },
    {
      from: "return isUnused(column) ? [] : column.missingCodes;",
      to: "return column.missingCodes;",
      breaks: "An unused column has no codes.",
    },
  ],
});

const GIVEN = faultsIn("src/learning/fitted/task", {
  "models-of-tasks.ts": [
    {
      from: "posterior: mixtureOf(components, i),",
      to: "posterior: mixtureOf(components, i),\n    pooled: model.objective,",
      breaks: "No owner is given a figure of all tasks' rows.",
    },
    {
      from: "weights.slice(i * parameters, (i + 1) * parameters)",
      to: "weights.subarray(i * parameters, (i + 1) * parameters)",
      breaks: "A clone of an owner's model takes no memory of other tasks' along.",
    },
  ],
});

const SAID = faultsIn("src/cli", {
  "tables/prepare-data.ts": [
    {
      from: "notCharged: byData",
      to: "notCharged: byData && loss === undefined",
      breaks: "A loss that was chosen by the values of the target is listed.",
    },
  ],
  "tables/words/raw-columns.ts": [
    {
      from: " and is not charged: for the curator only",
      to: "",
      breaks: "What was seen in all rows without a charge says whom it is for.",
    },
  ],
  "fit/document.ts": [
    {
      from: "  ...POOLED_FIGURES,\n",
      to: "",
      breaks: "Scores on all tasks' rows are for the curator only, as the document says.",
    },
  ],
  "fitted/remarks.ts": [
    {
      from: " by a mean over all tasks that is not charged: for the curator only",
      to: "",
      breaks: "A mean over all tasks says whom it is for.",
    },
  ],
});

export const FAULTS = [...READ, ...GIVEN, ...SAID];
