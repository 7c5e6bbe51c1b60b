/**
 * Text for terminals: names and messages come from others, and a terminal obeys what is in them.
 * @module
 */

/** Control characters but tab and line break; marks that reverse the direction of what follows. */
// eslint-disable-next-line no-control-regex -- these are what it is about
const COMMANDS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The text with what a terminal would obey written as `\u001b`; valid in JSON, too. */
export function printable(text: string): string {
  return text.replace(
    COMMANDS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The same for what must stay one line. */
export function printableLine(text: string): string {
  return printable(text).replaceAll("\n", "\\n");
}
