import { expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { LinearModel } from "../../../src/learning/models/linear-model.js";
import { LocalUpdates } from "../../../src/learning/families/averaging/updates/local-updates.js";
import { BroadcastLog } from "../../../src/learning/local-selection/broadcast-log.js";
import { singleProjection } from "../../../src/learning/steps/projection.js";
import { ResidentTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { makeTasks } from "../tasks.js";

const [ROUNDS, M] = [7, 6];

/** Tasks that keep their messages, and the same again, in one core. */
function placed(start: "own" | "global", shared: number, rounds: number) {
  const core = openCore();
  const data = makeTasks({ m: M, d: 4, rows: (i) => 3 + 2 * i });
  const tasks = new ResidentTasks(core, data, data.y, { loss: "squared", lossScale: "mean" });
  const make = () =>
    new LocalUpdates(new LinearModel(tasks, 1), {
      shared,
      start,
      lambda: 0.2,
      localSteps: 3,
      clip: 1,
      update: "from-local",
      steps: () => new Float64Array(M).fill(0.4),
      initial: new Float64Array(4),
      ahead: { rounds, sizes: { m: M, rows: data.size } },
    });
  return { core, kept: new BroadcastLog(core, make(), shared, () => undefined), make };
}

test.each([
  { start: "own", shared: 4, announced: ROUNDS, sampled: false },
  { start: "own", shared: 3, announced: 0, sampled: true },
  { start: "global", shared: 4, announced: 0, sampled: true },
  { start: "global", shared: 3, announced: 1000, sampled: true },
] as const)("following messages ends where receiving them one by one does, %o", (of) => {
  const { start, shared, announced, sampled } = of;
  const { core, kept, make } = placed(start, shared, announced);
  const others = make();
  const reversed = Uint32Array.from({ length: M }, (_, i) => M - 1 - i);
  const oneByOne: { models: Float64Array; global: Float64Array }[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const marks = sampled
      ? Uint8Array.from({ length: M }, (_, i) => ((i + round) % 3 === 0 ? 0 : 1))
      : undefined;
    kept.upload(round, marks);
    others.upload(round, marks && marks.map((_, i) => marks[reversed[i]!]!));
    const message = core.arena.copyOf(
      Float64Array.from({ length: shared }, (_, j) => Math.fround(Math.sin(round + j))),
    );
    kept.receive(message, round, round === ROUNDS);
    others.receive(message);
    oneByOne.push(others.checkpoint());
  }
  const follower = make();
  const seen: number[] = [];
  for (const round of kept.replay(follower, reversed, [2, 5])) {
    seen.push(round);
    const { models, global } = follower.checkpoint();
    expect(global).toEqual(oneByOne[round - 1]!.global);
    // Models that the next round's steps start from, unless they start from the shared one.
    if (start === "own" || shared < 4) expect(models).toEqual(oneByOne[round - 1]!.models);
  }
  expect(seen).toEqual([2, 5, ROUNDS]);
});

test("of symmetric matrices a half is kept, and the whole is applied in single precision", () => {
  const core = openCore();
  const d = 67;
  const project = singleProjection(core, 1, d);
  const x = Float64Array.from({ length: d }, (_, k) => Math.cos(k));
  const from = core.arena.copyOf(x);
  const out = core.arena.f64(d);
  const seen: Float64Array[] = [];
  const tasks = {
    m: 1,
    uploadLength: d,
    upload: () => 0,
    receive: (at: number) => {
      project(at, from, out);
      seen.push(core.arena.view(out, d).slice());
    },
  };
  const given = [1, 2].map((round) =>
    Float64Array.from({ length: d * d }, (_, k) => {
      const [i, j] = [Math.floor(k / d), k % d];
      return (i === j ? 1 : 0) + Math.sin(round + Math.min(i, j) + 100 * Math.max(i, j));
    }),
  );
  const quiet = { ...tasks, receive: () => undefined };
  const log = new BroadcastLog(core, quiet, d * d, () => undefined, d);
  given.forEach((matrix, k) => log.receive(core.arena.copyOf(matrix), k + 1, k === 1));
  expect([...log.replay(tasks, Uint32Array.of(0), [])]).toEqual([1, 2]);
  given.forEach((matrix, round) => {
    for (let i = 0; i < d; i++) {
      let [product, bound] = [0, 0];
      for (let j = 0; j < d; j++) {
        product += matrix[i * d + j]! * x[j]!;
        bound += Math.abs((matrix[i * d + j]! - (i === j ? 1 : 0)) * x[j]!);
      }
      expect(Math.abs(seen[round]![i]! - product)).toBeLessThan(70 * 2 ** -24 * bound);
    }
  });
  const blocks = { atOnce: 1, replay: () => undefined };
  expect(() => log.replay(blocks, Uint32Array.of(0), [])).toThrow(/round by round/);
});
