/**
 * No kernel writes beyond what it was given: behind the last block that the arena handed out nothing changes.
 */
import { expect, test } from "vitest";
import { openCore, type Core } from "../../../src/core/index.js";
import { QuadraticTasks } from "../../../src/learning/tasks/quadratic-tasks.js";
import { LocalRounds } from "../../../src/learning/steps/local-rounds.js";
import { fixedMomentum } from "../../../src/learning/steps/momentum.js";
import { QuadraticReplay } from "../../../src/learning/families/projected/quadratic-replay.js";
import { StrengthPath } from "../../../src/learning/families/prior/strength/strength-path.js";
import { FOLDS } from "../../../src/learning/local-selection/thresholds.js";
import { scaledIdentity, solveTasks } from "../../../src/learning/tasks/solves/local-solves.js";
import { foldRidge, ownRidge } from "../../../src/learning/tasks/own-models/own-ridge.js";
import { ResidentTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { ridgePath } from "../../../src/learning/tasks/solves/ridge-path.js";
import { makeTasks } from "../tasks.js";
import { someOf } from "../../thorough.js";

const BYTES = 2 ** 24;
const PATTERN = 0xa5a5a5a5;
const untouched = Buffer.alloc(2 ** 26, 0xa5);

/** Runs the work and returns how many words behind all blocks it changed. */
function wordsChangedBehind({ arena, kernels }: Core, work: () => void): number {
  const mark = arena.mark();
  arena.bytes(BYTES);
  arena.release(mark);
  new Uint32Array(kernels.memory.buffer, mark).fill(PATTERN);
  let top = mark;
  const bytes = arena.bytes.bind(arena);
  arena.bytes = (count, what) => {
    const at = bytes(count, what);
    top = Math.max(top, arena.mark());
    return at;
  };
  work();
  expect(top - mark).toBeLessThan(BYTES);
  const behind = new Uint32Array(kernels.memory.buffer, top);
  // Words are looked at one by one only where some differ: over millions of them that took most of the test's time.
  if (!Buffer.from(behind.buffer, top).compare(untouched.subarray(0, behind.byteLength))) return 0;
  return behind.filter((word) => word !== PATTERN).length;
}

/** Every task without each fold. */
const entriesOf = ({ m }: ResidentTasks) => {
  const owners = Uint32Array.from({ length: FOLDS * m }, (_, k) => Math.floor(k / FOLDS));
  return { parts: FOLDS, owners, folds: owners.map((_, k) => k % FOLDS) };
};
/** What tasks have done to them; each on a core of its own. */
const works: Record<string, (tasks: ResidentTasks) => void> = {
  "Gram matrices": (tasks) => void QuadraticTasks.of(tasks),
  "Gram matrices of folds": (tasks) => void QuadraticTasks.withoutFolds(tasks, entriesOf(tasks)),
  "rounds on folds": (tasks) => {
    const { d, core } = tasks;
    const entries = entriesOf(tasks);
    const count = entries.owners.length;
    const replay = new QuadraticReplay(tasks, entries, {
      clip: 1,
      steps: new Float64Array(count).fill(0.1),
      strongConvexity: 0.1,
      momentum: fixedMomentum("convex", 0, 1),
      starts: { weights: core.arena.zeros(count * d), intercepts: core.arena.zeros(count) },
    });
    replay.replay([1, 2, 3].map((at) => new Float32Array(d * d).fill(at / d)));
  },
  "own models": (tasks) => void ownRidge(tasks),
  "own models without folds": (tasks) => void ownRidge(tasks, entriesOf(tasks)),
  "the same in lanes": (tasks) => void foldRidge(tasks, entriesOf(tasks)),
  "steps at once": (tasks) => {
    const { core, m, d } = tasks;
    const steps = () => new Float64Array(m).fill(0.1);
    const objective = { shared: d, start: "own", localSteps: 11, steps } as const;
    const ahead = { rounds: 1000, sizes: { m, rows: tasks.rows } };
    const local = new LocalRounds(tasks, core.arena.zeros(m * d), objective, ahead);
    local.hold(0.1);
    local.prepare();
    local.run(core.arena.zeros(d), 1);
  },
  "largest curvatures": (tasks) => void tasks.smoothness(),
  "ridge weights with folds": (tasks) =>
    void ridgePath(tasks, Float64Array.from([1e-3, 0.1]), FOLDS),
  "ridge models": (tasks) => {
    const { core, m, d } = tasks;
    const weights = core.arena.zeros(m * d);
    const precision = scaledIdentity(core.arena, d, 0.1);
    solveTasks(tasks, { precision, center: 0 }, { weights, intercepts: 0 });
  },
  "strengths of a prior": (tasks) => {
    const { core, m, d } = tasks;
    const prior = { precision: scaledIdentity(core.arena, d, 1), center: 0 };
    const path = StrengthPath.open(tasks, prior, [1e-3, 0.1])!;
    for (let i = 0; i < m; i++) {
      path.solve(i);
      path.average(Float64Array.from([0.5, 0.5]));
    }
  },
};

test.each(someOf([130, 29, 3, 60, 110], 5))(
  "kernels of tasks keep to their workspace (%i features)",
  (d) => {
    const rows = [d - 1, 5, d, d + 40, 2];
    const data = makeTasks({ m: rows.length, d, rows: (i) => rows[i]! });
    for (const loss of ["squared", "logistic"] as const) {
      for (const [what, work] of Object.entries(works)) {
        if (loss === "logistic" && what !== "ridge models" && what !== "steps at once") continue;
        const core = openCore();
        const y = loss === "squared" ? data.y : data.y.map((value) => (value > 0 ? 1 : -1));
        const tasks = new ResidentTasks(core, data, y, { loss, lossScale: "mean" });
        expect(
          wordsChangedBehind(core, () => work(tasks)),
          `${what}, ${loss}`,
        ).toBe(0);
      }
    }
  },
);
