/**
 * `--config FILE`: the same options as JSON, under their names without the leading dashes, or in camel
 * case as the library has them.
 * @module
 */
import { OptionError } from "../../core/errors.js";
import { didYouMean } from "../../core/messages/nearest.js";
import { readBytes } from "../../node/files/read-bytes.js";
import type { Options } from "./command.js";
import { readJson } from "../words/read-json.js";
import { flagOf } from "./parse-flags.js";

/**
 * Reads options from a file.
 * @returns values by option name (camel case).
 * @throws OptionError if it is no JSON object, or names an unknown option.
 */
export async function readConfig(path: string, options: Options): Promise<Map<string, unknown>> {
  const bytes = await readBytes(path).catch((error: unknown) => {
    throw new OptionError(`--config: ${(error as Error).message}`);
  });
  let content: unknown;
  try {
    content = readJson(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new OptionError(`--config: ${path}: ${(cause as Error).message}.`, { cause });
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new OptionError(`--config: ${path}: expected an object with options as its members.`);
  }
  const keys = new Map(Object.entries(options).map(([key, option]) => [flagOf(key, option), key]));
  keys.delete("config");
  const values = new Map<string, unknown>();
  const problems: string[] = [];
  for (const [name, value] of Object.entries(content)) {
    const key = keys.get(name) ?? [...keys.values()].find((camelCase) => camelCase === name);
    if (key !== undefined) values.set(key, value);
    else {
      const near = didYouMean(name, [...keys.keys()]);
      problems.push(`--config: ${path}: unknown option ${JSON.stringify(name)}.${near}`);
    }
  }
  if (problems.length > 0) throw new OptionError(problems.join("\n"));
  return values;
}
