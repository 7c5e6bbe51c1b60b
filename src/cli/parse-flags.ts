/**
 * From the command line to what was written for each option, unchecked.
 *
 * Node's own parser finds the tokens: it keeps every value as the text that was typed, where
 * others turn a column `007` into the number 7.
 * @module
 */
import { parseArgs } from "node:util";
import { flagName } from "../core/flag-name.js";
import { didYouMean } from "../core/nearest.js";
import type { Option, Options } from "./command.js";

/** Values by option name (camel case), and what is wrong with the rest. */
export interface ParsedFlags {
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: readonly string[];
}

/** The flag of an option, without the dashes. */
export function flagOf(key: string, { flag }: Pick<Option<unknown>, "flag">): string {
  return flag ?? flagName(key);
}

/** Reads the flags of one command; `-h` is short for `--help`. */
export function parseFlags(args: readonly string[], options: Options): ParsedFlags {
  const keys = new Map(Object.entries(options).map(([key, option]) => [flagOf(key, option), key]));
  const types = [...keys].map(([flag, key]) => [
    flag,
    { type: options[key]!.value === undefined ? ("boolean" as const) : ("string" as const) },
  ]);
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...Object.fromEntries(types), help: { type: "boolean", short: "h" } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, unknown>();
  const problems: string[] = [];
  /** Where the last unknown option stands: what follows it is its value, whatever it is. */
  let unknownAt = NaN;
  for (const token of tokens) {
    if (token.kind === "positional" && token.index !== unknownAt + 1) {
      problems.push(`unexpected argument ${JSON.stringify(token.value)}; options begin with --.`);
    }
    if (token.kind !== "option") continue;
    const key = keys.get(token.name);
    if (key === undefined) {
      const known = [...keys.keys()].map((flag) => `--${flag}`);
      const near = didYouMean(token.rawName, known);
      problems.push(`unknown option ${token.rawName}.${near.replaceAll('"', "")}`);
      unknownAt = token.inlineValue ? NaN : token.index;
    } else if (values.has(key)) {
      problems.push(`${token.rawName} is given twice.`);
    } else {
      values.set(key, options[key]!.value === undefined ? (token.value ?? true) : token.value);
      // A flag in the place of a value means that the value was forgotten; -1 is a number.
      if (options[key]!.value !== undefined && isForgotten(token.value, token.inlineValue)) {
        problems.push(`${token.rawName}: expected ${options[key]!.value} after it.`);
      }
    }
  }
  return { values, problems };
}

function isForgotten(value: string | undefined, inline: boolean | undefined): boolean {
  return value === undefined || (inline === false && /^-(?![\d.])/.test(value));
}
