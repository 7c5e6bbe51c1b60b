import { expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import type { Participants } from "../../../src/learning/round/participants.js";
import { RecordNoise } from "../../../src/learning/round/record-noise.js";
import type { Guarantee } from "../../../src/privacy/index.js";

const [m, d, clip] = [3, 4, 2];

function noisy(positions: readonly number[], { epsilon = 1, rounds = 2, from = 0.1 } = {}) {
  const core = openCore();
  const exact = core.arena.copyOf(new Float64Array(m * d).fill(from));
  const received: unknown[] = [];
  const inner: Participants = {
    m,
    uploadLength: d,
    upload: () => exact,
    receive: (...args) => received.push(args),
  };
  const random = { mode: "seeded", seed: "records" } as const;
  const records = new RecordNoise(inner, { core, epsilon, clip, rounds, random, positions });
  const rows = (at: number) => {
    const all = core.arena.view(at, m * d);
    return Array.from({ length: m }, (_, i) => [...all.subarray(i * d, (i + 1) * d)]);
  };
  return { records, rows, exact: () => core.arena.view(exact, m * d), received };
}

test("every vector is noisy, within the clip, and charged once a round", () => {
  const { records, rows, exact } = noisy([0, 1, 2]);
  expect([records.m, records.uploadLength]).toEqual([m, d]);
  for (const round of [1, 2]) {
    const shared = rows(records.upload(round));
    for (const row of shared) {
      expect(Math.hypot(...row)).toBeLessThanOrEqual(clip * (1 + 1e-15));
      expect(row.every((value) => value !== 0.1)).toBe(true);
    }
    expect(new Set(shared.map(String)).size).toBe(m);
    expect(records.ledger.entries).toHaveLength(round);
  }
  expect(exact().every((value) => value === 0.1)).toBe(true);
  const entries = records.ledger.entries.map(({ round, label }) => [round, label]);
  expect(entries).toEqual([[1, "record"], [2, "record"]]); // prettier-ignore
});

test("a task's noise follows from its position and the round, not from its batch", () => {
  const [one, other] = [noisy([0, 5, 9]), noisy([9, 5, 0])];
  const [a, b] = [one.rows(one.records.upload(1)), other.rows(other.records.upload(1))];
  expect(a).toEqual(b.reverse());
  expect(one.rows(one.records.upload(2))).not.toEqual(a);
});

test("with more budget the noise goes away; the scale is 2 K T / eps", () => {
  const loud = noisy([0, 1, 2], { epsilon: 1e9, rounds: 1 });
  const deviations = loud.rows(loud.records.upload(1)).map((row) => Math.hypot(...row.map((x) => x - 0.1))); // prettier-ignore
  // ||b|| has mean d scale; 25 times that goes beyond with probability below 1e-30.
  for (const size of deviations) {
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThan(25 * d * ((2 * clip) / 1e9));
  }
  const { event } = loud.records.ledger.entries[0]!;
  expect(event).toMatchObject({ kind: "spherical-laplace", adjacency: "replace" });
  const { sensitivity, scale } = event as { sensitivity: number; scale: number };
  expect(sensitivity).toBeGreaterThanOrEqual(2 * clip);
  expect(sensitivity / scale).toBeLessThanOrEqual(1e9);
  expect(sensitivity / scale).toBeGreaterThan(1e9 * (1 - 1e-9));
});

test("who takes no part shows nothing and pays nothing; some is all", () => {
  const { records, rows } = noisy([0, 1, 2]);
  expect(rows(records.upload(1, new Uint8Array(m))).flat().every((x) => x === 0)).toBe(true); // prettier-ignore
  expect(records.ledger.entries).toHaveLength(0);
  expect(rows(records.upload(1, Uint8Array.of(0, 1, 0))).flat().some((x) => x !== 0)).toBe(true); // prettier-ignore
  expect(records.ledger.entries).toHaveLength(1);
  records.recall(2);
  expect(records.ledger.entries.map(({ round }) => round)).toEqual([1, 2]);
});

test("broadcasts go through as they are", () => {
  const { records, received } = noisy([0, 1, 2]);
  records.receive(8, 3, true);
  expect(received).toEqual([[8, 3, true]]);
});

test.each(["seeded", "secure"] as const)("says of %s noise what a record is promised", (source) => {
  const { records } = noisy([0, 1, 2], { epsilon: 1.5 });
  records.upload(1);
  const stated = records.guarantee({ noiseSource: source } as Guarantee);
  expect(stated).toMatchObject({
    kind: "record",
    adjacency: "replace",
    epsilon: 1.5,
    delta: 0,
    accountant: "basic",
    mechanism: "spherical-laplace",
    sound: true,
    noiseSource: source,
    private: source === "secure",
    spent: { rounds: 1, delta: 0 },
  });
  expect(stated.spent.epsilon).toBeCloseTo(0.75, 9);
  expect("attacker" in stated).toBe(source === "secure");
});
