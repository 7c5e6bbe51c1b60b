/**
 * What a task can change in a release does not grow with the weights of its rows: uploads stay within what the noise is
 * sized for, between neighbouring inputs too.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { methodNamed } from "../../../src/learning/methods.js";
import { publicSizes } from "../../../src/learning/release/public-sizes.js";

const random = { mode: "seeded", seed: "sensitivity" } as const;
const budget = { epsilon: 1, delta: 1e-3, random, loss: "squared" };
const methods = [
  ["pmtl", { ...budget, clip: 0.7, safeguard: false }, 0.7],
  ["private-fedavg", { ...budget, clip: 0.7, safeguard: false }, 0.7],
  ["mp-low-rank", { ...budget, clip: 0.7, featureBound: 10 }, 0.7],
  ["mp-mixed", { ...budget, scale: "unit" }, 1],
] as const;

const weight = fc.oneof(
  fc.constantFrom(0, 1, 1e-12, 1e12),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
);
const own = fc.record({
  x: fc.array(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 2, maxLength: 2 }), {
    minLength: 5,
    maxLength: 5,
  }),
  y: fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 5, maxLength: 5 }),
  weights: fc.array(weight, { minLength: 5, maxLength: 5 }).map(([, ...rest]) => [1, ...rest]),
});

test.each(methods)("%s", (name, given, bound) => {
  const method = methodNamed(name);
  const options = Object.fromEntries(
    Object.entries(method.options).map(([key, { default: value }]) => [key, value]),
  );
  const halves = method.halves!({ ...options, ...given });
  fc.assert(
    fc.property(fc.array(own, { minLength: 3, maxLength: 3 }), (tasks) => {
      const data = TaskSet.from(tasks.map((task, i) => ({ name: `task-${i}`, ...task })));
      const core = openCore();
      const sizes = publicSizes(data);
      const releases = halves.releases({ sizes, outputs: 1 });
      const context = {
        core,
        data,
        sizes,
        positions: [0, 1, 2],
        classes: null,
        start: undefined,
        releases,
      };
      const half = halves.participants(context as never);
      const participants = half.stages[0]!;
      const uploads = core.arena.view(participants.upload(1), 3 * participants.uploadLength);
      for (let i = 0; i < 3; i++) {
        const one = uploads.subarray(
          i * participants.uploadLength,
          (i + 1) * participants.uploadLength,
        );
        expect(Math.hypot(...one)).toBeLessThanOrEqual(bound * (1 + 1e-12));
      }
      half.close();
    }),
    { numRuns: 30, seed: 2 },
  );
});
