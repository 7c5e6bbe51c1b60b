/** What every declaration of an option must keep, whatever it declares. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { METHODS } from "../../../src/learning/methods.js";
import { checkOptions } from "../../../src/learning/options/configured-estimator.js";
import {
  aBoolean,
  anInteger,
  aNumber,
  aWord,
  aWordOr,
  type Limits,
} from "../../../src/learning/options/kinds.js";
import {
  defaultText,
  flagOf,
  option,
  withDefault,
  type OptionDeclaration,
} from "../../../src/learning/options/option.js";

type Declared = [method: string, name: string, declared: OptionDeclaration<unknown>];
const all: Declared[] = METHODS.flatMap((method) =>
  Object.entries(method.options as Record<string, OptionDeclaration<unknown>>).map(
    ([name, declared]): Declared => [method.name, name, declared],
  ),
);

describe("every option of every method", () => {
  test("has a default that it accepts, and that is itself again after being written and read", () => {
    for (const [method, name, declared] of all) {
      const where = `${method}, ${name}`;
      expect(declared.accept(declared.default), where).toEqual(declared.default);
      if (name === "random") continue; // No text stands for "no seed".
      const text = defaultText(declared)!;
      const read = declared.read ? declared.read(text) : text;
      expect(declared.accept(read), where).toEqual(declared.default);
    }
  });

  test("takes each of its words as a flag, and nothing else that looks like one", () => {
    for (const [method, name, { words = [], accept, read }] of all) {
      for (const word of words) expect(accept(read ? read(word) : word), method).toBe(word);
      const wrong = read ? read("no such word") : "no such word";
      if (name !== "random") expect(accept(wrong), `${method}, ${name}`).toBeUndefined();
      for (const value of [undefined, NaN, [], () => 1]) {
        expect(accept(value), `${method}, ${name}`).toBeUndefined();
      }
    }
  });

  test("has a flag of its own, and a sentence that does not repeat the default", () => {
    for (const { name, options } of METHODS) {
      const flags = Object.entries(options).map(([key, declared]) => flagOf(key, declared));
      expect(new Set(flags).size, name).toBe(flags.length);
      for (const { help } of Object.values(options)) {
        expect(help, name).toMatch(/\.$/);
        expect(help, name).not.toMatch(/default/i);
      }
    }
  });
});

test("the default in the words above a declaration is the declared one", () => {
  const root = fileURLToPath(new URL("../../../src/learning/", import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: "utf8" });
  const declared =
    /\/\*\*((?:(?!\*\/)[\s\S])*?)\*\/\n\s*(\w+): option\(((?:(?!\n {2}\}\),)[\s\S])*?)default: ([^,}]+?),?\s*\}\),/g;
  let numbers = 0;
  for (const file of files.filter((name) => name.endsWith(".ts"))) {
    for (const [, words, name, , value] of readFileSync(root + file, "utf8").matchAll(declared)) {
      const said = /[Dd]efault (\d[\d,.e-]*\d|\d|true|false|"[\w-]+")/.exec(words!)?.[1];
      if (said === undefined) continue;
      numbers++;
      expect(said.replaceAll(",", ""), `${file}, ${name}`).toBe(value!.replaceAll("_", ""));
    }
  }
  expect(numbers).toBeGreaterThan(25);
});

describe("kinds of values", () => {
  const limits = fc.record<Limits>(
    { min: fc.integer(), max: fc.integer(), above: fc.integer(), below: fc.integer() },
    { requiredKeys: [] },
  );
  const fits = ({ min, max, above, below }: Limits, x: number) =>
    !(x < (min ?? x) || x > (max ?? x) || (above !== undefined && !(x > above))) &&
    (below === undefined || x < below);

  test("numbers: what is accepted is what the limits say, as a value and as a text", () => {
    fc.assert(
      fc.property(limits, fc.double({ noNaN: true }), (within, x) => {
        const kind = aNumber(within);
        const expected = Number.isFinite(x) && fits(within, x) ? x : undefined;
        expect(kind.accept(x)).toBe(expected);
        // Minus zero is written as zero.
        const read = expected === 0 ? 0 : expected;
        if (Number.isFinite(x)) expect(kind.accept(kind.read!(String(x)))).toBe(read);
        const whole = Number.isSafeInteger(x) ? expected : undefined;
        expect(anInteger(within).accept(x)).toBe(whole);
      }),
    );
  });

  test.each(["", " ", "0x10", "1_000", "Infinity", "nan", "1,5", "--1"])(
    "%j is no number",
    (text) => {
      const { accept, read } = aNumber();
      expect(accept(read!(text))).toBeUndefined();
    },
  );

  test("words or another kind: a word wins, the rest is the other's", () => {
    const kind = aWordOr(["auto"], aBoolean);
    expect(["auto", "yes", "no", "maybe"].map((text) => kind.accept(kind.read!(text)))).toEqual([
      "auto",
      true,
      false,
      undefined,
    ]);
    expect(kind.expected).toBe("auto or true or false");
    expect(kind.write!(true)).toBe("yes");
  });
});

test("checkOptions names every problem: bad, missing and unknown", () => {
  const words = { group: "model", help: "Of a test." } as const;
  const declared = {
    size: option(aNumber({ above: 0 }), { ...words, default: 1 }),
    kind: aWord(["a", "b"]),
    name: withDefault(option(aWord(["x", "y"]), { ...words, default: "x" }), "y"),
  };
  expect(
    checkOptions<{ size: number; kind: string; name: string }>("toy", { kind: "a" }, declared),
  ).toEqual({
    size: 1,
    kind: "a",
    name: "y",
  });
  expect(() => checkOptions("toy", { size: -1, colour: "red" } as object, declared)).toThrow(
    "toy: size: expected a number > 0, got -1; kind: required; colour: not an option of toy; " +
      "it has size, kind, name",
  );
});
