/**
 * From the command line to what was written for each option, unchecked.
 *
 * Node's own parser finds the tokens: it keeps every value as the text that was typed, where
 * others turn a column `007` into the number 7.
 * @module
 */
import { parseArgs } from "node:util";
import { flagName } from "../../core/messages/flag-name.js";
import { didYouMean } from "../../core/messages/nearest.js";
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

/** What people who come from other tools write, where no spelling is near. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  eps: "epsilon",
  file: "data",
  group: "task",
  input: "data",
  label: "target",
  output: "out",
  owner: "task",
  response: "target",
  y: "target",
};

/** Flags of a table, which a command on sizes alone does not read. */
const OF_TABLES = ["data", "ranges", "task", "target"];

/** The flags that an unknown one may have meant, as the end of a message. */
function meantFlag(name: string, known: readonly string[]): string {
  const sizes = ["tasks", "rows", "features"].every((flag) => known.includes(flag));
  if (sizes && OF_TABLES.includes(name)) {
    return " No table is read here: --tasks, --rows and --features say how large it is; inspect prints them for a table.";
  }
  const other = OTHER_NAMES[name];
  if (other !== undefined && known.includes(other)) return ` Did you mean --${other}?`;
  const dashed = known.map((flag) => `--${flag}`);
  return didYouMean(`--${name}`, dashed).replaceAll('"', "");
}

/** What to write in place of an argument without a flag. `before`: the flag whose value stands in front of it. */
function insteadOf(argument: string, before: TypedFlag | null, known: readonly string[]): string {
  const list = before && isNumeric(before.value) && isNumeric(argument);
  if (list)
    return `several values stand between commas: ${before.name} ${before.value},${argument}.`;
  return before === null && known.includes("data")
    ? `a table follows its flag: --data ${JSON.stringify(argument)}.`
    : "options begin with --.";
}

/** Elsewhere "-" stands for standard input or output. */
const PIPE = ', got "-", which names no file: what comes through a pipe has to be in a file first';

/** A flag as it was typed, its value as the argument behind it. */
interface TypedFlag {
  readonly name: string;
  readonly value: string;
  readonly index: number;
}

function isNumeric(text: string): boolean {
  return text !== "" && Number.isFinite(Number(text));
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
  let before: TypedFlag | null = null;
  for (const token of tokens) {
    if (token.kind === "positional" && token.index !== unknownAt + 1) {
      const near = before !== null && token.index === before.index + 2 ? before : null;
      const left = [...keys.keys()].filter((flag) => !values.has(keys.get(flag)!));
      const instead = insteadOf(token.value, near, left);
      problems.push(`unexpected argument ${JSON.stringify(token.value)}; ${instead}`);
    }
    if (token.kind !== "option") continue;
    before =
      token.inlineValue === false
        ? { name: token.rawName, value: token.value, index: token.index }
        : null;
    const key = keys.get(token.name);
    if (key === undefined) {
      problems.push(`unknown option ${token.rawName}.${meantFlag(token.name, [...keys.keys()])}`);
      unknownAt = token.inlineValue ? NaN : token.index;
    } else if (values.has(key)) {
      problems.push(`${token.rawName} is given twice.`);
    } else {
      values.set(key, options[key]!.value === undefined ? (token.value ?? true) : token.value);
      // A flag in the place of a value means that the value was forgotten; -1 is a number.
      if (options[key]!.value !== undefined && isForgotten(token.value, token.inlineValue)) {
        const pipe = token.value === "-" ? PIPE : "";
        problems.push(`${token.rawName}: expected ${options[key]!.value} after it${pipe}.`);
      }
    }
  }
  return { values, problems };
}

function isForgotten(value: string | undefined, inline: boolean | undefined): boolean {
  return value === undefined || (inline === false && /^-(?![\d.])/.test(value));
}
