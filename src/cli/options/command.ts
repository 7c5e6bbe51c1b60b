/**
 * What a command is: options that describe themselves, and a function from their checked values
 * to one result.
 * @module
 */
import type { Io } from "../terminal/io.js";
import type { Progress } from "../terminal/progress.js";
import type { OptionKind } from "../../learning/options/kinds.js";
import type { OptionGroup } from "../../learning/options/option.js";

/** One option. Its key in {@link Options} is its name in camel case: `lossScale` is `--loss-scale`. */
export interface Option<T> {
  /** What stands for the value in the help; absent for a switch, which is on when it is given. */
  readonly value?: string;
  /** One sentence: meaning, unit, what the default does. */
  readonly help: string;
  /** What values it takes. */
  readonly schema: OptionKind<T>;
  /** What it is when not given; without it the option is `undefined` then. */
  readonly default?: T;
  /** The default in words, where what runs the command fills it in. */
  readonly shownDefault?: string;
  /** Whether it must be given. */
  readonly required?: boolean;
  /** Its heading in a help text that has headings. */
  readonly group?: OptionGroup | "tuning" | "registry";
  /** Its flag without the dashes, where it is not its name. */
  readonly flag?: string;
  /** Taken and passed over, so that one command line serves all values of another option. */
  readonly ignored?: boolean;
}

/** Options by name. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each option has its own type
export type Options = Readonly<Record<string, Option<any>>>;

/** Options that the value of another one brings along, as `--method` those of the method. */
export interface DependentOptions {
  /** The other option's name. */
  readonly on: string;
  /** All there may be, so that a flag is told from a misspelling before the value is known. */
  readonly all: Options;
  /** Those that go with a value, undefined where it was not given; undefined if that is not enough. */
  of(value: unknown): Options | undefined;
  /** The values with a few words on each, for a help text that shows no value's options. */
  readonly values: readonly {
    readonly value: string;
    readonly title: string;
    /** For the help of this value's options. */
    readonly about: string;
  }[];
}

/** The checked values of options: those with a default or required are always there. */
export type Values<O extends Options> = {
  readonly [K in keyof O]: O[K] extends Option<infer T>
    ? O[K] extends { required: true } | { default: T }
      ? T
      : T | undefined
    : never;
};

/** What a command may use besides its options. */
export interface Context {
  /** The options that another one brought along, with a value where they were given: those of a method, ready for it. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly io: Io;
  /** Aborted when the user interrupts: pass it on to everything that takes long. */
  readonly signal: AbortSignal;
  /** Where the command says how far it is. */
  readonly progress: Progress;
}

/** What a command found out. Which form is printed is not its concern. */
export interface Result {
  /** The JSON document of `--json`. */
  readonly document: unknown;
  /** The same for people; no line break at the end. */
  readonly text: string;
  /** Lines for people where the text is data that another program may read: printed beside it, on standard error. */
  readonly aside?: readonly string[];
  /** Exit code, where the command did its work but the answer is not "done". Default 0. */
  readonly exitCode?: number;
}

/** A command as the program runs it. */
export interface Command {
  readonly options: Options;
  readonly dependent?: DependentOptions;
  /** Usage examples for the help, without the program's name. */
  readonly examples?: readonly string[];
  run(values: Record<string, unknown>, context: Context): Promise<Result>;
}

/** A command as the program lists it. */
export interface CommandEntry {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  load(): Promise<Command>;
}

/** A command whose `run` sees the types of its own options. */
export function defineCommand<const O extends Options>(command: {
  options: O;
  dependent?: DependentOptions;
  examples?: readonly string[];
  run(values: Values<O>, context: Context): Promise<Result>;
}): Command {
  return command as unknown as Command;
}
