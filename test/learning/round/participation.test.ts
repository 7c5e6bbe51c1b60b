import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { LinearModel } from "../../../src/learning/models/linear-model.js";
import { LocalUpdates } from "../../../src/learning/families/averaging/updates/local-updates.js";
import { ResidentTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { openStream, uniforms } from "../../../src/random/index.js";
import { streamNumber } from "../../../src/random/stream-numbers.js";
import type { Sampling } from "../../../src/privacy/index.js";
import { expectedParticipants, Participation } from "../../../src/learning/round/participation.js";
import { makeTasks } from "../tasks.js";

const seeded = { mode: "seeded", seed: "pmtl" } as const;
/** The samples of a run, as a fit draws them. */
function participationOf(sampling: Sampling, m: number, rounds: number, seed = "pmtl") {
  const stream = openStream(openCore(), { mode: "seeded", seed }, streamNumber.samples);
  return new Participation(stream, sampling, m, rounds);
}
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
    const participation = participationOf({ kind: "fixed-size", size: 6 }, 10, 5);
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
      const shared = core.arena.view(steps.upload(round, participation.next()), 40);
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
    const marks = Array.from(participationOf(sampling, 64, 1).next());
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
    const participation = participationOf(sampling, m, rounds);
    expect(expectedParticipants(sampling, m, rounds)).toBe(12);
    const counts = new Float64Array(m);
    const sizes: number[] = [];
    let both = 0;
    for (let t = 0; t < rounds; t++) {
      const marks = participation.next();
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
    const participation = participationOf(sampling, 20, 2000);
    expect(expectedParticipants(sampling, 20, 2000)).toBe(5);
    const counts = new Float64Array(20);
    for (let t = 0; t < 2000; t++) {
      const marks = participation.next();
      expect(marks.reduce((sum, mark) => sum + mark, 0)).toBe(5);
      marks.forEach((mark, i) => (counts[i]! += mark));
    }
    // 20 counts of mean 500 within 5 standard errors: false alarm below 20 * 6e-7.
    for (const count of counts) {
      expect(Math.abs(count - 500)).toBeLessThan(5 * Math.sqrt(2000 * 0.25 * 0.75));
    }
  });

  test("allocation: every task in one round of each block, every choice of them as likely, apart from the others", () => {
    const [m, rounds, picks] = [6000, 5, 2];
    // Blocks of equal lengths begin where the rounds do.
    const participation = participationOf({ kind: "allocation", picks }, m, rounds + 1);
    const chosen = new Uint8Array(m);
    for (let t = 0; t <= rounds; t++)
      participation.next().forEach((mark, i) => (chosen[i]! |= mark << t));
    const sets = new Map<number, number>();
    for (const set of chosen) sets.set(set, (sets.get(set) ?? 0) + 1);
    const each = [1, 2, 4].flatMap((first) => [8, 16, 32].map((second) => first + second));
    expect([...sets.keys()].sort((a, b) => a - b)).toEqual(each.sort((a, b) => a - b));
    // Nine counts of mean 667 within 5 standard errors: false alarm below 9 * 6e-7.
    for (const count of sets.values()) {
      expect(Math.abs(count - m / 9)).toBeLessThan(5 * Math.sqrt(m * (1 / 9) * (8 / 9)));
    }
    // Neighbouring tasks agree as often as chance has it, 1 in 9 of 5999: false alarm below 6e-7.
    const alike = chosen.filter((set, i) => i > 0 && set === chosen[i - 1]).length;
    expect(Math.abs(alike - 5999 / 9)).toBeLessThan(5 * Math.sqrt(5999 * (1 / 9) * (8 / 9)));
  });

  test("allocation: blocks of two lengths are turned by task, so that as many are expected in every round", () => {
    const [m, rounds, picks] = [9000, 9, 5];
    const participation = participationOf({ kind: "allocation", picks }, m, rounds);
    const chosen = Array.from({ length: m }, (): number[] => []);
    const sizes = new Float64Array(rounds);
    for (let t = 0; t < rounds; t++) {
      participation.next().forEach((mark, i) => {
        if (mark === 1) chosen[i]!.push(t);
        sizes[t]! += mark;
      });
    }
    // Nine counts of mean 5000, at most binomial, within 5 standard errors: false alarm below 9 * 6e-7.
    for (const size of sizes) {
      expect(Math.abs(size - 5000)).toBeLessThan(5 * Math.sqrt(m * (5 / 9) * (4 / 9)));
    }
    // Round t of the task at position i is place t + start of a circle of blocks of 2, 2, 2, 2 and 1.
    const first = new Map<string, number>();
    chosen.forEach((own, i) => {
      const start = Math.floor((i * rounds) / m);
      const places = own.map((t) => (t + start) % rounds).sort((a, b) => a - b);
      expect(places.map((place) => place >> 1)).toEqual([0, 1, 2, 3, 4]);
      const key = `${start} ${places.map((place) => place & 1).join("")}`;
      first.set(key, (first.get(key) ?? 0) + 1);
    });
    // 9 starts of 1000 tasks, 16 choices of mean 62.5: within 6 standard errors, false alarm below 144 * 2e-9 (or, as the counts
    // are binomial and not normal, 1e-6).
    expect(first.size).toBe(144);
    for (const count of first.values()) {
      expect(Math.abs(count - 62.5)).toBeLessThan(6 * Math.sqrt(1000 * (1 / 16) * (15 / 16)));
    }
  });

  test("allocation: a kept round that no draw by blocks would give is refused", () => {
    const open = () => participationOf({ kind: "allocation", picks: 2 }, 2, 6);
    const twice = open();
    twice.next(Uint8Array.of(1, 0));
    expect(() => twice.next(Uint8Array.of(1, 0))).toThrow("round 2: its kept sample is not one of");
    const never = open();
    never.next(Uint8Array.of(0, 1));
    never.next(Uint8Array.of(0, 0));
    expect(() => never.next(Uint8Array.of(0, 0))).toThrow("round 3: its kept sample is not one of");
  });

  test.each([9, 10])(
    "allocation: of %i rounds those that an earlier process drew count",
    (rounds) => {
      const [m, picks] = [40, 3];
      const before = participationOf({ kind: "allocation", picks }, m, rounds, "before");
      const after = participationOf({ kind: "allocation", picks }, m, rounds, "after");
      const total = new Float64Array(m);
      const add = (marks: Uint8Array) => marks.forEach((mark, i) => (total[i]! += mark));
      for (let t = 0; t < 4; t++) {
        const kept = before.next().slice();
        expect(after.next(kept)).toEqual(kept);
        add(kept);
      }
      for (let t = 4; t < rounds; t++) add(after.next());
      expect([...total]).toEqual(new Array(m).fill(picks));
    },
  );

  test("the sample changes with the seed and does not follow the noise", async () => {
    const draw = (seed: string) => {
      const sampling = { kind: "poisson", rate: 0.5 } as const;
      return participationOf(sampling, 64, 1, seed).next().slice();
    };
    expect(draw("a")).toEqual(draw("a"));
    expect(draw("a")).not.toEqual(draw("b"));
  });
});

test("a sample larger than the run is refused", () => {
  const sampling = { kind: "fixed-size", size: 5 } as const;
  expect(expectedParticipants(sampling, 5, 1)).toBe(5);
  expect(() => expectedParticipants(sampling, 4, 1)).toThrow("sampling.size: expected at most");
  const allocation = { kind: "allocation", picks: 5 } as const;
  expect(expectedParticipants(allocation, 8, 10)).toBe(4);
  expect(() => expectedParticipants(allocation, 8, 4)).toThrow("sampling.picks: expected at most");
});
