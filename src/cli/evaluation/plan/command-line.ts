/**
 * The command that made an evaluation, from its configuration.
 * @module
 */
import { flagName } from "../../../core/messages/flag-name.js";
import { shellWord } from "../../words/shell-word.js";

function flag(name: string, value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === "boolean") return [`--${flagName(name)} ${value ? "yes" : "no"}`];
  if (Array.isArray(value)) return [`--${flagName(name)} ${shellWord(value.join(","))}`];
  if (typeof value !== "string" && typeof value !== "number") return [];
  return [`--${flagName(name)} ${shellWord(String(value))}`];
}

const fileOf = (own: unknown): string => String((own as { file?: unknown } | null)?.file);

/**
 * `mp-mtl evaluate …`. What the configuration knows by content only, the table and the settings file,
 * is named in capitals.
 */
export function evaluateCommandLine(
  configuration: Readonly<Record<string, unknown>>,
  out: string,
): string {
  const {
    dataDigest,
    settings,
    own,
    dataNotes: _notes,
    release: _release,
    ...rest
  } = configuration;
  const given = typeof settings === "object" && settings !== null ? Object.keys(settings) : [];
  return [
    "mp-mtl evaluate",
    ...(dataDigest === undefined ? [] : ["--data TABLE"]),
    ...Object.entries(rest).flatMap(([name, value]) => flag(name, value)),
    ...flag("own", Array.isArray(own) ? own.map(fileOf) : null),
    ...(given.length > 0 ? ["--settings SETTINGS.json"] : []),
    `--out ${shellWord(out)}`,
  ].join(" ");
}
