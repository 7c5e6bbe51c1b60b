/**
 * Kinds of values an option may have. One description of each serves the checks of the library, the
 * text of flags and the help, so that they cannot differ.
 * @module
 */

/** What the values of an option are, in code and as the text of a flag. */
export interface OptionKind<T> {
  /** Completes "expected …". */
  readonly expected: string;
  /** The same on the command line, where values are written otherwise. */
  readonly expectedText?: string;
  /** What stands for the value in a help text. */
  readonly placeholder: string;
  /** No message shows what was given. */
  readonly secret?: true;
  /** The words it may be, where there are few. */
  readonly words?: readonly string[];
  /** The value, its parts completed by their defaults; undefined if it is none of this kind. */
  accept(value: unknown): T | undefined;
  /** On the command line it is the name of a JSON file, whose content is the value. */
  readonly fromFile?: true;
  /**
   * What was written stands for: the text of a flag, or a value of a configuration file. `accept` judges
   * the result. Absent: what was written.
   */
  read?(written: unknown): unknown;
  /** The value as the text of a flag; absent: as `String` has it. */
  write?(value: T): string;
}

/** Limits of a number; "above" and "below" are strict. */
export interface Limits {
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
  readonly below?: number;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number that a text writes in decimal; anything else as it is. */
const readNumber = (written: unknown): unknown =>
  typeof written === "string" && NUMBER.test(written.trim()) ? Number(written) : written;

const isWithin = ({ min, max, above, below }: Limits, value: number) =>
  (min === undefined || value >= min) &&
  (max === undefined || value <= max) &&
  (above === undefined || value > above) &&
  (below === undefined || value < below);

function limitsText({ min, max, above, below }: Limits): string {
  const parts = [
    min === undefined ? [] : `>= ${min}`,
    above === undefined ? [] : `> ${above}`,
    max === undefined ? [] : `<= ${max}`,
    below === undefined ? [] : `< ${below}`,
  ].flat();
  return parts.length > 0 ? ` ${parts.join(" and ")}` : "";
}

/** A finite number within limits. */
export function aNumber(limits: Limits = {}): OptionKind<number> {
  return {
    expected: `a number${limitsText(limits)}`,
    placeholder: "X",
    read: readNumber,
    accept: (value) =>
      Number.isFinite(value) && isWithin(limits, value as number) ? (value as number) : undefined,
  };
}

/** An integer within limits. */
export function anInteger(limits: Limits): OptionKind<number> {
  return {
    ...aNumber(limits),
    expected: `an integer${limitsText(limits)}`,
    placeholder: "N",
    accept: (value) =>
      Number.isSafeInteger(value) && isWithin(limits, value as number)
        ? (value as number)
        : undefined,
  };
}

export const aPositive = aNumber({ above: 0 });
/** A length, or a factor of one: what lies beyond is a slip, and would be obeyed with models that nobody can use. */
export const aLength: OptionKind<number> = {
  ...aNumber({ min: 1e-30, max: 1e30 }),
  expected: "a number from 1e-30 to 1e30 (data that need another want other units)",
};
export const aNonNegative = aNumber({ min: 0 });
export const aPositiveInteger = anInteger({ min: 1 });

/** A part of a whole, more than nothing and less than all. */
export const aShare = aNumber({ above: 0, below: 1 });

const YES_NO: ReadonlyMap<unknown, boolean> = new Map([
  ["yes", true],
  ["true", true],
  ["no", false],
  ["false", false],
]);

export const aBoolean: OptionKind<boolean> = {
  expected: "true or false",
  expectedText: "yes or no",
  placeholder: "yes|no",
  read: (written) => YES_NO.get(written) ?? written,
  write: (value) => (value ? "yes" : "no"),
  accept: (value) => (typeof value === "boolean" ? value : undefined),
};

/** Longest list of words that stands for the value itself in a help text. */
const SHORT = 32;

/** One of a few words. */
export function aWord<const T extends string>(words: readonly T[]): OptionKind<T> {
  const list = words.join("|");
  return {
    words,
    expected: words.length === 1 ? words[0]! : `one of ${words.join(", ")}`,
    placeholder: list.length <= SHORT ? list : "NAME",
    accept: (value) => (words.includes(value as T) ? (value as T) : undefined),
  };
}

/** One of a few words, or what another kind accepts. */
export function aWordOr<const T extends string, U>(
  words: readonly T[],
  other: OptionKind<U>,
): OptionKind<T | U> {
  const isWord = (value: unknown): value is T => words.includes(value as T);
  const or = (text: string) => `${words.join(", ")} or ${text}`;
  return {
    words,
    expected: or(other.expected),
    ...(other.expectedText === undefined ? {} : { expectedText: or(other.expectedText) }),
    placeholder: [...words, other.placeholder].filter((part) => part !== "").join("|"),
    read: (written) => (isWord(written) || !other.read ? written : other.read(written)),
    write: (value) => (isWord(value) || !other.write ? String(value) : other.write(value)),
    accept: (value) => (isWord(value) ? value : other.accept(value)),
  };
}

/** What is given in code only and has no form as text; its shape is checked where the data is known. */
export function inCodeOnly<T>(
  expected: string,
  accepts: (value: unknown) => boolean,
): OptionKind<T> {
  return {
    expected,
    expectedText: "what can be written as a flag",
    placeholder: "",
    accept: (value) => (accepts(value) ? (value as T) : undefined),
  };
}

/** A Float64Array of finite numbers. */
export const aMatrix = inCodeOnly<Float64Array>(
  "a Float64Array of finite numbers",
  (value) => value instanceof Float64Array && value.every(Number.isFinite),
);

/** "kind:1:2" as its word and numbers; NaN for what is no number. */
export function wordAndNumbers(text: string): { word: string; numbers: number[] } {
  const [word = "", ...rest] = text.split(":");
  return { word, numbers: rest.map((part) => (part.trim() === "" ? NaN : Number(part))) };
}

/**
 * What was taken of a given object; undefined where that has a field which was not: who misspells one, or gives one of another kind, means
 * something by it.
 */
export function nothingLost<T extends object>(taken: T | undefined, given: object): T | undefined {
  const isLost = ([name, value]: [string, unknown]) =>
    value !== undefined && !(taken && Object.hasOwn(taken, name));
  return Object.entries(given).some(isLost) ? undefined : taken;
}
