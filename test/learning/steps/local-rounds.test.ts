import { expect, test } from "vitest";
import type { Core } from "../../../src/core/core.js";
import { LocalRounds } from "../../../src/learning/steps/local-rounds.js";
import { ResidentTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { TaskSet } from "../../../src/data/index.js";
import { builds, coreOf, describeBuilds } from "../../assembly/builds.js";
import { LOGISTIC, problem, SQUARED, taskLoss, type Problem } from "../../assembly/problem.js";

const sizes = [5, 1, 9, 70];
const ETA = 0.05;

interface Setting {
  loss: number;
  d: number;
  /** Steps a round. */
  steps: number;
  start: "own" | "global";
  lambda: number;
  rounds: number;
}

/** Shared models of the rounds, and who takes part; the last entry of a model is a task's own. */
function course(core: Core, { d, rounds }: Setting) {
  const shared = problem(core, { sizes: [1], d: d * rounds, loss: SQUARED, seed: 5 }).x;
  for (let r = 0; r < rounds; r++) shared[r * d + d - 1] = 0;
  const marks = Uint8Array.from({ length: rounds * sizes.length }, (_, k) => (k % 5 === 3 ? 0 : 1));
  return { shared, marks };
}

function setting(core: Core, { loss, d }: Setting): Problem {
  return problem(core, { sizes, d, loss, shift: 0.2 });
}

/** By the kernel, with as many rounds announced as make it take the steps one by one or all at once. */
function byKernel(core: Core, of: Setting, announced: number): Float64Array {
  const { arena, kernels } = core;
  const p = setting(core, of);
  const { d, steps, start, lambda, rounds } = of;
  const { m, x, y, offsets } = p;
  const data = TaskSet.adopt({
    x,
    y,
    offsets: Uint32Array.from(offsets),
    names: sizes.map(String),
    featureNames: Array.from({ length: d }, (_, k) => String(k)),
    targetName: "y",
  });
  const tasks = new ResidentTasks(core, data, y, {
    loss: of.loss === SQUARED ? "squared" : "logistic",
    lossScale: "mean",
  });
  const models = arena.copyOf(p.weights);
  const etasThatTakeMemory = () => {
    const mark = arena.mark();
    arena.bytes(kernels.memory.buffer.byteLength);
    arena.release(mark);
    return etas();
  };
  const objective = {
    ...({ shared: d - 1, start, localSteps: steps } as const),
    steps: etasThatTakeMemory,
  };
  const local = new LocalRounds(tasks, models, objective, {
    rounds: announced,
    sizes: { m, rows: y.length },
  });
  const { shared, marks } = course(core, of);
  local.hold(lambda);
  local.prepare();
  local.run(arena.copyOf(shared), rounds, marks);
  return arena.view(models, m * d).slice();
}

const etas = () => Float64Array.from(sizes, (_, i) => ETA / (i + 1));

/** By plain loops. */
function plainly(core: Core, of: Setting): Float64Array {
  const p = setting(core, of);
  const { d, steps, start, lambda, rounds, loss } = of;
  const { shared, marks } = course(core, of);
  const models = p.weights.slice();
  for (let r = 0; r < rounds; r++) {
    const v = shared.subarray(r * d, (r + 1) * d);
    for (let i = 0; i < p.m; i++) {
      if (marks[r * p.m + i] === 0) continue;
      const w = models.subarray(i * d, (i + 1) * d);
      if (start === "global") w.set(v.subarray(0, d - 1));
      for (let step = 0; step < steps; step++) {
        const { gradient } = taskLoss(p, loss, i, w, 0);
        gradient.forEach((slope, k) => {
          const pull = k < d - 1 ? lambda * (w[k]! - v[k]!) : 0;
          w[k]! -= etas()[i]! * (slope + pull);
        });
      }
    }
  }
  return models;
}

describeBuilds("rounds of local steps", (core) => {
  test.each([
    { loss: SQUARED, d: 2, steps: 1, start: "own", lambda: 0, rounds: 1 },
    { loss: SQUARED, d: 7, steps: 2, start: "own", lambda: 0.3, rounds: 3 },
    { loss: SQUARED, d: 12, steps: 7, start: "global", lambda: 0.3, rounds: 2 },
    { loss: SQUARED, d: 33, steps: 10, start: "own", lambda: 1, rounds: 4 },
    { loss: SQUARED, d: 5, steps: 64, start: "own", lambda: 0.1, rounds: 2 },
    { loss: SQUARED, d: 5, steps: 63, start: "global", lambda: 0, rounds: 2 },
    { loss: LOGISTIC, d: 7, steps: 3, start: "own", lambda: 0.3, rounds: 3 },
    { loss: LOGISTIC, d: 70, steps: 2, start: "global", lambda: 0, rounds: 2 },
  ] as const)("are those of plain loops, %o", (of) => {
    const expected = plainly(core, of);
    for (const announced of [0, 1e6]) {
      const found = byKernel(core, of, announced);
      found.forEach((value, k) => expect(value).toBeCloseTo(expected[k]!, 11));
    }
  });

  test("a model that overflows starts again from the shared one", () => {
    const of = { loss: SQUARED, d: 3, steps: 9, start: "own", lambda: 1e80, rounds: 1 } as const;
    const { shared, marks } = course(core, of);
    const before = setting(core, of).weights;
    for (const announced of [0, 1e6]) {
      const found = byKernel(core, of, announced);
      sizes.forEach((_, i) => {
        const from = marks[i] === 1 ? shared : before.subarray(3 * i, 3 * i + 3);
        expect(found.slice(3 * i, 3 * i + 3)).toEqual(from.slice(0, 3));
      });
    }
  });

  test("updates are differences from one row or from many, 0 where they overflow or are not wanted", () => {
    const { arena, kernels } = core;
    const models = arena.copyOf(Float64Array.of(1, 2, 9, 3, 5, 9, 1e200, 7, 9, 4, 4, 9));
    const updates = (base: number[], step: number, marks?: number[]) => {
      const out = arena.f64(8);
      const marked = marks ? arena.bytes(16) : 0;
      if (marks) arena.words(marked, 4).set(marks);
      kernels.taskUpdates(
        models,
        arena.copyOf(Float64Array.from(base)),
        step,
        marked,
        out,
        4,
        3,
        2,
      );
      return [...arena.view(out, 8)];
    };
    expect(updates([1, 1], 0)).toEqual([0, 1, 2, 4, 0, 0, 3, 3]);
    expect(updates([1, 1], 0, [1, 0, 1, 1])).toEqual([0, 1, 0, 0, 0, 0, 3, 3]);
    expect(updates([1, 1, 2, 2, 1e200, 3, 4, 4], 2)).toEqual([0, 1, 1, 3, 0, 4, 0, 0]);
  });
});

test("all builds give the same bits", () => {
  for (const loss of [SQUARED, LOGISTIC]) {
    const of = { loss, d: 17, steps: 5, start: "own", lambda: 0.2, rounds: 3 } as const;
    for (const announced of [0, 1e6]) {
      const [simd, scalar] = builds.map((build) => byKernel(coreOf(build), of, announced));
      expect(scalar).toEqual(simd);
    }
  }
});

describeBuilds("among more rows than caches hold", (core) => {
  test.each([60, 100])("steps have the bits that they have among fewer, d = %i", (d) => {
    const rows = [50, 9, Math.ceil(2 ** 19 / d)];
    const p = problem(core, { sizes: rows, d, loss: LOGISTIC });
    const shared = core.arena.copyOf(p.weights.subarray(0, 2 * d));
    /** Models of the first so many tasks after two rounds. */
    const after = (m: number) => {
      const [n, names] = [p.offsets[m]!, rows.slice(0, m).map(String)];
      const [x, y] = [p.x.subarray(0, n * d), p.y.subarray(0, n)];
      const offsets = Uint32Array.from(p.offsets.slice(0, m + 1));
      const featureNames = Array.from({ length: d }, (_, k) => String(k));
      const data = TaskSet.adopt({ x, y, offsets, names, featureNames, targetName: "y" });
      const tasks = new ResidentTasks(core, data, y, { loss: "logistic", lossScale: "mean" });
      const models = core.arena.copyOf(p.weights.subarray(0, m * d));
      const steps = () => new Float64Array(m).fill(ETA);
      const objective = { ...({ shared: d, start: "own", localSteps: 2 } as const), steps };
      const sizes = { m, rows: n };
      const local = new LocalRounds(tasks, models, objective, { rounds: 2, sizes });
      local.hold(0.5);
      local.prepare();
      local.run(shared, 2);
      return core.arena.view(models, 2 * d).slice();
    };
    const among = after(3);
    expect(among).toEqual(after(2));
    expect(among).not.toEqual(p.weights.slice(0, 2 * d));
  });
});
