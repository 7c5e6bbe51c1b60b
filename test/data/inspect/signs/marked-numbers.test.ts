import { expect, test } from "vitest";
import { areMarkedNumbers } from "../../../../src/data/inspect/signs/marked-numbers.js";

test("negative amounts in brackets, as bookkeepers write them", () => {
  expect(areMarkedNumbers(["(0.5)", "1.25", "7"])).toBe(true);
  expect(areMarkedNumbers(["($1,234.50)", "$7", "$12.50"])).toBe(true);
});

test("brackets around anything else are text", () => {
  expect(areMarkedNumbers(["(a)", "1.25", "7"])).toBe(false);
  expect(areMarkedNumbers(["(1)(2)", "1.25", "7"])).toBe(false);
  expect(areMarkedNumbers(["0.5", "1.25", "7"])).toBe(false);
});
