import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import type { TaskSet } from "../../../src/data/index.js";
import { TraceNorm } from "../../../src/learning/index.js";
import { fixedMomentum } from "../../../src/learning/steps/momentum.js";
import { matrixProjection } from "../../../src/learning/steps/projection.js";
import { ProximalGradient } from "../../../src/learning/steps/proximal-gradient.js";
import { ResidentTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { Curator, type RoundPrivacy } from "../../../src/learning/round/curator.js";
import { runRounds } from "../../../src/learning/round/run.js";
import { lowRankRule } from "../../../src/learning/sharing/low-rank.js";
import { makeTasks } from "../tasks.js";

const STEP = 1;
const CLIP = 2;

function participantsOf(tasks: TaskSet, clip = CLIP) {
  const resident = new ResidentTasks(openCore(), tasks, tasks.y, {
    loss: "squared",
    lossScale: "mean",
  });
  const { m, d, core } = resident;
  return new ProximalGradient(resident, {
    clip,
    clipIterate: true,
    steps: new Float64Array(m).fill(STEP),
    strongConvexity: 0,
    momentum: fixedMomentum("convex", 0, 1),
    projection: matrixProjection(core, m, d),
    initial: new Float64Array(m * d).fill(0.3),
    initialIntercepts: new Float64Array(m),
  });
}

describe("participants and curator", () => {
  const tasks: TaskSet = makeTasks({ m: 7, d: 5, rows: (i) => 3 + i });

  test("tasks on machines of their own get the models of a local fit, bit for bit", async () => {
    const { m, d } = tasks;
    const together = participantsOf(tasks);
    const local = new Curator({ core: together.core, m, d, rule: lowRankRule(0.05) });
    await runRounds({ participants: together, curator: local, rounds: 12 });

    const core = openCore();
    const remote = new Curator({ core, m, d, rule: lowRankRule(0.05) });
    const shared = core.arena.f64(m * d);
    const alone = tasks.names.map((name) => participantsOf(tasks.select([name])));
    for (let round = 1; round <= 12; round++) {
      alone.forEach((participant, i) => {
        const row = participant.core.arena.view(participant.upload(), d);
        core.arena.view(shared + 8 * i * d, d).set(row);
      });
      remote.round(shared, round);
      const message = core.arena.view(remote.broadcast, remote.broadcastLength).slice();
      for (const participant of alone) {
        const { arena } = participant.core;
        const at = arena.copyOf(message);
        participant.receive(at, round, round === 12);
      }
    }
    const expected = together.core.arena.view(together.weights, m * d);
    alone.forEach((participant, i) => {
      const row = participant.core.arena.view(participant.weights, d);
      expect([...row]).toEqual([...expected.subarray(i * d, (i + 1) * d)]);
    });
  });

  test("what is shared never exceeds the clip bound", () => {
    const participants = participantsOf(tasks, 0.1);
    const { m, d } = tasks;
    const rows = participants.core.arena.view(participants.upload(), m * d);
    for (let i = 0; i < m; i++) {
      const norm = Math.hypot(...rows.subarray(i * d, (i + 1) * d));
      expect(norm).toBeLessThanOrEqual(0.1 * (1 + 1e-15));
      expect(norm).toBeGreaterThan(0.0999);
    }
  });

  test("nothing is released when the ledger refuses the round", () => {
    const participants = participantsOf(tasks);
    const stages: string[] = [];
    const privacy: RoundPrivacy = {
      perturb: () => {
        throw new RangeError("budget");
      },
      shift: () => 0,
    };
    const { m, d } = tasks;
    const curator = new Curator({
      core: participants.core,
      m,
      d,
      rule: lowRankRule(0.05),
      privacy,
      observe: ({ stage }) => stages.push(stage),
    });
    expect(() => curator.round(participants.upload(), 1)).toThrow("budget");
    expect(stages).toEqual(["uploads", "exact"]);
  });

  test("Algorithm 2 without noise, converged, is the trace-norm solution", async () => {
    const lambda = 0.05;
    const { m, d } = tasks;
    const participants = participantsOf(tasks, Infinity);
    const core = participants.core;
    const curator = new Curator({ core, m, d, rule: lowRankRule(STEP * lambda) });
    await runRounds({ participants, curator, rounds: 4000 });
    const model = await new TraceNorm({ lambda, intercept: false, tolerance: 1e-12 }).fit(tasks);
    const weights = core.arena.view(participants.weights, m * d);
    const scale = Math.max(...model.weights.map(Math.abs));
    weights.forEach((value, k) => {
      expect(Math.abs(value - model.weights[k]!)).toBeLessThan(1e-5 * scale);
    });
  });
});
