/** Whatever numbers rows hold, no task of any private method uploads a vector that is longer than the plan's bound. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { METHODS } from "../../../src/learning/methods.js";
import type { RoundView } from "../../../src/learning/round/observer.js";
import {
  releasesOf,
  type DividedEstimator,
} from "../../../src/learning/release/private-estimator.js";
import { rounding, vectorOf } from "../../magnitudes.js";

const [m, n, d] = [4, 3, 2];
const given = { epsilon: 5, delta: 1e-3, random: { mode: "seeded", seed: 3 }, scale: "unit", rounds: 2 }; // prettier-ignore
const names = METHODS.filter(({ privacy, halves }) => privacy && halves).map(({ name }) => name);

/** Data that is refused, or has no model in double precision, before anything is uploaded. */
const REFUSED = /featureBound|needs squares|no unique minimum/;

test.each(names)("%s", async (name) => {
  const method = METHODS.find((one) => one.name === name)!;
  const options = Object.fromEntries(
    Object.entries(given).filter(([key]) => key in method.options),
  );
  let shown = 0;
  const rows = fc.record({
    x: vectorOf({ minLength: m * n * d, maxLength: m * n * d }),
    y: vectorOf({ minLength: m * n, maxLength: m * n }),
  });
  await fc.assert(
    fc.asyncProperty(rows, async ({ x, y }) => {
      const tasks = TaskSet.from(
        Array.from({ length: m }, (_, i) => ({
          name: `task-${i}`,
          x: Array.from({ length: n }, (_row, j) => [...x.subarray((i * n + j) * d, (i * n + j + 1) * d)]), // prettier-ignore
          y: y.slice(i * n, (i + 1) * n),
        })),
      );
      const estimator = method.make(options) as DividedEstimator;
      const { stages } = releasesOf(estimator, tasks);
      const observe = ({ stage, round, m: count, d: length, values }: RoundView) => {
        if (stage !== "uploads") return;
        shown++;
        const { clip } = stages.find(({ first, rounds }) => round < first + rounds)!;
        for (let i = 0; i < count; i++) {
          const own = values.subarray(i * length, (i + 1) * length);
          expect(Math.hypot(...own)).toBeLessThanOrEqual(clip * rounding(length));
        }
      };
      try {
        await estimator.fit(tasks, { observe });
      } catch (error) {
        expect((error as Error).message).toMatch(REFUSED);
      }
    }),
    { seed: 9, numRuns: 15 },
  );
  expect(shown).toBeGreaterThan(0);
});
