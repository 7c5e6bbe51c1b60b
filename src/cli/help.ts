/**
 * Help texts, made from what commands say of themselves.
 * @module
 */
import type { Command, CommandEntry, Option, Options } from "./command.js";
import { commonOptions } from "./common-options.js";
import { flagName } from "./parse-flags.js";

const LINE = 100;

function wrap(text: string, indent: number): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const current = lines.at(-1)!;
    if (current !== "" && indent + current.length + 1 + word.length > LINE) lines.push(word);
    else lines[lines.length - 1] = current === "" ? word : `${current} ${word}`;
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}

function defaultText({ default: value, required }: Option<unknown>): string {
  if (required) return " Needed.";
  if (value === undefined || value === false) return "";
  return ` Default ${Array.isArray(value) ? value.join(",") : value === true ? "yes" : String(value)}.`;
}

function optionLines(options: Options): string {
  const rows = Object.entries(options).map(([key, option]) => ({
    left: `  --${flagName(key)}${option.value === undefined ? "" : ` ${option.value}`}`,
    right: option.help + defaultText(option),
  }));
  const width = Math.min(30, Math.max(...rows.map(({ left }) => left.length)) + 2);
  return rows
    .map(({ left, right }) => {
      const gap =
        left.length + 2 > width ? `\n${" ".repeat(width)}` : " ".repeat(width - left.length);
      return left + gap + wrap(right, width);
    })
    .join("\n");
}

/** Help of one command. */
export function commandHelp(program: string, entry: CommandEntry, command: Command): string {
  const examples = (command.examples ?? []).map((line) => `  ${program} ${line}`);
  return [
    `${program} ${entry.name}: ${entry.summary}`,
    "",
    "Options",
    optionLines({ ...command.options, ...commonOptions }),
    ...(examples.length > 0 ? ["", "Examples", ...examples] : []),
  ].join("\n");
}

/** Help of the program: its commands and exit codes. */
export function programHelp(program: string, commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    `${program}: private multi-task learning`,
    "",
    "Commands",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    `${program} help COMMAND shows a command's options; ${program} --version the version.`,
    "Exit codes: 0 done; 2 usage or configuration; 3 data; 4 budget exceeded; 5 did not converge;",
    "130 interrupted; 1 anything else.",
  ].join("\n");
}
