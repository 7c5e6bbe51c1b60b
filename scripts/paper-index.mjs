/**
 * The index of the papers' figures, tables and statements in docs/REPRODUCTION.md, from bench/paper/index: `node scripts/paper-index.mjs`
 * writes it between its marks; test/docs/paper-index.test.ts holds the page to the data.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import prettier from "prettier";
import { INDEX, STATEMENTS, VERDICTS } from "../bench/paper/index/index.js";

export const PAGE = "docs/REPRODUCTION.md";

const row = (cells) => `| ${cells.join(" | ")} |`;
const tableOf = (head, rows) => [row(head), row(head.map(() => "---")), ...rows].join("\n");
const nameOf = ({ id, unsettled }) => `\`${id}\`${unsettled ? " (?)" : ""}`;
const madeBy = (names) =>
  names.length > 0 ? names.map((name) => `\`${name}\``).join(", ") : "nothing to run";

const figures = () =>
  tableOf(
    ["figure or table", "what it shows", "verdict", "replicates", "made by"],
    INDEX.map((entry) =>
      row([
        nameOf(entry),
        entry.shows,
        `**${VERDICTS[entry.verdict]}**: ${entry.why}`,
        entry.replicates > 0 ? String(entry.replicates) : "none",
        madeBy(entry.makes),
      ]),
    ),
  );

const statements = () =>
  tableOf(
    ["statement", "what the paper says", "verdict", "made by"],
    STATEMENTS.map((statement) =>
      row([
        nameOf(statement),
        statement.says,
        `**${VERDICTS[statement.verdict]}**: ${statement.found}`,
        statement.entry ? `\`${statement.entry}\`` : madeBy(statement.makes),
      ]),
    ),
  );

/** What is made, by the name of its marks. */
const PARTS = { "paper index": figures, "paper statements": statements };

/** The page with its tables made anew. */
export async function withIndex(page) {
  let written = page;
  for (const [name, make] of Object.entries(PARTS)) {
    const marks = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
    if (!marks.test(written)) throw new Error(`${PAGE}: no mark for ${name}`);
    written = written.replace(marks, (_, begin, end) => `${begin}\n${make()}\n\n${end}`);
  }
  return prettier.format(written, { parser: "markdown", printWidth: 100 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = fileURLToPath(new URL(`../${PAGE}`, import.meta.url));
  writeFileSync(path, await withIndex(readFileSync(path, "utf8")));
}
