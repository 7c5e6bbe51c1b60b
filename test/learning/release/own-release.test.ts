/** A release for one task's own model: noise of its own on every entry, charged before, once. */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { MpMixed, Pmtl } from "../../../src/learning/index.js";
import { OwnRelease } from "../../../src/learning/release/own-release.js";
import { BudgetExceededError, type Guarantee } from "../../../src/privacy/index.js";

const sizes = { m: 6, d: 3, rows: 60, mostRows: 10 };
const { halves } = new MpMixed({
  unit: "record",
  ownModel: "noisy",
  epsilon: 1,
  scale: "declared",
});
const plan = halves.releases({ sizes, outputs: 1 });
const own = plan.own!;
const { length } = own.stage;
const random = { mode: "seeded", seed: 5 } as const;
const releaseOf = (positions: number[], core = openCore()) =>
  new OwnRelease(core, own, { random, positions });

describe("an own release", () => {
  test("puts noise on every entry of every task, and none outside", () => {
    const core = openCore();
    const release = releaseOf([0, 1, 2, 3], core);
    const exact = Float64Array.from({ length: 4 * length }, (_, k) => k / 8);
    const before = exact.slice();
    const noisy = release.draw(exact);
    expect(exact).toEqual(before);
    expect(noisy).toHaveLength(4 * length);
    const noise = noisy.map((x, k) => x - exact[k]!);
    expect(noise.every((x) => x !== 0)).toBe(true);
    // All draws differ, and are of the size that is told: 6 deviations, a false alarm in 1e7.
    expect(new Set(noise).size).toBe(4 * length);
    const size = Math.sqrt(noise.reduce((sum, x) => sum + x * x, 0) / noise.length);
    expect(Math.abs(size / release.deviation - 1)).toBeLessThan(6 / Math.sqrt(2 * noise.length));
  });

  test("is that of the task alone, by its position in the run", () => {
    const exact = Float64Array.from({ length: 2 * length }, (_, k) => k);
    const both = releaseOf([4, 1]).draw(exact);
    const first = releaseOf([4]).draw(exact.slice(0, length));
    const second = releaseOf([1]).draw(exact.slice(length));
    expect([...both]).toEqual([...first, ...second]);
  });

  test("is charged with the shared releases before it is drawn, and never drawn twice", () => {
    const release = releaseOf([0]);
    release.draw(new Float64Array(length));
    const labels = release.ledger.entries.map(({ round, label }) => [round, label]);
    const shared = plan.stages.flatMap(({ events }) => events).length;
    expect(labels).toEqual([
      ...Array.from({ length: shared }, (_, k) => [k + 1, "shared"]),
      [shared + 1, "own"],
    ]);
    expect(() => release.draw(new Float64Array(length))).toThrow(BudgetExceededError);
    const words = { trust: "the curator is trusted", notCovered: [] as string[] };
    const joint = {
      ...words,
      noiseSource: "secure",
      why: "discrete noise",
    } as unknown as Guarantee;
    const seeded = release.guarantee({ ...joint, noiseSource: "seeded" });
    expect(seeded).toMatchObject({ against: "own model", private: false, sound: true, epsilon: 1 });
    expect(seeded.attacker).toBeUndefined();
    const secure = release.guarantee(joint);
    expect(secure).toMatchObject({ private: true, spent: release.ledger.spent() });
    expect(secure.attacker).toBeDefined();
    // The shared releases are part of what it promises, and so is how their noise was drawn.
    const floats = "; drawn in floating point, so this is proven for real numbers only";
    expect(release.guarantee({ ...joint, why: joint.why + floats }).why).toBe(secure.why + floats);
  });

  test("of several rounds has noise of its own in each, is charged round by round, and ends", () => {
    const options = { unit: "record", ownModel: "noisy", rounds: 2, localSteps: 3 } as const;
    const several = new Pmtl(options).halves.releases({ sizes, outputs: 1 }).own!;
    const core = openCore();
    const release = new OwnRelease(core, several, { random, positions: [0, 1] });
    const zeros = new Float64Array(2 * several.stage.length);
    const before = core.arena.mark();
    const draws = [1, 2, 3].map((round) => {
      const noise = release.draw(zeros);
      expect(release.ledger.entries).toHaveLength(2 + round);
      return [...noise];
    });
    expect(new Set(draws.flat()).size).toBe(3 * zeros.length);
    expect(core.arena.mark()).toBe(before);
    expect(() => release.draw(zeros)).toThrow(BudgetExceededError);
  });

  test("leaves the shared releases a budget that their events meet", () => {
    expect(plan.ledger.epsilon).toBeLessThan(own.ledger.epsilon);
    expect(plan.ledger.plan).toEqual(plan.stages.flatMap(({ events }) => events));
    expect(own.ledger.plan).toEqual([...plan.ledger.plan, ...own.stage.events]);
  });
});
