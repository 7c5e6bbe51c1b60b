/**
 * What is wrong with the quotes of comma-separated text, said of the line where it begins: a parser stops where
 * it can go on no longer, which for a quote that nothing closes is the end of the file.
 * @module
 */

/** What the parser's own error codes mean; its messages quote the data, so they are not shown. */
const PROBLEMS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "a quoted cell is never closed",
  INVALID_OPENING_QUOTE: "a quote stands inside a cell that does not begin with one",
  CSV_INVALID_CLOSING_QUOTE: "text follows the closing quote of a cell",
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: "text follows the closing quote of a cell",
};

const REMEDY =
  "; close the quote, or, if it belongs to the text, put the whole cell in quotes and write it twice";

/** Whole rows of text, and what separates their cells and lines. */
interface Text {
  readonly text: string;
  readonly delimiter: string;
  readonly lineEnd: string;
}

/** Where the cell begins whose quote is never closed, or is closed with text behind it; undefined if there is none. */
function brokenCell({ text, delimiter, lineEnd }: Text): number | undefined {
  /** Of a quoted cell, while inside it or right behind it. */
  let opened: number | undefined;
  let state: "begins" | "plain" | "quoted" | "closed" = "begins";
  for (let at = 0; at < text.length; at++) {
    const quote = text[at] === '"';
    if (state === "quoted") {
      if (!quote) continue;
      if (text[at + 1] === '"') at++;
      else state = "closed";
    } else if (text.startsWith(delimiter, at) || text.startsWith(lineEnd, at)) {
      state = "begins";
      if (text.startsWith(lineEnd, at)) at += lineEnd.length - 1;
    } else if (state === "begins" && quote) {
      opened = at;
      state = "quoted";
    } else if (text[at]!.trim() !== "") {
      if (state === "closed") return opened;
      state = "plain";
    }
  }
  return state === "quoted" ? opened : undefined;
}

/**
 * The place, which is the line where the broken cell begins, and what is wrong there.
 * @param stopped the parser's code, and the line where it could not go on.
 */
export function problemOf(
  stopped: { readonly code: string; readonly line: number | undefined },
  piece: Text & { readonly linesBefore: number },
): string {
  const { code, line } = stopped;
  const what = PROBLEMS[code];
  const at = line === undefined ? "" : `, line ${line}`;
  if (what === undefined) return `${at}: this is not comma-separated text.`;
  const opened = code === "INVALID_OPENING_QUOTE" ? undefined : brokenCell(piece);
  if (opened === undefined) return `${at}: ${what}${REMEDY}.`;
  const { text, lineEnd, linesBefore } = piece;
  const from = linesBefore + text.slice(0, opened).split(lineEnd).length;
  return `, line ${from}: ${what}${REMEDY}.`;
}
