/**
 * Kinds of values that only the command line has; the others are those of the library's options.
 * @module
 */
import {
  aBoolean,
  aNumber,
  anInteger,
  aWord,
  type Limits,
  type OptionKind,
} from "../../learning/options/kinds.js";

/** A finite number within limits. */
export const number = (limits: Limits): OptionKind<number> => aNumber(limits);

/** An integer within limits. */
export const integer = (limits: Limits): OptionKind<number> => anInteger(limits);

/** One of a few words. */
export const choice = <const T extends readonly string[]>(...words: T): OptionKind<T[number]> =>
  aWord<T[number]>(words);

/** yes or no; also true and false. */
export const yesNo = (): OptionKind<boolean> => aBoolean;

/** Any text that is not empty. A number in a configuration file is taken as its text. */
export function text(what: string): OptionKind<string> {
  return {
    expected: what,
    placeholder: "TEXT",
    read: (written) => (typeof written === "number" ? String(written) : written),
    accept: (value) => (typeof value === "string" && value !== "" ? value : undefined),
  };
}

/** The members that a text separates by commas; anything else as it is. */
const members = (written: unknown): unknown =>
  typeof written === "string" ? written.split(",").map((member) => member.trim()) : written;

/** Texts separated by commas, or an array of texts. */
export function list(what = "names separated by commas"): OptionKind<string[]> {
  return {
    expected: what,
    placeholder: "A,B",
    read: members,
    accept: (value) => {
      const isList = Array.isArray(value) && value.length > 0;
      return isList && value.every((one) => typeof one === "string" && one !== "")
        ? (value as string[])
        : undefined;
    },
    write: (value) => value.join(","),
  };
}

/** Numbers within limits, separated by commas, or an array of them. */
export function numbers(limits: Limits): OptionKind<number[]> {
  const one = aNumber(limits);
  return {
    expected: `${one.expected.replace("a number", "numbers")} separated by commas`,
    placeholder: "X,Y",
    read: (written) => {
      const list = typeof written === "number" ? [written] : members(written);
      return Array.isArray(list) ? list.map((member) => one.read!(member)) : list;
    },
    accept: (value) => {
      const isList = Array.isArray(value) && value.length > 0;
      return isList && value.every((member) => one.accept(member) !== undefined)
        ? (value as number[])
        : undefined;
    },
    write: (value) => value.join(","),
  };
}

/** A text that means something; what it means is for the command to find out again. */
export function textThat(expected: string, means: (text: string) => boolean): OptionKind<string> {
  return {
    expected,
    placeholder: "TEXT",
    accept: (value) => (typeof value === "string" && means(value) ? value : undefined),
  };
}
