/**
 * What JSON is parsed of others: few names, and little nesting. Reading an object of a million names takes seconds, in which the party takes no other
 * message; one pass over its bytes takes a hundredth of that.
 * @module
 */

/** Different names of members in a message, and levels of nesting: several times what any has. */
const MOST_NAMES = 256;
const MOST_LEVELS = 32;

const [QUOTE, BACKSLASH, COLON, SPACE] = [0x22, 0x5c, 0x3a, 0x20];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

const decoder = new TextDecoder();

/** Why these bytes are not to be parsed as JSON; undefined if they may be, though they need not be JSON. */
export function whyNotParse(bytes: Uint8Array): string | undefined {
  const names = new Set<string>();
  let levels = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++levels > MOST_LEVELS) return "its header is nested too deeply";
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) levels--;
    if (byte !== QUOTE) continue;
    const start = at + 1;
    at = endOfString(bytes, start);
    if (!isName(bytes, at + 1)) continue;
    names.add(decoder.decode(bytes.subarray(start, at)));
    if (names.size > MOST_NAMES) return "its header has too many names";
  }
  return undefined;
}

/** Where the quote is that ends the string that begins here, or the end of the bytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Whether a colon follows, but for white space. */
function isName(bytes: Uint8Array, after: number): boolean {
  let at = after;
  while (at < bytes.length && bytes[at]! <= SPACE) at++;
  return bytes[at] === COLON;
}
