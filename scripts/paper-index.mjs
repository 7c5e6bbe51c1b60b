/**
 * The index of the papers' figures and tables in docs/REPRODUCTION.md, from bench/paper/index: `node scripts/paper-index.mjs`
 * writes it between its marks; test/docs/paper-index.test.ts holds the page to the data.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import prettier from "prettier";
import { commandOf, INDEX, VERDICTS } from "../bench/paper/index/index.js";

export const PAGE = "docs/REPRODUCTION.md";
const MARKS = /(<!-- paper index -->\n)[\s\S]*?(<!-- \/paper index -->)/;

const row = (cells) => `| ${cells.join(" | ")} |`;

function rowOf(entry) {
  const command = commandOf(entry);
  return row([
    `\`${entry.id}\`${entry.unsettled ? " (?)" : ""}`,
    entry.shows,
    `**${VERDICTS[entry.verdict]}**: ${entry.why}`,
    entry.replicates > 0 ? String(entry.replicates) : "none",
    command ? entry.makes.map((name) => `\`${name}\``).join(", ") : "nothing to run",
  ]);
}

/** The page with its index made anew. */
export async function withIndex(page) {
  if (!MARKS.test(page)) throw new Error(`${PAGE}: no mark for the index of figures`);
  const head = ["figure or table", "what it shows", "verdict", "replicates", "made by"];
  const table = [row(head), row(head.map(() => "---")), ...INDEX.map(rowOf)].join("\n");
  const written = page.replace(MARKS, (_, begin, end) => `${begin}\n${table}\n\n${end}`);
  return prettier.format(written, { parser: "markdown", printWidth: 100 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = fileURLToPath(new URL(`../${PAGE}`, import.meta.url));
  writeFileSync(path, await withIndex(readFileSync(path, "utf8")));
}
