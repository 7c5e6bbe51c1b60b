/** Tasks of more than 256 features, whose rounds are replayed on folds in single precision. */
import { expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import { TaskSet } from "../../../../src/data/index.js";
import { MpLowRank } from "../../../../src/learning/index.js";
import { BroadcastLog } from "../../../../src/learning/local-selection/broadcast-log.js";
import { fixedMomentum } from "../../../../src/learning/steps/momentum.js";
import {
  matrixProjection,
  singleProjection,
  type Projection,
} from "../../../../src/learning/steps/projection.js";
import { ProximalGradient } from "../../../../src/learning/steps/proximal-gradient.js";
import { ResidentTasks } from "../../../../src/learning/tasks/resident-tasks.js";
import { makeTasks } from "../../tasks.js";

const [m, d, ROUNDS] = [5, 260, 12];
const data = makeTasks({ m, d, rows: () => 14, noise: 0.2 });

test("models after all rounds are those of double precision, to what single precision rounds", () => {
  const core = openCore();
  const tasks = new ResidentTasks(core, data, data.y, { loss: "squared", lossScale: "mean" });
  const start = (projection: Projection) =>
    new ProximalGradient(tasks, {
      clip: 10,
      clipIterate: true,
      steps: new Float64Array(m).fill(0.5),
      strongConvexity: 0,
      momentum: fixedMomentum("convex", 0, 1),
      projection,
      initial: new Float64Array(m * d),
      initialIntercepts: new Float64Array(m),
    });
  const first = start(matrixProjection(core, m, d));
  const log = new BroadcastLog(core, first, d * d, () => undefined, d);
  for (let round = 1; round <= ROUNDS; round++) {
    log.upload(round);
    // I less a matrix of norm about 0.3, another in each round.
    const broadcast = Float64Array.from({ length: d * d }, (_, k) => {
      const [i, j] = [Math.floor(k / d), k % d];
      const entry = Math.sin(round * (1 + Math.min(i, j)) + 7 * Math.max(i, j));
      return (i === j ? 0.8 : 0) + (0.1 * entry) / Math.sqrt(d);
    });
    log.receive(core.arena.copyOf(broadcast), round, round === ROUNDS);
  }
  const again = start(singleProjection(core, m, d));
  const owners = Uint32Array.from({ length: m }, (_, i) => i);
  expect([...log.replay(again, owners, [])]).toHaveLength(ROUNDS);
  const models = (of: ProximalGradient) => core.arena.view(of.weights, m * d).slice();
  const [one, other] = [models(first), models(again)];
  const apart = Math.hypot(...one.map((value, k) => value - other[k]!)) / Math.hypot(...one);
  expect(apart).toBeLessThan(1e-6);
  expect(apart).toBeGreaterThan(0);
});

test("dense rows and the same ones sparse have the same models, whatever tasks choose", async () => {
  const sparse = TaskSet.from(
    [...data].map(({ name, x, y }) => {
      const indptr = Array.from({ length: y.length + 1 }, (_, row) => row * d);
      const indices = Array.from(x, (_, k) => k % d);
      return { name, x: { indptr, indices, values: x, shape: [y.length, d] as const }, y };
    }),
  );
  const random = { mode: "seeded", seed: "wide" } as const;
  const estimator = new MpLowRank({ rounds: 4, epsilon: 20, clip: 5, random, choice: "local" });
  const [one, other] = [await estimator.fit(data), await estimator.fit(sparse)];
  const apart = one.weights.map((value, k) => value - other.weights[k]!);
  expect(Math.hypot(...apart)).toBeLessThan(1e-5 * Math.hypot(...one.weights));
});
