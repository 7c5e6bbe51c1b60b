/**
 * `main`: from arguments to exit code. Prints one result, or one error, and nothing else.
 * @module
 */
import { MpMtlError, OptionError } from "../core/errors.js";
import { missingPackage } from "../core/optional-packages.js";
import { didYouMean } from "../core/messages/nearest.js";
import { VERSION } from "../core/version.js";
import type { Command, CommandEntry, Result } from "./options/command.js";
import { commands as allCommands } from "./commands/index.js";
import { commonOptions, type CommonValues } from "./options/common-options.js";
import { EXIT, exitCodeOf, isExpected } from "./terminal/exit-code.js";
import { inFlagWords } from "./options/flag-words.js";
import { commandHelp, programHelp } from "./options/help.js";
import type { Io } from "./terminal/io.js";
import { printable } from "./terminal/printable.js";
import { openProgress } from "./terminal/progress.js";
import { parseFlags } from "./options/parse-flags.js";
import { readOptions } from "./options/read-options.js";

const PROGRAM = "mp-mtl";

/** What people look for under other names. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  benchmark: "evaluate",
  budget: "account",
  check: "inspect",
  compare: "evaluate",
  describe: "inspect",
  epsilon: "account",
  generate: "simulate",
  learn: "fit",
  score: "evaluate",
  test: "evaluate",
  train: "fit",
};

function findCommand(name: string, commands: readonly CommandEntry[]): CommandEntry {
  const command = commands.find((known) => known.name === name);
  if (command) return command;
  const names = commands.map((known) => known.name);
  const other = OTHER_NAMES[name];
  const meant =
    other !== undefined && names.includes(other)
      ? ` Did you mean ${JSON.stringify(other)}?`
      : didYouMean(name, names);
  throw new OptionError(
    `unknown command ${JSON.stringify(name)}; there are ${names.join(", ")}.${meant}`,
  );
}

/** Whether `--json` was asked for, as far as can be told before the options are checked. */
function wantsJson(args: readonly string[]): boolean {
  return args.includes("--json");
}

/** Whether it is no option that is wrong but the machine: a full disk, a folder of others; of that no help tells. */
const isOfSystem = (error: unknown) =>
  error instanceof Error && error.cause instanceof Error && "syscall" in error.cause;

function reportError(error: unknown, where: string, args: readonly string[], io: Io): number {
  const exitCode = exitCodeOf(error, io.signal);
  const interrupted = exitCode === EXIT.interrupted;
  const message = interrupted
    ? "interrupted."
    : error instanceof Error
      ? error.message
      : String(error);
  for (const line of message.split("\n")) io.stderr(`${where}: ${printable(line)}\n`);
  if (exitCode === EXIT.other && !isExpected(error) && error instanceof Error) {
    io.stderr(
      `This is an error of the program itself. Where it happened:\n${printable(error.stack ?? "")}\n`,
    );
  }
  if (exitCode === EXIT.usage && !isOfSystem(error)) io.stderr(`Help: ${where} --help\n`);
  if (wantsJson(args)) {
    const code = interrupted ? "INTERRUPTED" : error instanceof MpMtlError ? error.code : "ERROR";
    const document = { error: { code, message, exitCode } };
    io.stdout(`${printable(JSON.stringify(document, null, 2))}\n`);
  }
  return exitCode;
}

/** What was given for the option on which others depend. */
function dependedOn(args: readonly string[], { options, dependent }: Command): unknown {
  if (!dependent) return undefined;
  return parseFlags(args, { ...dependent.all, ...options }).values.get(dependent.on);
}

async function runCommand(entry: CommandEntry, args: readonly string[], io: Io): Promise<number> {
  const command = await entry.load();
  const all = { ...command, options: { ...command.options, ...commonOptions } };
  if (args.includes("--help") || args.includes("-h")) {
    io.stdout(`${commandHelp(PROGRAM, entry, command, dependedOn(args, all), io.columns)}\n`);
    return EXIT.done;
  }
  const { options, values, given } = await readOptions(args, all);
  const { json, progress: mode } = values as unknown as CommonValues;
  const progress = openProgress(mode, io);
  let result: Result;
  try {
    result = await command.run(values, { io, signal: io.signal, progress, given });
  } catch (error) {
    // The library names options as code has them.
    if (isExpected(error)) {
      (error as Error).message = inFlagWords((error as Error).message, options);
    }
    throw error;
  } finally {
    progress.end();
  }
  io.stdout(`${printable(json ? JSON.stringify(result.document, null, 2) : result.text)}\n`);
  if (!json) for (const line of result.aside ?? []) io.stderr(`${printable(line)}\n`);
  return result.exitCode ?? EXIT.done;
}

/**
 * Runs the command line.
 *
 * @param argv      arguments, without the interpreter and the script.
 * @param commands  those there are; others in tests.
 * @returns the exit code.
 */
export async function main(
  argv: readonly string[],
  io: Io,
  commands: readonly CommandEntry[] = allCommands,
): Promise<number> {
  const asked = argv[0] === "help" && argv.length > 1;
  const [name, ...args] = asked ? [...argv.slice(1), "--help"] : argv;
  let where = PROGRAM;
  try {
    if (name === undefined || name === "help" || name === "--help" || name === "-h") {
      io.stdout(`${programHelp(PROGRAM, commands, io.columns)}\n`);
      return name === undefined ? EXIT.usage : EXIT.done;
    }
    if (name === "--version" || name === "-v") {
      io.stdout(`${VERSION}\n`);
      return EXIT.done;
    }
    const command = findCommand(name, commands);
    where = `${PROGRAM} ${command.name}`;
    return await runCommand(command, args, io);
  } catch (error) {
    return reportError(missingPackage(error) ?? error, where, argv, io);
  }
}
