/**
 * JSON that a person wrote, with the line that is wrong where it is none.
 * @module
 */

/**
 * What a text of JSON holds.
 * @throws SyntaxError saying on which line it stops being JSON, and nothing of what stands there, which the host's own message shows.
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const what =
      "a comma, quotation mark or bracket is missing there or just before, or one too many";
    throw new SyntaxError(`not JSON from line ${wrongLine(text)} on: ${what}`, { cause });
  }
}

/** The first line with which a text that is no JSON could not become one by more text, from 1; the last where all of it could. */
function wrongLine(text: string): number {
  const lines = text.split("\n");
  let [good, bad] = [0, lines.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isBeginning(lines.slice(0, middle).join("\n"))) good = middle;
    else bad = middle;
  }
  return bad;
}

/** Whether a text is JSON, or the beginning of some: then the parser complains of its end. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const at = /position (\d+)/.exec(message)?.[1];
    return at === undefined
      ? message.includes("end of JSON input")
      : Number(at) >= text.length || message.startsWith("Unterminated string");
  }
}
