/**
 * Messages of the library in the words of the command line: options under their flags.
 * @module
 */
import type { Options } from "./command.js";
import { flagOf } from "./parse-flags.js";

/** Where the name of an option begins a problem: at the start, or after the method or another problem. */
const START = String.raw`(?<=^|\n|; |^[a-z][a-z-]*: )`;

/**
 * `localSteps: "solve" needs …` becomes `--local-steps solve needs …`. A name of one small word is taken
 * for an option only where it is followed by a colon, since it may be a word of the sentence.
 */
export function inFlagWords(message: string, options: Options): string {
  const words = Object.entries(options).reduce((text, [name, option]) => {
    const flag = `--${flagOf(name, option)}`;
    return text
      .replace(new RegExp(String.raw`(?<![\w./-])${name}: "([\w-]+)"`, "g"), `${flag} $1`)
      .replace(new RegExp(`${START}${name}: `, "g"), `${flag}: `)
      .replace(
        new RegExp(/[A-Z]/.test(name) ? String.raw`(?<![\w"/-])${name}\b` : "$^", "g"),
        flag,
      );
  }, message);
  // What named both the option and its flag now names the flag twice.
  return words
    .replace(/(--[\w-]+ [\w-]+)(?: \(\1\)|, \1(?=\)))/g, "$1")
    .replace(/(--[\w-]+), in code \1(?![\w-])/g, "$1");
}
