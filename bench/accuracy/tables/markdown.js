/** Tables in Markdown, row by row. */

export const row = (cells) => console.log(`| ${cells.join(" | ")} |`);

/** Heads of a table, and the line under them. */
export function head(columns) {
  console.log("");
  row(columns);
  row(columns.map(() => "---"));
}
