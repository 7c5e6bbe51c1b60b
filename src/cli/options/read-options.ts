/**
 * The checked values of a command's options: flags over configuration over defaults.
 * @module
 */
import { OptionError } from "../../core/errors.js";
import type { OptionKind } from "../../learning/options/kinds.js";
import { meantWord } from "../../core/messages/nearest.js";
import { readBytes } from "../../node/files/read-bytes.js";
import type { Command, Option, Options } from "./command.js";
import { readConfig } from "./config.js";
import { flagOf, parseFlags } from "./parse-flags.js";
import { readJson } from "../words/read-json.js";

/** What options a command has and what they were given. */
export interface ReadOptions {
  /** All options that apply, with those that another option's value brought along. */
  readonly options: Options;
  readonly values: Record<string, unknown>;
  /** The values of options that another option's value brought along. */
  readonly given: Record<string, unknown>;
}

/**
 * @throws OptionError with every problem at once, one line each.
 */
export async function readOptions(
  args: readonly string[],
  { options: own, dependent }: Pick<Command, "options" | "dependent">,
): Promise<ReadOptions> {
  const all = { ...dependent?.all, ...own };
  const { values: flags, problems: found } = parseFlags(args, all);
  const problems = [...found];
  const file = flags.get("config");
  let config = new Map<string, unknown>();
  let isRead = true;
  if (typeof file === "string") {
    try {
      config = await readConfig(file, all);
    } catch (error) {
      if (!(error instanceof OptionError)) throw error;
      problems.push(error.message);
      isRead = false;
    }
  }
  const written = (key: string) => flags.get(key) ?? config.get(key);
  // A default brings its options along as what was written does.
  const asked = dependent && (written(dependent.on) ?? own[dependent.on]?.default);
  const more = dependent?.of(asked);
  const options = { ...more, ...own };
  if (more) {
    for (const [key, option] of Object.entries(all)) {
      if (key in options || written(key) === undefined) continue;
      problems.push(`--${flagOf(key, option)}: ${notAmong(dependent!.on, asked, more)}`);
    }
  }
  const values: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(options)) {
    const flag = `--${flagOf(key, option)}`;
    const given = written(key);
    if (given === undefined) {
      // What is needed may stand in the file that could not be read.
      if (option.required && !flags.has(key) && isRead) problems.push(`${flag} is needed.`);
      values[key] = option.default;
      continue;
    }
    const named = option.schema.fromFile && valueOf(option, given) === undefined;
    const content = named ? await contentOf(given, flag, problems) : given;
    // Why the file cannot be read is told already.
    if (content === undefined) continue;
    values[key] = valueOf(option, content);
    if (values[key] === undefined) {
      const { expected, expectedText = expected, words } = option.schema;
      const meant = meantWord(given, words) || meantPoint(given, option.schema);
      problems.push(`${flag}: expected ${expectedText}, got ${shown(given)}.${meant}`);
    }
  }
  if (problems.length > 0) throw new OptionError(problems.join("\n"));
  const counted = Object.entries(more ?? {}).filter(([, option]) => !option.ignored);
  return { options, values, given: Object.fromEntries(counted.map(([key]) => [key, values[key]])) };
}

/** What a JSON file of that name holds; a configuration may have the content itself. */
async function contentOf(given: unknown, flag: string, problems: string[]): Promise<unknown> {
  if (typeof given !== "string") return given;
  try {
    return readJson(new TextDecoder().decode(await readBytes(given)));
  } catch (error) {
    problems.push(`${flag}: ${given}: ${(error as Error).message}`);
    return undefined;
  }
}

/** Of a number that a decimal point would make one: its comma is of tables alone. */
function meantPoint(given: unknown, schema: OptionKind<unknown>): string {
  if (typeof given !== "string" || !/^-?\d+,\d+$/.test(given)) return "";
  const pointed = given.replace(",", ".");
  const value = schema.accept(schema.read ? schema.read(pointed) : pointed);
  return value === undefined ? "" : ` Did you mean ${pointed}?`;
}

/** The value that was written; undefined if it is none. */
function valueOf({ schema }: Option<unknown>, written: unknown): unknown {
  return schema.accept(schema.read ? schema.read(written) : written);
}

function notAmong(on: string, value: unknown, options: Options): string {
  const flags = Object.entries(options).map(([key, option]) => `--${flagOf(key, option)}`);
  const owner = value === undefined ? `used without --${on}` : `an option of ${String(value)}`;
  return `not ${owner}; it has ${flags.join(", ")}.`;
}

/** What the user wrote, shortened: it comes from the command line, not from the data. */
function shown(written: unknown): string {
  const text = JSON.stringify(written) ?? typeof written;
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
