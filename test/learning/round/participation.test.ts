import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { LinearModel } from "../../../src/learning/models/linear-model.js";
import { LocalUpdates } from "../../../src/learning/families/averaging/local-updates.js";
import { ResidentTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { openStream, uniforms } from "../../../src/random/index.js";
import { expectedParticipants, Participation } from "../../../src/learning/round/participation.js";
import { makeTasks } from "../tasks.js";

const seeded = { mode: "seeded", seed: "pmtl" } as const;
const tasks = makeTasks({ m: 10, d: 4, rows: (i) => 3 + (i % 4) });

describe("what a participant shares", () => {
  test("has norm at most gamma whatever its data, and is zero for who was not picked", () => {
    const huge = TaskSet.from(
      [...tasks].map(({ name, x, y }, i) => ({
        name,
        x: x.map((value) => value * 10 ** (40 * i - 100)),
        y: y.map((value) => value * 10 ** (3 * i)),
      })),
    );
    const core = openCore();
    const resident = new ResidentTasks(core, huge, huge.y, { loss: "squared", lossScale: "mean" });
    const participation = new Participation(core, 10, seeded);
    const steps = new LocalUpdates(new LinearModel(resident, 1), {
      shared: 4,
      start: "own",
      lambda: 0.1,
      localSteps: 3,
      steps: () => new Float64Array(10).fill(1),
      clip: 0.25,
      update: "from-global",
      initial: new Float64Array(4),
      ahead: { rounds: 5, sizes: { m: 10, rows: huge.size } },
    });
    for (let round = 1; round <= 5; round++) {
      const shared = core.arena.view(
        steps.upload(round, participation.next({ kind: "fixed-size", size: 6 })),
        40,
      );
      const norms = Array.from({ length: 10 }, (_, i) =>
        Math.hypot(...shared.subarray(4 * i, 4 * i + 4)),
      );
      for (const norm of norms) expect(norm).toBeLessThanOrEqual(0.25 * (1 + 1e-12));
      expect(norms.filter((norm) => norm > 0).length).toBeLessThanOrEqual(6);
    }
  });
});

describe("Participation", () => {
  test("of a seeded run is drawn from other words than any round's noise", () => {
    const core = openCore();
    const sampling = { kind: "poisson", rate: 0.5 } as const;
    const marks = Array.from(new Participation(core, 64, seeded).next(sampling));
    const noise = openStream(core, seeded);
    for (let round = 0; round <= 20; round++) {
      noise.select(round);
      const own = Array.from(uniforms(noise, 64), (u) => (u < 0.5 ? 1 : 0));
      expect(own).not.toEqual(marks);
    }
  });

  test("Poisson: every task with probability q, independently", () => {
    const [m, rounds, rate] = [40, 2000, 0.3];
    const sampling = { kind: "poisson", rate } as const;
    const participation = new Participation(openCore(), m, seeded);
    expect(expectedParticipants(sampling, m)).toBe(12);
    const counts = new Float64Array(m);
    const sizes: number[] = [];
    let both = 0;
    for (let t = 0; t < rounds; t++) {
      const marks = participation.next(sampling);
      marks.forEach((mark, i) => (counts[i]! += mark));
      sizes.push(marks.reduce((sum, mark) => sum + mark, 0));
      both += marks[0]! * marks[1]!;
    }
    // 40 task counts and one pair count within 5 standard errors: false alarm below 41 * 6e-7.
    const error = Math.sqrt(rate * (1 - rate) * rounds);
    for (const count of counts) expect(Math.abs(count - rate * rounds)).toBeLessThan(5 * error);
    const pair = rate * rate;
    expect(Math.abs(both - pair * rounds)).toBeLessThan(5 * Math.sqrt(pair * (1 - pair) * rounds));
    // The size is binomial, not fixed: its variance is m q (1 - q) = 8.4 within 5 standard errors
    // (sqrt(2 / rounds) relative, nearly normal): false alarm below 1e-6.
    const mean = sizes.reduce((a, b) => a + b) / rounds;
    const variance = sizes.reduce((sum, size) => sum + (size - mean) ** 2, 0) / rounds;
    expect(Math.abs(variance / (m * rate * (1 - rate)) - 1)).toBeLessThan(
      5 * Math.sqrt(2 / rounds),
    );
  });

  test("fixed size: that many, every task as often", () => {
    const sampling = { kind: "fixed-size", size: 5 } as const;
    const participation = new Participation(openCore(), 20, seeded);
    expect(expectedParticipants(sampling, 20)).toBe(5);
    const counts = new Float64Array(20);
    for (let t = 0; t < 2000; t++) {
      const marks = participation.next(sampling);
      expect(marks.reduce((sum, mark) => sum + mark, 0)).toBe(5);
      marks.forEach((mark, i) => (counts[i]! += mark));
    }
    // 20 counts of mean 500 within 5 standard errors: false alarm below 20 * 6e-7.
    for (const count of counts) {
      expect(Math.abs(count - 500)).toBeLessThan(5 * Math.sqrt(2000 * 0.25 * 0.75));
    }
  });

  test("the sample changes with the seed and does not follow the noise", async () => {
    const draw = (seed: string) => {
      const sampling = { kind: "poisson", rate: 0.5 } as const;
      return new Participation(openCore(), 64, { mode: "seeded", seed }).next(sampling).slice();
    };
    expect(draw("a")).toEqual(draw("a"));
    expect(draw("a")).not.toEqual(draw("b"));
  });
});

test("a sample larger than the run is refused", () => {
  const sampling = { kind: "fixed-size", size: 5 } as const;
  expect(expectedParticipants(sampling, 5)).toBe(5);
  expect(() => expectedParticipants(sampling, 4)).toThrow("sampling.size: expected at most");
});
