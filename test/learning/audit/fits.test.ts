import { describe, expect, test } from "vitest";
import type { Core } from "../../../src/core/index.js";
import { OptionError } from "../../../src/core/errors.js";
import {
  audit,
  isPrivateMethod,
  makeEstimator,
  METHOD_NAMES,
  MpFramework,
  MpGroupSparse,
  MpLowRank,
  MpMixed,
  Pmtl,
  TraceNorm,
  type GradientMethodOptions,
} from "../../../src/learning/index.js";
import { auditReleasePath } from "../../../src/learning/audit/release-path.js";
import { canaryWorlds } from "../../../src/learning/audit/canary.js";
import { FitRecorder } from "../../../src/learning/audit/fit-recorder.js";
import { silenced } from "../../../src/learning/audit/silent-canary.js";
import type { ReleasePath } from "../../../src/privacy/audit/release-checks.js";
import { gaussianEvent, Ledger } from "../../../src/privacy/index.js";
import { openStream, type RandomOptions } from "../../../src/random/index.js";
import { someOf, thorough, thoroughTest } from "../../thorough.js";
import { makeLabelled, makeTasks } from "../tasks.js";
import { CHECK_OF, FaultyLowRank, FAULTS, type Fault } from "./faulty.js";

const sizes = { m: 5, d: 4, rows: (i: number) => 4 + (i % 3) };
const tasks = makeTasks(sizes);
const seeded = { mode: "seeded", seed: "fits" } as const;

// Fixed seeds. Each audit of a sound fit alarms with probability at most 0.001.
describe("sound fits pass", () => {
  const methods = [MpLowRank, MpGroupSparse];
  const settings: Partial<GradientMethodOptions>[] = [
    { adjacency: "zero-out", delta: 0.05 },
    { adjacency: "replace", delta: 0.05 },
    { adjacency: "replace", delta: 0 },
    { adjacency: "zero-out", delta: 0.05, loss: "logistic" },
    { adjacency: "replace", delta: 0.05, intercept: true },
  ];
  const cases = methods.flatMap((Method) => settings.map((setting) => ({ Method, setting })));
  test.each(someOf(cases, 3))("$Method.name $setting", async ({ Method, setting }) => {
    const options = { rounds: 3, clip: 2, lambda: 0.01, epsilon: 1, ...setting };
    const report = await audit({
      estimator: (random) => new Method({ ...options, random }),
      tasks: setting.loss === "logistic" ? makeLabelled(sizes) : tasks,
      trials: thorough ? 24 : 12,
      confidence: 0.999,
      random: seeded,
    });
    expect(report.checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(report).toMatchObject({ verdict: "consistent", target: "fit", rounds: 3 });
  });
});

test("PMTL passes", async () => {
  const report = await audit({
    estimator: (random) => new Pmtl({ rounds: 4, clip: 0.5, epsilon: 1, delta: 0.1, random }),
    tasks,
    trials: 30,
    confidence: 0.999,
    random: seeded,
  });
  expect(report).toMatchObject({ verdict: "consistent", mechanism: "gaussian-mean", rounds: 4 });
  // 2 x 30 fits of 4 rounds: every release was seen.
  expect(report.checks.map(({ detail }) => detail)).toContain("all 240 releases are in the ledger");
});

/** What a method needs to know of data that nobody described. */
const KNOWN: Record<string, object> = { "mp-mixed": { scale: "unit" } };

test.each(someOf(METHOD_NAMES.filter(isPrivateMethod), 3))("%s can be audited", async (method) => {
  for (const delta of method === "mp-hierarchical" ? [0, 0.05] : [0.05]) {
    const report = await audit({
      estimator: (random) => makeEstimator(method, { ...KNOWN[method], delta, random }),
      tasks,
      trials: 8,
      confidence: 0.999,
      random: seeded,
    });
    expect(report).toMatchObject({ verdict: "consistent", target: "fit", method });
    expect(report.checks.some(({ detail }) => detail.includes("no release"))).toBe(false);
  }
});

thoroughTest("a fit with the papers' Wishart noise is caught", async () => {
  const report = await audit({
    estimator: (random) =>
      new MpLowRank({ mechanism: "wishart", adjacency: "zero-out", epsilon: 0.5, delta: 0, clip: 2, rounds: 1, random }), // prettier-ignore
    tasks,
    trials: 300,
    random: seeded,
  });
  expect(report).toMatchObject({
    verdict: "violated",
    method: "mp-low-rank",
    claim: { epsilon: 0.5, delta: 0, sound: false },
  });
  // The true delta is 1 - exp(-0.5) = 0.393.
  expect(report.proven.delta).toBeGreaterThan(0.2);
  expect(report.proven.delta).toBeLessThan(0.393);
});

describe("zero-out compares with a task that uploads zeros", () => {
  // Whatever rows a task has it uploads as much as it may, along one of two features; nearly all of the budget is for round 2.
  const either = (epsilon: number) => (random: RandomOptions) =>
    new MpFramework({
      statistic: "diagonal",
      clip: 1,
      rounds: 2,
      schedule: { kind: "polynomial", exponent: 10 },
      adjacency: "zero-out",
      epsilon,
      delta: 0,
      random,
      rule: ({ released }) => released.at(-1)!,
      step: ({ upload, x }) =>
        upload.map((_, j) => (j === (x.some((v) => v !== 0) ? 0 : 1) ? 9 : 0)),
    });

  // Of a claim as large as this few trials prove much. Compared with other rows the same fit is at twice its claim, which they find, too.
  const [claim, trials] = [1.5, 300];
  thoroughTest("of a fit that keeps its claim nothing more is proven", async () => {
    const report = await audit({ estimator: either(claim), tasks, trials, random: seeded });
    expect(report.verdict).toBe("consistent");
    expect(report.proven.epsilon).toBeGreaterThan(claim / 2);
  });

  test.each([
    ["pmtl", { localSteps: 2 }],
    ["pmtl-projected", {}],
    ["mp-mixed", { scale: "unit" }],
    ["joint-dp-sgd", {}],
  ])("%s", async (method, options) => {
    const worlds = canaryWorlds(tasks, {
      adjacency: "zero-out",
      loss: "squared",
      clip: 1,
      featureBound: 1,
    });
    const made = makeEstimator(method, {
      adjacency: "zero-out",
      delta: 0.05,
      random: seeded,
      ...options,
    });
    const seen = { asIs: new FitRecorder(0, worlds.axes), silent: new FitRecorder(0, worlds.axes) };
    await made.fit(worlds.neighbour, { observe: seen.asIs.observe });
    await silenced(made, 0)!.fit(worlds.neighbour, { observe: seen.silent.observe });
    expect(seen.asIs.isSilent).toBe(false);
    expect(seen.silent.isSilent).toBe(true);
  });

  test("where that cannot be had it is refused", async () => {
    const options = { adjacency: "zero-out", delta: 0.05, scale: "unit" } as const;
    const estimator = (random: RandomOptions) => {
      const { method, options: all } = new MpMixed({ ...options, random });
      return { method, options: all, fit: MpMixed.prototype.fit.bind(new MpMixed(all)) };
    };
    await expect(audit({ estimator, tasks, trials: 8 })).rejects.toThrow(/^adjacency: an audit/);
  });
});

/** Of those that only statistics find. */
const TRIALS_OF: Partial<Record<Fault, number>> = { "noise halved": 400, "clip skipped": 120 };

describe("planted faults are caught", () => {
  test.each(someOf([...FAULTS].reverse(), 2))("%s", async (fault) => {
    const options = {
      rounds: 2,
      clip: 1,
      adjacency: "zero-out",
      epsilon: 0.1,
      delta: 0.2,
    } as const;
    const report = await audit({
      estimator: (random) => new FaultyLowRank(fault, { ...options, random }),
      tasks,
      // Faults that a check sees need no statistics; without any there is nothing that more of them would find.
      trials: CHECK_OF[fault] ? 20 : (TRIALS_OF[fault] ?? 12),
      random: seeded,
    });
    const failed = report.checks.filter(({ passed }) => !passed).map(({ name }) => name);
    expect(report.verdict).toBe(fault === "none" ? "consistent" : "violated");
    const check = CHECK_OF[fault];
    if (check) expect(failed).toContain(check);
    else expect(failed).toEqual([]);
    if (fault === "noise halved" || fault === "clip skipped") {
      expect(report.proven.delta).toBeGreaterThan(options.delta);
      expect(report.proven.epsilon).toBeGreaterThan(options.epsilon);
    }
  });

  test.each([
    { drawnFirst: true, inOrder: false },
    { drawnFirst: true, inOrder: true },
    { drawnFirst: false, inOrder: true },
  ])("noise drawn before the charge: $drawnFirst, rounds in order only: $inOrder", (path) => {
    const { drawnFirst, inOrder } = path;
    const rounds = 3;
    const event = gaussianEvent({ sigma: 2 });
    const open = (core: Core, random: RandomOptions): ReleasePath => {
      const plan = new Array<typeof event>(rounds).fill(event);
      const ledger = new Ledger({ epsilon: 9, delta: 0.1, adjacency: "replace", plan });
      const stream = openStream(core, random);
      const draw = (at: number) => {
        core.kernels.addNormal(stream.state, at, 5, event.sigma);
      };
      return {
        ledger,
        perturb: (at, round) => {
          // Refuses what is beyond the plan without a word of the ledger's, as the library's own path does.
          if (inOrder && round !== ledger.releases + 1) throw new RangeError("round");
          if (drawnFirst) draw(at);
          ledger.charge(event, { round });
          if (!drawnFirst) draw(at);
        },
      };
    };
    const checks = auditReleasePath(open, { length: 5, rounds, random: seeded });
    const failed = checks.filter(({ passed }) => !passed).map(({ name }) => name);
    expect(failed).toEqual(drawnFirst ? ["charged-first"] : []);
  });
});

test("a path and its core are closed, also where a release throws", () => {
  const kernels = new Set<Core["kernels"]>();
  let closed = 0;
  const open = (core: Core): ReleasePath => {
    kernels.add(core.kernels);
    const ledger = { entries: [] };
    const perturb = () => {
      throw new TypeError("broken");
    };
    return { ledger, perturb, close: () => closed++ };
  };
  const options = { length: 5, rounds: 1, random: { mode: "secure" } } as const;
  expect(() => auditReleasePath(open, options)).toThrow("broken");
  // The first is asked for the release that its ledger refuses, the second throws.
  expect(closed).toBe(2);
  expect(kernels.size).toBe(1);
});

describe("the canary", () => {
  test("is one task's rows and nothing else, within the declared bound", () => {
    const worlds = canaryWorlds(tasks, {
      canary: "task-2",
      adjacency: "replace",
      loss: "squared",
      clip: 3,
      featureBound: 0.5,
    });
    expect(worlds.index).toBe(2);
    expect(worlds.axes[0]).not.toBe(worlds.axes[1]);
    for (const set of [worlds.present, worlds.neighbour]) {
      expect([...set.taskSizes]).toEqual([...tasks.taskSizes]);
      for (const name of tasks.names) {
        if (name === "task-2") continue;
        expect(set.task(name)).toEqual(tasks.task(name));
      }
      const { x, n } = set.task("task-2");
      for (let row = 0; row < n; row++) {
        expect(Math.hypot(...x.subarray(row * 4, row * 4 + 4))).toBe(0.5);
      }
    }
    // Least squares on the canary's rows is far beyond the clip bound.
    const { x, y } = worlds.present.task("task-2");
    expect(Math.abs(y[0]! / x[worlds.axes[0]]!)).toBeGreaterThan(300);
  });

  test("of zero-out is silent in the neighbouring world", () => {
    const { neighbour } = canaryWorlds(tasks, {
      adjacency: "zero-out",
      loss: "squared",
      clip: 1,
      featureBound: 1,
    });
    expect(neighbour.task("task-0").x.every((x) => x === 0)).toBe(true);
    expect(neighbour.task("task-0").y.every((y) => y === 0)).toBe(true);
  });
});

test("what cannot be audited is refused", async () => {
  const estimator = () => new TraceNorm({ lambda: 1 });
  await expect(audit({ estimator, tasks })).rejects.toThrow("claims nothing");
  await expect(audit({ estimator, tasks })).rejects.toThrow(OptionError);
  const one = tasks.select(["task-1"]);
  const mp = () => new MpLowRank({ delta: 0.1 });
  await expect(audit({ estimator: mp, tasks: one })).rejects.toThrow("at least two");
  await expect(audit({ estimator: mp, tasks, canary: "task-9" })).rejects.toThrow("task-9");
});
