/**
 * Help texts, made from what commands say of themselves.
 * @module
 */
import { EXIT, EXIT_MEANINGS } from "../terminal/exit-code.js";
import type { Command, CommandEntry, Option, Options } from "./command.js";
import { commonOptions } from "./common-options.js";
import { flagOf } from "./parse-flags.js";

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

function defaultText({ default: value, required, shownDefault, schema }: Option<unknown>): string {
  if (required) return " Needed.";
  if (shownDefault !== undefined) return ` Default ${shownDefault}.`;
  if (value === undefined || value === false) return "";
  return ` Default ${schema.write ? schema.write(value) : String(value)}.`;
}

const flagText = (key: string, option: Option<unknown>) =>
  `--${flagOf(key, option)}${option.value === undefined ? "" : ` ${option.value}`}`;

function optionLines(options: Options): string[] {
  const rows = Object.entries(options).map(([key, option]) => ({
    left: `  ${flagText(key, option)}`,
    right: option.help + defaultText(option),
  }));
  const width = Math.min(30, Math.max(...rows.map(({ left }) => left.length)) + 2);
  return rows.map(({ left, right }) => {
    const gap =
      left.length + 2 > width ? `\n${" ".repeat(width)}` : " ".repeat(width - left.length);
    return left + gap + wrap(right, width);
  });
}

const GROUPS = ["data", "privacy", "model", "rounds", "tuning", "registry", "output"] as const;

/** Options under headings where they have some, all others under "Options". */
function sections(options: Options): [title: string, options: Options][] {
  const of = (group: string | undefined) =>
    Object.fromEntries(Object.entries(options).filter(([, option]) => option.group === group));
  const titled = GROUPS.map((group): [string, Options] => [
    group[0]!.toUpperCase() + group.slice(1),
    of(group),
  ]);
  return [["Options", of(undefined)] as [string, Options], ...titled].filter(
    ([, members]) => Object.keys(members).length > 0,
  );
}

/** All options with their help. */
function explained(options: Options): string[] {
  return sections(options).flatMap(([title, members]) => [title, ...optionLines(members), ""]);
}

/** What has to be given, the values that bring options along, and the flags there are besides. */
function overview(program: string, name: string, { options, dependent }: Command): string[] {
  const { on, values } = dependent!;
  const all = Object.entries({ ...options, ...commonOptions }) as [string, Option<unknown>][];
  const needed = Object.fromEntries(all.filter(([, { required }]) => required));
  const others = Object.fromEntries(all.filter(([, { required }]) => !required));
  const width = Math.max(...values.map(({ value }) => value.length));
  const flags = sections(others).map(([title, members]) => {
    const list = Object.entries(members).map(([key, option]) => `--${flagOf(key, option)}`);
    return `  ${title.toLowerCase().padEnd(8)}${wrap(list.join(" "), 10)}`;
  });
  return [
    ...(Object.keys(needed).length > 0 ? ["Needed", ...optionLines(needed), ""] : []),
    `Values of --${on}`,
    ...values.map(({ value, title }) => `  ${value.padEnd(width)}  ${title}`),
    "",
    "Besides",
    ...flags,
    "",
    `${program} ${name} --${on} NAME --help explains these and the options of one ${on}, with its defaults.`,
    "",
  ];
}

/**
 * Help of one command.
 * @param value what was given for the option on which others depend.
 */
export function commandHelp(
  program: string,
  entry: CommandEntry,
  command: Command,
  value?: unknown,
): string {
  const { options, dependent, examples = [] } = command;
  const more = dependent?.of(value);
  const chosen = dependent?.values.find((one) => one.value === value);
  const body =
    dependent && !more
      ? overview(program, entry.name, command)
      : explained({ ...options, ...more, ...commonOptions });
  return [
    `${program} ${entry.name}: ${entry.summary}`,
    "",
    ...(chosen
      ? [`--${dependent!.on} ${chosen.value}: ${chosen.title}`, wrap(chosen.about, 0), ""]
      : []),
    ...body,
    ...(examples.length > 0 ? ["Examples", ...examples.map((line) => `  ${program} ${line}`)] : []),
  ]
    .join("\n")
    .trimEnd();
}

/** Every exit code with its meaning. */
const exitCodes = () =>
  Object.entries(EXIT_MEANINGS)
    .map(([name, words]) => `${EXIT[name as keyof typeof EXIT]} ${words}`)
    .join("; ");

/** Help of the program: its commands and exit codes. */
export function programHelp(program: string, commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    `${program}: private multi-task learning`,
    "",
    "Commands",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    `To begin: ${program} demo shows what sharing gains; ${program} inspect --data FILE looks at a table of yours, and says what comes next.`,
    `${program} help COMMAND shows a command's options; ${program} --version the version.`,
    wrap(`Exit codes: ${exitCodes()}.`, 0),
  ].join("\n");
}
