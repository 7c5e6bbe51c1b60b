/** What the curator makes of vectors that do not keep to the protocol: nothing in the sum but what it should hold. */
import { expect, test } from "vitest";
import { MemoryArchive } from "../../../../src/federation/curator/rounds/broadcasts.js";
import { CuratorRounds } from "../../../../src/federation/curator/rounds/curator-rounds.js";
import { makePlan } from "../../../../src/federation/index.js";

const sizes = { m: 4, d: 2, rows: 40, mostRows: 12 };
/** Almost no noise: the shared model moves by the mean of the sum. */
const plan = makePlan({
  run: "rounds",
  method: "pmtl",
  features: ["a", "b"],
  options: { epsilon: 1e9, delta: 1e-4, rounds: 3, clip: 1, intercept: false, serverStepSize: 4, random: { mode: "seeded", seed: "r" } }, // prettier-ignore
});
const v = (a: number, b: number) => Float64Array.of(a, b);

test("the sum is of vectors held to the bound, of those that were drawn, once each, of this round", () => {
  const rounds = new CuratorRounds(plan, sizes, []);
  expect(rounds.tasks).toBe(4);
  let shared = [0, 0];
  const closes = (moved: [number, number]) => {
    const { broadcast } = rounds.close();
    shared = shared.map((value, j) => value + moved[j]!);
    shared.forEach((value, j) => expect(broadcast[j]).toBeCloseTo(value, 2));
  };
  rounds.open();
  expect(rounds.expected()).toEqual([0, 1, 2, 3]);
  expect(rounds.put(0, v(0.3, 0))).toBe("kept");
  expect(rounds.put(1, v(0, 40))).toBe("clipped");
  expect(rounds.put(1, v(0.5, 0))).toBe("twice");
  expect(rounds.put(2, Float64Array.of(0.1))).toBe("wrong-length");
  expect(rounds.put(2, Float64Array.of(0.1, 0.1, 0.1))).toBe("wrong-length");
  expect(rounds.missing()).toEqual([2, 3]);
  expect(rounds.answered).toBe(2);
  closes([0.3, 1]);
  // Vectors of the round before are gone; who was not drawn adds nothing, though it answers.
  rounds.open([0, 2]);
  expect(rounds.expected()).toEqual([0, 2]);
  expect(rounds.put(2, v(0.2, 0.1))).toBe("kept");
  expect(rounds.put(3, v(0.4, 0.4))).toBe("kept");
  expect(rounds.put(1, v(9, 9))).toBe("clipped");
  expect(rounds.answered).toBe(3);
  closes([0.2, 0.1]);
  // What is no number counts as nothing.
  rounds.open();
  rounds.put(0, v(NaN, 1));
  rounds.put(1, v(Infinity, 0));
  rounds.put(2, v(-0.5, 0.25));
  closes([-0.5, 0.25]);
});

test("a broadcast that is asked for again is that of its round", () => {
  const archive = new MemoryArchive();
  const broadcasts = [v(1, 2), v(3, 4), v(5, 6)];
  for (const values of broadcasts) archive.add(values);
  for (const round of [2, 3, 1]) expect(archive.read(round)).toEqual(broadcasts[round - 1]);
});
