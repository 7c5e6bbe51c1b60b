/**
 * The declaration of an option: its values, default, meaning, group and flag, in one place. Types of
 * options, checks, flags, help and the tables of the documents are made from declarations.
 * @module
 */
import { flagName } from "../../core/messages/flag-name.js";
import type { OptionKind } from "./kinds.js";

/** Under which heading a help text shows an option. */
export type OptionGroup = "data" | "privacy" | "model" | "rounds" | "output";

/** An option without words: enough to check it. Without `default` it is required. */
export interface CheckedOption<T> extends OptionKind<T> {
  readonly default?: T;
}

/** What an option is for. */
export interface OptionWords {
  readonly group: OptionGroup;
  /** One sentence for help and tables, without the default, which is shown beside it. */
  readonly help: string;
  /** What the value counts or measures, where it has a unit. */
  readonly unit?: string;
  /** The papers' letter for the value, shown in the help. */
  readonly symbol?: string;
  /** Its flag without the dashes, where it is not the name in kebab case. null: in code only. */
  readonly flag?: string | null;
  /**
   * Declared after plans of federated runs were agreed on: a plan leaves it out where it is the default, which must be what
   * releases without the option did, so that hashes of earlier plans stand.
   */
  readonly later?: boolean;
}

/** All there is to say of an option. */
export interface OptionDeclaration<T> extends CheckedOption<T>, OptionWords {}

/** A declaration for every option of T. */
export type OptionDeclarations<T> = { readonly [K in keyof T]-?: OptionDeclaration<T[K]> };

/** Declarations by name, whatever their types. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each option has its own type
export type AnyDeclarations = Readonly<Record<string, OptionDeclaration<any>>>;

/** The options that declarations describe, as an interface may extend them. */
export type OptionsOf<D> = {
  readonly [K in keyof D]: D[K] extends OptionKind<infer T> ? T : never;
};

/** Declares an option. */
export function option<T>(
  kind: OptionKind<T>,
  words: OptionWords & { readonly default: NoInfer<T> },
): OptionDeclaration<T> {
  return { ...kind, placeholder: words.symbol ?? kind.placeholder, ...words };
}

/** Declares an option that has no default. */
export function required<T>(kind: OptionKind<T>, words: OptionWords): OptionDeclaration<T> {
  return { ...kind, ...words };
}

/** The same option with another default, as a method of a family may have. */
export function withDefault<T>(
  declared: OptionDeclaration<T>,
  value: NoInfer<T>,
): OptionDeclaration<T> {
  return { ...declared, default: value };
}

/** Declarations but for some, in a method to which these mean nothing. */
export function withoutOptions<D extends object, K extends keyof D>(
  declared: D,
  names: readonly K[],
): Omit<D, K> {
  const dropped: readonly PropertyKey[] = names;
  const left = Object.entries(declared).filter(([name]) => !dropped.includes(name));
  return Object.fromEntries(left) as Omit<D, K>;
}

/** A declaration with other words. */
export function inWords<T>(
  declared: OptionDeclaration<T>,
  words: Partial<OptionWords>,
): OptionDeclaration<T> {
  return { ...declared, ...words };
}

/** The flag of an option, without the dashes; undefined where it can be given in code only. */
export function flagOf(name: string, { flag }: Pick<OptionWords, "flag">): string | undefined {
  return flag === null ? undefined : (flag ?? flagName(name));
}

/** The default as the text of a flag; undefined for a required option. */
export function defaultText(declared: CheckedOption<unknown>): string | undefined {
  if (!("default" in declared)) return undefined;
  return declared.write ? declared.write(declared.default) : String(declared.default);
}
