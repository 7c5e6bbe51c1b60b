import { expect, test } from "vitest";
import { CURATOR_PATIENCE } from "../../../src/federation/index.js";
import { patienceOf } from "../../../src/federation/curator/patience.js";

test("what is left out or undefined is the default", () => {
  expect(patienceOf({})).toEqual(CURATOR_PATIENCE);
  const given = { linger: 0, expelAfter: undefined } as object;
  expect(patienceOf(given)).toEqual({ ...CURATOR_PATIENCE, linger: 0 });
});

test.each([
  ["remind", NaN],
  ["remind", 0],
  ["remind", Infinity],
  ["linger", -1],
  ["expelAfter", 1.5],
  ["mostTasks", "9"],
])("%s %s is refused by name", (name, value) => {
  expect(() => patienceOf({ [name]: value })).toThrow(`patience: ${name}: expected`);
});

test("a name that is none of them is refused with the one that may be meant", () => {
  expect(() => patienceOf({ remin: 5 } as object)).toThrow(
    /"remin" is not known here; .*\. Did you mean "remind"/,
  );
});
