import fc from "fast-check";
import { expect, test } from "vitest";
import { ALL_METHODS } from "../../src/learning/estimators/all.js";
import { thorough } from "../thorough.js";
import { configurations } from "./configurations.js";
import { checkJudgements } from "./judgements.js";

/** Those that a private selection takes. */
const methods = ALL_METHODS.filter(
  ({ privacy, halves }) => privacy?.unit === "task" && halves !== undefined,
);

test("judgements of a private selection are each task's own", async () => {
  let judged = 0;
  const property = fc.asyncProperty(configurations(methods), async (configuration) => {
    const { faults, refused } = await checkJudgements(configuration);
    if (refused === undefined) judged++;
    expect(faults).toEqual([]);
  });
  await fc.assert(property, { seed: 5, numRuns: thorough ? 40 : 8 });
  expect(judged).toBeGreaterThan(thorough ? 10 : 2);
}, 240_000);
