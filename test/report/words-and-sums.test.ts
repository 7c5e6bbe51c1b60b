/** What a report says of guarantees and tuning, and how it sums what was spent. */
import { expect, test } from "vitest";
import { Ledger, pureEvent } from "../../src/privacy/index.js";
import { accuracyTable, type AccuracyRow } from "../../src/report/accuracy.js";
import { guaranteeWord } from "../../src/report/guarantee-word.js";
import { reportHtml } from "../../src/report/html.js";
import { spentByRelease } from "../../src/report/spending.js";

test("a guarantee is said of what is known, and of somebody's own method nothing is", () => {
  expect(guaranteeWord({ epsilon: 1, holds: true })).toBe("if not seeded");
  expect(guaranteeWord({ epsilon: 1, holds: false })).toBe("DOES NOT HOLD");
  expect(guaranteeWord({ epsilon: null, holds: null })).toBe("-");
  expect(guaranteeWord({ epsilon: 1, holds: true, own: true })).toBe("not known");
  expect(guaranteeWord({ epsilon: null, holds: null, own: true })).toBe("-");
});

test("cross-validation of a private method is said not to be charged", () => {
  const row = (holds: boolean | null, tuning: AccuracyRow["tuning"]): AccuracyRow => ({
    method: "m",
    epsilon: holds === null ? null : 1,
    replicates: 2,
    metrics: { nmse: { mean: 0.5, standardError: 0.1 } },
    gainOnSingleTask: null,
    delta: null,
    mechanism: null,
    holds,
    tuning,
  });
  const { columns, rows } = accuracyTable([row(true, "cv"), row(true, "private"), row(null, "cv")]);
  const at = columns.indexOf("tuning");
  expect(rows.map((cells) => cells[at])).toEqual(["cv, not charged", "private", "cv"]);
  expect(rows.map((cells) => cells[columns.indexOf("nmse se")])).toEqual([0.1, 0.1, 0.1]);
});

test("what was spent grows from the first release on, and leaves the ledger as it is", () => {
  const ledger = new Ledger({ epsilon: 3, delta: 0, adjacency: "replace" });
  [0.5, 1, 0.25].forEach((epsilon, k) => ledger.charge(pureEvent({ epsilon }), { round: k + 1 }));
  const spent = spentByRelease(ledger);
  [0.5, 1.5, 1.75].forEach((epsilon, k) => expect(spent[k]).toBeCloseTo(epsilon, 9));
  expect(spent).toHaveLength(3);
  expect(ledger.entries).toHaveLength(3);
});

test("an error stands in the cell of its value, and has a column of its own in the download", () => {
  const html = reportHtml({
    title: "t",
    conclusion: [],
    notes: [],
    command: "c",
    figures: [],
    tables: [
      {
        name: "results",
        title: "Results",
        caption: "",
        columns: ["method", "nmse", "nmse se", "perTask se"],
        rows: [
          ["a", 0.512345, 0.01234, 2],
          ["b", 0.5, null, 3],
        ],
      },
    ],
  });
  const cells = [...html.matchAll(/<t[hd](?: [^>]*)?>(.*?)<\/t[hd]>/g)].map(([, text]) => text);
  expect(cells).toEqual([
    "method",
    "nmse ± se",
    "per<wbr>Task se",
    "a",
    "0.5123 ± 0.012",
    "2",
    "b",
    "0.5",
    "3",
  ]);
  expect(html).toContain("method,nmse,nmse%20se,perTask%20se");
});
