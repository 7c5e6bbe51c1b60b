/**
 * What a report says of guarantees and of what was spent.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = faultsIn("src/report", {
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
