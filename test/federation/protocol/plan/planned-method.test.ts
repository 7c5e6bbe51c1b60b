/** What a plan may release: nothing that a participant which returns would draw again. */
import { expect, test } from "vitest";
import { makePlan } from "../../../../src/federation/index.js";
import { plannedMethod } from "../../../../src/federation/protocol/plan/planned-method.js";

test("own releases are refused in a federated run, where they would be drawn again", () => {
  const sizes = { m: 20, d: 2, rows: 400, mostRows: 30, undeclared: [] };
  const planOf = (options: object) =>
    makePlan({ run: "own", method: "mp-mixed", features: ["a", "b"], options: { ...options, unit: "record", rowsPerPerson: 1, delta: 1e-6 } }); // prettier-ignore
  expect(plannedMethod(planOf({}), sizes).releases.own).toBeUndefined();
  expect(() => plannedMethod(planOf({ ownModel: "noisy" }), sizes)).toThrow(/ownModel/);
});
