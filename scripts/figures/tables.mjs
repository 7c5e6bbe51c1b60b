/** Tables of documents, read for the pictures that are drawn from them. */

/**
 * The first table with these columns: its rows, each a list of cells, and where in them a column stands.
 * @throws Error if there is none.
 */
export function tableWith(text, names) {
  const lines = text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const at = lines.findIndex((cells) => names.every((name) => cells.includes(name)));
  if (at < 0) throw new Error(`expected a table with columns ${names.join(" and ")}, found none`);
  const below = lines.slice(at + 2);
  const end = below.findIndex((cells) => cells.length !== lines[at].length);
  return {
    column: (name) => lines[at].indexOf(name),
    rows: end < 0 ? below : below.slice(0, end),
  };
}
