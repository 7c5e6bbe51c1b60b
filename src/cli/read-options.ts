/**
 * The checked values of a command's options: flags over configuration over defaults.
 * @module
 */
import * as v from "valibot";
import { OptionError } from "../core/errors.js";
import type { Options } from "./command.js";
import { readConfig } from "./config.js";
import { flagName, parseFlags } from "./parse-flags.js";

/**
 * @throws OptionError with every problem at once, one line each.
 */
export async function readOptions(
  args: readonly string[],
  options: Options,
): Promise<Record<string, unknown>> {
  const { values: flags, problems: found } = parseFlags(args, options);
  const problems = [...found];
  const file = flags.get("config");
  let config = new Map<string, unknown>();
  if (typeof file === "string") {
    try {
      config = await readConfig(file, options);
    } catch (error) {
      if (!(error instanceof OptionError)) throw error;
      problems.push(error.message);
    }
  }
  const values: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(options)) {
    const written = flags.get(key) ?? config.get(key);
    if (written === undefined) {
      if (option.required && !flags.has(key)) problems.push(`--${flagName(key)} is needed.`);
      values[key] = option.default;
      continue;
    }
    const parsed = v.safeParse(option.schema, written);
    if (parsed.success) values[key] = parsed.output;
    else problems.push(`--${flagName(key)}: ${parsed.issues[0].message}, got ${shown(written)}.`);
  }
  if (problems.length > 0) throw new OptionError(problems.join("\n"));
  return values;
}

/** What the user wrote, shortened: it comes from the command line, not from the data. */
function shown(written: unknown): string {
  const text = JSON.stringify(written) ?? typeof written;
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
