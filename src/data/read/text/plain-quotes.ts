/**
 * Comma-separated text without quotes that say nothing, as R and spreadsheets set around every text: such text is then read as if
 * nothing in it were quoted.
 * @module
 */

/**
 * @param text whole rows.
 * @returns the text with all quotes gone; undefined where one of them says something: around a cell with the delimiter, a quote or an
 *   end of a line in it, or around the only cell of a line, which would be empty without; and where one is out of place.
 */
export function withoutPlainQuotes(text: string, delimiter: string): string | undefined {
  if (!text.includes('"')) return text;
  const { cells, alone } = patterns(delimiter);
  if (alone.test(text)) return undefined;
  const plain = text.replace(cells, "$1");
  return plain.includes('"') ? undefined : plain;
}

/** Quoted cells as they are to be taken out, and an empty one that is all of its line. */
function patterns(delimiter: string) {
  const sign = `\\x${delimiter.charCodeAt(0).toString(16).padStart(2, "0")}`;
  return {
    cells: new RegExp(`(?<![^${sign}\\n])"([^"${sign}\\r\\n]*)"(?![^${sign}\\r\\n])`, "g"),
    alone: /(?<![^\n])""(?![^\r\n])/,
  };
}
