import { describe, expect, test } from "vitest";
import {
  finite,
  finiteArray,
  integer,
  nonNegative,
  oneOf,
  positive,
} from "../../src/core/checks.js";

describe("checks name the argument, what was expected and what was found", () => {
  const refused: [() => unknown, new (message: string) => Error, string][] = [
    [() => finite("x", NaN), RangeError, "x: expected a finite number, got NaN"],
    [() => finite("x", "1" as never), TypeError, "x: expected a number, got string"],
    [() => positive("eps", 0), RangeError, "eps: expected eps > 0, got 0"],
    [() => nonNegative("tau", -1), RangeError, "tau: expected tau >= 0, got -1"],
    [() => integer("T", 1.5, 1), RangeError, "T: expected an integer >= 1, got 1.5"],
    [() => integer("T", 9, 1, 8), RangeError, "T: expected an integer from 1 to 8, got 9"],
    [
      () => oneOf("loss", "cubic", ["a", "b"]),
      RangeError,
      'loss: expected one of a, b; got "cubic"',
    ],
    [() => finiteArray("w", [1] as never, 1), TypeError, "w: expected a Float64Array"],
    [() => finiteArray("w", new Float64Array(2), 3), RangeError, "w: expected 3 entries, got 2"],
    [
      () => finiteArray("w", Float64Array.of(1, Infinity), 2),
      RangeError,
      "w: expected finite entries, entry 1 is not",
    ],
  ];
  test.each(refused)("%#", (check, kind, message) => {
    expect(check).toThrow(kind);
    expect(check).toThrow(message);
  });

  test("and give accepted values back", () => {
    const array = Float64Array.of(1, 2);
    expect([
      positive("a", 2),
      nonNegative("b", 0),
      integer("c", 3, 1),
      oneOf("d", "x", ["x"]),
    ]).toEqual([2, 0, 3, "x"]);
    expect(finiteArray("e", array, 2)).toBe(array);
  });
});
