/**
 * Help texts, made from what commands say of themselves.
 * @module
 */
import { EXIT, EXIT_MEANINGS } from "../terminal/exit-code.js";
import type { Command, CommandEntry, Option, Options } from "./command.js";
import { commonOptions } from "./common-options.js";
import { flagOf } from "./parse-flags.js";

/** Columns of a line where the terminal has no fewer. */
const LINE = 100;
/** With fewer a column of words would hold one each: the terminal breaks the lines better. */
const NARROWEST = 50;

/** Columns of a line in a terminal of so many; undefined: no terminal. */
const lineIn = (columns = LINE) => Math.max(NARROWEST, Math.min(LINE, columns));

function wrap(text: string, indent: number, line: number): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const current = lines.at(-1)!;
    if (current !== "" && indent + current.length + 1 + word.length > line) lines.push(word);
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

function optionLines(options: Options, line: number): string[] {
  const rows = Object.entries(options).map(([key, option]) => ({
    left: `  ${flagText(key, option)}`,
    right: option.help + defaultText(option),
  }));
  const width = Math.min(30, Math.max(...rows.map(({ left }) => left.length)) + 2);
  return rows.map(({ left, right }) => {
    const gap =
      left.length + 2 > width ? `\n${" ".repeat(width)}` : " ".repeat(width - left.length);
    return left + gap + wrap(right, width, line);
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
function explained(options: Options, line: number): string[] {
  return sections(options).flatMap(([title, members]) => [
    title,
    ...optionLines(members, line),
    "",
  ]);
}

/** What has to be given, the values that bring options along, and the flags there are besides. */
function overview(
  program: string,
  name: string,
  { options, dependent }: Command,
  line: number,
): string[] {
  const { on, values, all } = dependent!;
  const own = Object.entries({ ...options, ...commonOptions }) as [string, Option<unknown>][];
  const needed = Object.fromEntries(own.filter(([, { required }]) => required));
  const others = Object.fromEntries(own.filter(([, { required }]) => !required));
  const width = Math.max(...values.map(({ value }) => value.length));
  // What a budget is given by is looked for here first.
  const such = "epsilon" in all ? " (--epsilon, …)" : "";
  const flags = sections(others).map(([title, members]) => {
    const list = Object.entries(members).map(([key, option]) => `--${flagOf(key, option)}`);
    return `  ${title.toLowerCase().padEnd(8)}${wrap(list.join(" "), 10, line)}`;
  });
  return [
    ...(Object.keys(needed).length > 0 ? ["Needed", ...optionLines(needed, line), ""] : []),
    `Values of --${on}`,
    ...values.map(({ value, title }) => `  ${value.padEnd(width)}  ${title}`),
    "",
    "Other options",
    ...flags,
    "",
    wrap(
      `${program} ${name} --${on} NAME --help explains these and one ${on}'s own${such}, with defaults.`,
      0,
      line,
    ),
    "",
  ];
}

/**
 * Help of one command.
 * @param value what was given for the option on which others depend.
 * @param columns of the terminal, where there is one.
 */
export function commandHelp(
  program: string,
  entry: CommandEntry,
  command: Command,
  value: unknown,
  columns: number | undefined,
): string {
  const line = lineIn(columns);
  const { options, dependent, examples = [] } = command;
  const more = dependent?.of(value);
  const chosen = dependent?.values.find((one) => one.value === value);
  const body =
    dependent && !more
      ? overview(program, entry.name, command, line)
      : explained({ ...options, ...more, ...commonOptions }, line);
  return [
    wrap(`${program} ${entry.name}: ${entry.summary}`, 0, line),
    "",
    ...(chosen
      ? [
          wrap(`--${dependent!.on} ${chosen.value}: ${chosen.title}`, 0, line),
          wrap(chosen.about, 0, line),
          "",
        ]
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
export function programHelp(
  program: string,
  commands: readonly CommandEntry[],
  columns: number | undefined,
): string {
  const line = lineIn(columns);
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    `${program}: private multi-task learning`,
    "",
    "Commands",
    ...commands.map(
      ({ name, summary }) => `  ${name.padEnd(width)}  ${wrap(summary, width + 4, line)}`,
    ),
    "",
    wrap(
      `To begin: ${program} demo shows what sharing gains; ${program} inspect --data FILE looks at a table of yours, and says what comes next.`,
      0,
      line,
    ),
    `${program} help COMMAND shows a command's options; ${program} --version the version.`,
    wrap(`Exit codes: ${exitCodes()}.`, 0, line),
  ].join("\n");
}
