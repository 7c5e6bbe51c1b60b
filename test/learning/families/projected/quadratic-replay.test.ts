import { describe, expect, test } from "vitest";
import type { Core } from "../../../../src/core/core.js";
import { fixedMomentum } from "../../../../src/learning/steps/momentum.js";
import { BroadcastLog } from "../../../../src/learning/local-selection/broadcast-log.js";
import { QuadraticReplay } from "../../../../src/learning/families/projected/quadratic-replay.js";
import { matrixProjection } from "../../../../src/learning/steps/projection.js";
import { ProximalGradient } from "../../../../src/learning/steps/proximal-gradient.js";
import { QuadraticTasks } from "../../../../src/learning/tasks/quadratic-tasks.js";
import { ResidentTasks } from "../../../../src/learning/tasks/resident-tasks.js";
import { describeBuilds } from "../../../assembly/builds.js";
import { makeTasks } from "../../tasks.js";

const ROUNDS = 7;
const STOPS = [2, 3, 7];

/** Models at the stops when all rounds are taken one by one, and when they are taken in calls. */
function both(core: Core, m: number, d: number, { mu = 0, clip = 1, intercept = false }) {
  const data = makeTasks({ m, d, rows: (i) => 1 + 3 * i, noise: 0.5 });
  const tasks = new ResidentTasks(core, data, data.y, {
    ...{ loss: "squared", lossScale: "mean", intercept },
  });
  const { arena } = core;
  const options = {
    clip,
    clipIterate: true,
    steps: Float64Array.from({ length: m }, (_, i) => 0.1 + 0.02 * i),
    strongConvexity: mu,
    momentum: fixedMomentum("convex", 0, 1),
    projection: matrixProjection(core, m, d),
    initial: Float64Array.from({ length: m * d }, (_, k) => Math.sin(k)),
    initialIntercepts: Float64Array.from({ length: m }, (_, i) => Math.cos(i)),
  };
  const quadratics = QuadraticTasks.of(tasks);
  const single: Float64Array[] = [];
  const steppers = new ProximalGradient(quadratics, options);
  const models = ({ weights, intercepts }: { weights: number; intercepts: number }) =>
    Float64Array.of(...arena.view(weights, m * d), ...(intercept ? arena.view(intercepts, m) : []));
  const kept = new BroadcastLog(core, steppers, d * d, (round) => {
    if (STOPS.includes(round)) single.push(models(steppers));
  });
  const message = arena.f64(d * d);
  for (let round = 1; round <= ROUNDS; round++) {
    // Exact in single precision, as messages are kept.
    const values = Float64Array.from({ length: d * d }, (_, k) =>
      Math.fround(Math.cos(round + k * k) / d),
    );
    arena.view(message, d * d).set(values);
    kept.upload(round);
    kept.receive(message, round, round === ROUNDS);
  }
  const followers = new QuadraticReplay(quadratics, options);
  const several: Float64Array[] = [];
  for (const done of kept.replay(
    followers,
    Uint32Array.from({ length: m }, (_, i) => i),
    STOPS,
  )) {
    if (STOPS.includes(done)) several.push(models(followers));
  }
  return { single, several };
}

describeBuilds("rounds of Algorithm 2 in one call", (core) => {
  // Groups of five tasks whole and in part; columns by four, whole and overlapping; fewer than four.
  describe.each([1, 3, 4, 7, 12, 30])("d = %i", (d) => {
    test.each([1, 5, 13])("are those taken one by one, to the bit: %i tasks", (m) => {
      for (const rule of [{}, { mu: 0.3 }, { clip: 0.2 }, { mu: 0.1, intercept: true }]) {
        const { single, several } = both(core, m, d, rule);
        expect(several).toHaveLength(STOPS.length);
        expect(several).toEqual(single);
        expect(single.at(-1)!.some((w) => Math.abs(w) > 1e-4)).toBe(true);
      }
    });
  });

  test("a model that overflows is shared as zero, as in single rounds", () => {
    const { single, several } = both(core, 6, 4, { mu: 1e200 });
    expect(several).toEqual(single);
  });
});
