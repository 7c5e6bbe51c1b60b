/**
 * A report as one HTML file that needs nothing else: no script, no font, no network.
 * @module
 */
import { csvText, forSpreadsheets } from "../data/table/csv-text.js";
import { decimalAbove } from "../privacy/accounting/rounding.js";
import { CHART_STYLE, escapeText } from "../charts/index.js";
import type { Figure, FigureTable } from "./figure.js";
import { figureMarkup, RENDER_STYLE } from "./render.js";

/** A table of its own, without a figure. */
export interface ReportTable extends FigureTable {
  readonly name: string;
  readonly title: string;
  readonly caption: string;
}

/** A sentence of the guarantee, under a heading where it has one. */
export type Statement = string | { readonly title: string; readonly text: string };

/** What a report is made of, in the order in which it is shown. */
export interface Report {
  readonly title: string;
  /** What it comes down to, in sentences; on top. */
  readonly conclusion: readonly string[];
  /** What is promised, beside it: a claim, then what limits it. Left out where nothing is. */
  readonly guarantee?: readonly Statement[];
  /** What was done, and what is to be known about it. */
  readonly notes: readonly string[];
  /** The command that made the results. */
  readonly command: string;
  readonly tables: readonly ReportTable[];
  readonly figures: readonly Figure[];
  /** Everything that determines the results, shown as JSON at the end. */
  readonly configuration?: unknown;
}

const STYLE = `
:root { color-scheme: light dark; --ground: #fff; --text: #1c1f22; --raised: #f4f4f2; --rule: #d9dbd8; --link: #0b5a8f;
  --shade: #9a9d9f; }
@media screen and (prefers-color-scheme: dark) { :root { --ground: #16191c; --text: #e7e9ea; --raised: #1f2428;
  --rule: #343a40; --link: #7cc0f2; --shade: #757b80; } }
body { font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  color: var(--text); background: var(--ground); max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
a { color: var(--link); }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; font-size: .85rem; } td, th { padding: .15rem .45rem;
  border-bottom: 1px solid var(--rule); text-align: left; } td:first-child { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; } td.number { white-space: nowrap; } thead th { border-bottom: 2px solid var(--text); }
figure { margin: 0; break-inside: avoid; }
.top { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; } .top > * { flex: 1 1 16rem; }
.top > .guarantee { flex: 2 1 26rem; }
.top h2 { margin-top: .6rem; } .conclusion p { font-size: 1.1rem; }
.guarantee { border-left: 4px solid var(--rule); padding-left: 1rem; font-size: .9rem; }
.guarantee p { margin: .35rem 0; }
figcaption, .caption { max-width: 46rem; } figcaption { margin-top: .4rem; } details { margin-top: .6rem; } .scroll { overflow: auto; max-height: 24rem; }
.scroll { background: linear-gradient(90deg, var(--ground) 30%, transparent) left / 2rem 100% no-repeat local,
  linear-gradient(-90deg, var(--ground) 30%, transparent) right / 2rem 100% no-repeat local,
  linear-gradient(90deg, var(--shade), transparent) left / .7rem 100% no-repeat scroll,
  linear-gradient(-90deg, var(--shade), transparent) right / .7rem 100% no-repeat scroll; }
code, pre { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .85rem;
  background: var(--raised); } pre { padding: .6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
@media screen and (min-width: 64rem) { section > .scroll { width: max-content; min-width: 100%; max-width: calc(100vw - 3rem);
  position: relative; left: 50%; transform: translateX(-50%); } }
@media print { body { margin: 0; max-width: none; } details, .screen { display: none; }
  .scroll { overflow: visible; max-height: none; background: none; } table { font-size: .6rem; } td, th { padding: .1rem .3rem; } }
`;

/** Columns of promises, which are rounded up. */
const PROMISED: readonly string[] = ["eps", "epsilon", "delta"];

/** Four significant digits; the CSV has all. */
function shown(cell: number | null, column: string): string {
  if (cell === null) return "–";
  return String(PROMISED.includes(column) ? decimalAbove(cell, 4) : Number(cell.toPrecision(4)));
}

/** Long names may be broken where a word of theirs begins. */
const heading = (name: string) => escapeText(name).replaceAll(/(?<=[a-z])(?=[A-Z])/g, "<wbr>");

/** An error of a column stands right of its value, in one cell: the CSV has columns of both. */
function tableHtml({ columns, rows }: FigureTable): string {
  const isError = (k: number) => k > 0 && columns[k] === `${columns[k - 1]!} se`;
  const all = [...columns.keys()];
  const head = all.flatMap((k) => {
    if (isError(k)) return [];
    const numbers = rows.every((row) => typeof row[k] !== "string");
    const name = heading(columns[k]!) + (isError(k + 1) ? " ± se" : "");
    return [`<th scope="col"${numbers ? ' class="number"' : ""}>${name}</th>`];
  });
  const body = rows.map((row) => {
    const cells = all.flatMap((k) => {
      const cell = row[k]!;
      if (isError(k)) return [];
      if (typeof cell === "string") return [`<td>${escapeText(cell)}</td>`];
      const error = isError(k + 1) ? row[k + 1] : null;
      const around = typeof error === "number" ? ` ± ${Number(error.toPrecision(2))}` : "";
      return [`<td class="number">${shown(cell, columns[k]!)}${around}</td>`];
    });
    return `<tr>${cells.join("")}</tr>`;
  });
  return `<table><thead><tr>${head.join("")}</tr></thead>\n<tbody>${body.join("\n")}</tbody></table>`;
}

/**
 * The numbers, carried by the link itself; what a link can hold as it is stays so, which is shorter. Names come from the data, and people
 * open the file in a spreadsheet.
 */
function download(name: string, { columns, rows }: FigureTable): string {
  const text = [
    ...csvText(
      columns.map(forSpreadsheets),
      rows.map((row) =>
        row.map((cell) => (typeof cell === "string" ? forSpreadsheets(cell) : (cell ?? ""))),
      ),
    ),
  ].join("");
  const href = `data:text/csv;charset=utf-8,${encodeURI(text).replaceAll("#", "%23")}`;
  return `<a class="screen" download="${escapeText(name)}.csv" href="${escapeText(href)}">${escapeText(name)}.csv</a>`;
}

/** The table without the columns that hold nothing, or nothing but zeros. */
function filled({ columns, rows }: FigureTable): FigureTable {
  const says = (k: number) => rows.some((row) => row[k] !== null && row[k] !== 0);
  const kept = columns.flatMap((_, k) => (says(k) ? [k] : []));
  return {
    columns: kept.map((k) => columns[k]!),
    rows: rows.map((row) => kept.map((k) => row[k]!)),
  };
}

/** Tables of more cells than this are in the download only. */
const MOST_CELLS = 2000;

function dataHtml(name: string, table: FigureTable): string {
  const count = table.rows.length;
  const rows =
    count * table.columns.length <= MOST_CELLS
      ? `<div class="scroll" tabindex="0" role="region" aria-label="Data: ${escapeText(name)}">${tableHtml(table)}</div>`
      : `<p>${count} rows: see the file.</p>`;
  return `<details><summary>Data</summary>\n${rows}</details>\n<p>${download(name, table)}</p>`;
}

/** @param known the command that stands above, which is not said again. */
function figureHtml(figure: Figure, known: string): string {
  const { name, title, caption, command, table } = figure;
  return `<section id="${escapeText(name)}">
<h2>${escapeText(title)}</h2>
<figure>
${figureMarkup(figure)}
<figcaption>${escapeText(caption)}</figcaption>
</figure>
${command === known ? "" : `<pre>${escapeText(command)}</pre>\n`}${dataHtml(name, filled(table))}
</section>`;
}

function reportTableHtml({ name, title, caption, ...all }: ReportTable): string {
  const table = filled(all);
  return `<section id="${escapeText(name)}">
<h2>${escapeText(title)}</h2>
<p class="caption">${escapeText(caption)}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${escapeText(title)}">${tableHtml(table)}</div>
<p>${download(name, table)}</p>
</section>`;
}

const paragraphs = (statements: readonly Statement[]) =>
  statements
    .map((one) =>
      typeof one === "string"
        ? `<p>${escapeText(one)}</p>`
        : `<p><strong>${escapeText(one.title)}.</strong> ${escapeText(one.text)}</p>`,
    )
    .join("\n");

/** What it comes down to, and what is promised. */
function topHtml({ conclusion, guarantee = [] }: Report): string {
  const box = (name: string, title: string, texts: readonly Statement[]) =>
    texts.length === 0
      ? ""
      : `<section class="${name}">\n<h2>${title}</h2>\n${paragraphs(texts)}\n</section>\n`;
  return `<div class="top">\n${box("conclusion", "In short", conclusion)}${box("guarantee", "What is promised", guarantee)}</div>`;
}

/** The whole report. The same report gives the same text. */
export function reportHtml(report: Report): string {
  const { title, notes, command, tables, figures, configuration } = report;
  const parts = [
    ...tables.map(reportTableHtml),
    ...figures.map((figure) => figureHtml(figure, command)),
  ];
  if (configuration !== undefined) {
    const text = escapeText(JSON.stringify(configuration, null, 2));
    parts.push(`<details><summary>Configuration</summary><pre>${text}</pre></details>`);
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeText(title)}</title>
<style>${STYLE}${CHART_STYLE}
${RENDER_STYLE}</style>
</head>
<body>
<main>
<h1>${escapeText(title)}</h1>
${topHtml(report)}
${parts.join("\n")}
<section id="notes">
<h2>How it was made</h2>
${paragraphs(notes)}
<pre>${escapeText(command)}</pre>
</section>
</main>
</body>
</html>
`;
}
