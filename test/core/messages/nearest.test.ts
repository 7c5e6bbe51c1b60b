import { expect, test } from "vitest";
import { didYouMean, meantWord, nearest } from "../../../src/core/messages/nearest.js";

test("finds typing slips, nearest first", () => {
  expect(nearest("shcool-1", ["school-1", "school-2", "landmine"])).toEqual([
    "school-1",
    "school-2",
  ]);
  expect(nearest("epsilom", ["delta", "epsilon"])).toEqual(["epsilon"]);
});

test("ignores case and takes a beginning for the whole", () => {
  expect(nearest("EPS", ["epsilon", "delta"])).toEqual(["epsilon"]);
});

test("suggests nothing when nothing is near", () => {
  expect(nearest("xyz", ["epsilon", "delta"])).toEqual([]);
  expect(nearest("w", ["u", "v", "W"])).toEqual(["W"]);
  expect(didYouMean("xyz", ["epsilon"])).toBe("");
  expect(didYouMean("", [])).toBe("");
});

test("says it as a question", () => {
  expect(didYouMean("round", ["rounds"])).toBe(' Did you mean "rounds"?');
  expect(didYouMean("a-1", ["a-2", "a-3", "b-7"])).toBe(' Did you mean "a-2" or "a-3"?');
});

test("guesses at words before a colon, and at texts only", () => {
  expect(meantWord("polynomal:0.4", ["constant", "polynomial"])).toBe(
    ' Did you mean "polynomial"?',
  );
  expect(meantWord(3, ["3"])).toBe("");
  expect(meantWord("constant", undefined)).toBe("");
});
