/**
 * The options of methods as flags: made of the methods' own declarations, so that a flag's values, help
 * and default are those of the library.
 * @module
 */
import { AUTO } from "../../learning/methods.js";
import type { AnyMethod } from "../../learning/options/method.js";
import {
  defaultText,
  flagOf,
  type AnyDeclarations,
  type OptionDeclaration,
} from "../../learning/options/option.js";
import { budgetOptions } from "../../learning/options/private-options.js";
import type { DependentOptions, Option, Options } from "./command.js";
import { choice } from "./values.js";

/** The flag of a declared option. */
export function flagOption<T>(declared: OptionDeclaration<T>): Option<T> {
  const { help, group, flag, placeholder: value } = declared;
  const shownDefault = defaultText(declared);
  return {
    value,
    help: sentence(declared, help),
    group,
    schema: declared,
    ...(shownDefault === undefined ? { required: true } : { shownDefault }),
    ...(typeof flag === "string" ? { flag } : {}),
  };
}

/** The words that may stand there, where the place of the value does not say them. */
function sentence({ words, placeholder }: OptionDeclaration<unknown>, help: string): string {
  const isListed = !words || words.every((word) => placeholder.includes(word));
  return isListed || words.every((word) => help.includes(word))
    ? help
    : `${help} One of ${words.join(", ")}.`;
}

/** The flags of declared options; those that can be given in code only have none. */
export function flagOptions(declared: AnyDeclarations): Options {
  const flags: Record<string, Option<unknown>> = {};
  for (const [name, one] of Object.entries(declared)) {
    if (flagOf(name, one)) flags[name] = flagOption(one);
  }
  return flags;
}

/** A seed for methods without noise is passed over, so that one command line serves all methods. */
const ignoredSeed: Options = {
  random: {
    ...flagOption(budgetOptions.random),
    help: "Ignored: the method draws no noise.",
    ignored: true,
  },
};

/** What a method protects, for the head of its help. */
function guaranteeOf({ privacy, releases }: AnyMethod): string {
  const unit =
    privacy?.unit === "task" ? "a task" : "a record, lifted to its task by group privacy";
  return `Releases: ${releases}. ${privacy ? `Protects ${unit}.` : "No guarantee."}`;
}

/**
 * The options that name one of these methods, and what `--method` then brings along.
 * @param shown defaults in words, by option, where the command fills them in.
 */
export function methodFlags(
  methods: readonly AnyMethod[],
  shown: Readonly<Record<string, string>> = {},
) {
  const optionsOf = new Map<unknown, Options>();
  for (const { name, privacy, options } of methods) {
    const own = Object.entries(flagOptions(options)).map(([key, option]) => [
      key,
      Object.hasOwn(shown, key) ? { ...option, shownDefault: shown[key]! } : option,
    ]);
    optionsOf.set(name, {
      ...(privacy ? {} : ignoredSeed),
      ...(Object.fromEntries(own) as Options),
    });
  }
  const method = {
    value: "NAME",
    help: "The method.",
    schema: choice(...methods.map(({ name }) => name)),
    group: "model",
    ...(methods.some(({ name }) => name === AUTO)
      ? { default: AUTO }
      : { required: true as const }),
  } as const;
  const dependent: DependentOptions = {
    on: "method",
    all: Object.assign({}, ...optionsOf.values()) as Options,
    of: (value) => optionsOf.get(value),
    values: methods.map((one) => ({
      value: one.name,
      title: one.title,
      about: `For: ${one.recommendedFor}. ${guaranteeOf(one)}`,
    })),
  };
  return { method, dependent };
}
