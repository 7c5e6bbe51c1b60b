/**
 * JSON that a person wrote, with the line that is wrong where it is none.
 * @module
 */

/**
 * What a text of JSON holds.
 * @throws SyntaxError saying on which line it stops being JSON, or a name stands once more, and nothing of what stands there, which the host's own
 *   message shows.
 */
export function readJson(text: string): unknown {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    const what =
      "a comma, quotation mark or bracket is missing there or just before, or one too many";
    throw new SyntaxError(`not JSON from line ${wrongLine(text)} on: ${what}`);
  }
  requireNamedOnce(text);
  return content;
}

/** The parser keeps the last of two members of one name: of two budgets of an owner perhaps the larger. */
function requireNamedOnce(text: string): void {
  const objects: Map<unknown, number>[] = [];
  for (const { 0: token, 1: name, index } of text.matchAll(
    /("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g,
  )) {
    if (token === "{") objects.push(new Map());
    else if (token === "}") objects.pop();
    else if (name !== undefined) {
      const members = objects.at(-1)!;
      const key: unknown = JSON.parse(name);
      const before = members.get(key);
      if (before !== undefined) {
        throw new SyntaxError(
          `a name on line ${lineOf(text, index)} stands on line ${lineOf(text, before)} already, in the same object: keep one of the two`,
        );
      }
      members.set(key, index);
    }
  }
}

const lineOf = (text: string, at: number) => text.slice(0, at).split("\n").length;

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
