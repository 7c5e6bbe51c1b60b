/** What is wrong in several places is told in one message: five of them, and how many others there are. */
import { expect, test } from "vitest";
import { DataError } from "../../../src/core/errors.js";
import { Refusals } from "../../../src/core/messages/refusals.js";

const told = (count: number) => {
  const refusals = new Refusals();
  for (let k = 1; k <= count; k++) {
    refusals.of(() => {
      throw new DataError(`column ${k}`);
    });
  }
  try {
    refusals.throwAny();
  } catch (error) {
    return (error as Error).message.split("\n");
  }
  return [];
};

test.each([
  [0, []],
  [5, []],
  [6, ["Nor does 1 more column fit."]],
  [8, ["Nor do 3 more columns fit."]],
])("of %d the last line is %j", (count, last) => {
  const lines = told(count);
  expect(lines).toHaveLength(Math.min(count, 5) + last.length);
  expect(lines.slice(5)).toEqual(last);
});
