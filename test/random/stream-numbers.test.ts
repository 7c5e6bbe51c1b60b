/** No two uses of random streams share a number under one key. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomBytesFrom } from "../../src/federation/secure-aggregation/keys/random-bytes.js";
import { keyOf, streamNumber } from "../../src/random/stream-numbers.js";

const release = fc.integer({ min: 1, max: 2 ** 24 });
const task = fc.integer({ min: 0, max: 2 ** 24 - 1 });
const run = fc.integer({ min: 0, max: 2 ** 24 });

/** A use of a key, and its number. */
type Use = readonly [what: string, number: number];

const usesOfFit = fc.oneof(
  release.map((t): Use => [`release ${t}`, streamNumber.release(t)]),
  release.map((t): Use => [`groups ${t}`, streamNumber.groups(t)]),
  fc
    .tuple(fc.integer({ min: 0, max: 2 ** 24 }), task)
    .map(([t, i]): Use => [`record ${t} ${i}`, streamNumber.recordNoise(t, i)]),
  task.map((i): Use => [`batches ${i}`, streamNumber.miniBatches(i)]),
  fc.constantFrom<Use>(["samples", streamNumber.samples], ["start", streamNumber.start]),
);
const usesOfSelection = fc.oneof(
  fc.constant<Use>(["selection", streamNumber.selection]),
  run.map((k): Use => [`run ${k}`, streamNumber.selectionRun(k)]),
);

describe("stream numbers", () => {
  test.each([
    ["a fit", usesOfFit],
    ["a private selection", usesOfSelection],
  ])("of two uses of the key of %s are the same only if the uses are", (_, uses) => {
    fc.assert(
      fc.property(uses, uses, ([a, at], [b, bt]) => {
        expect(at === bt).toBe(a === b);
      }),
      { numRuns: 5000, seed: 14 },
    );
  });

  test("ranges do not touch: the ends of each against the ends of the next", () => {
    const last = 2 ** 24;
    const ends = [
      [streamNumber.release(1), streamNumber.release(last)],
      [streamNumber.recordNoise(0, 0), streamNumber.recordNoise(last, last - 1)],
      [streamNumber.samples, streamNumber.samples],
      [streamNumber.start, streamNumber.start],
      [streamNumber.groups(1), streamNumber.groups(last)],
      [streamNumber.miniBatches(0), streamNumber.miniBatches(last - 1)],
      [streamNumber.rowSample(0, 0), streamNumber.rowSample(last, last - 1)],
    ];
    ends.forEach(([from, to], k) => {
      expect(to).toBeGreaterThanOrEqual(from!);
      expect(from).toBeGreaterThan(ends[k - 1]?.[1] ?? 0);
      expect(to).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
    });
    // Neighbouring rounds and tasks of record noise.
    expect(streamNumber.recordNoise(2, 0) - streamNumber.recordNoise(1, last - 1)).toBe(1);
    expect(streamNumber.rowSample(2, 0) - streamNumber.rowSample(1, last - 1)).toBe(1);
    expect(streamNumber.selectionRun(0) - streamNumber.selection).toBe(1);
  });

  test("out of their ranges are refused", () => {
    expect(() => streamNumber.release(0)).toThrow("release");
    expect(() => streamNumber.release(2 ** 24 + 1)).toThrow("release");
    expect(() => streamNumber.recordNoise(1, 2 ** 24)).toThrow("task");
    expect(() => streamNumber.miniBatches(2 ** 24)).toThrow("task");
    expect(() => streamNumber.rowSample(1, 2 ** 24)).toThrow("task");
  });

  test("a part of a computation has a key of its own: seeds are extended, secure keys stay fresh", () => {
    expect(keyOf({ mode: "seeded", seed: 7 }, "/run/0")).toEqual({
      mode: "seeded",
      seed: "7/run/0",
    });
    expect(keyOf({ mode: "secure" }, "/run/0")).toEqual({ mode: "secure" });
  });
});

test("a mode that is none is refused by name, by all that take a key, and taken for no seed", () => {
  const unknown: object[] = [{ mode: "Secure" }, { mode: "secret", seed: "hidden" }, { seed: 1 }];
  for (const options of unknown) {
    const refused = [randomBytesFrom, (random: never) => keyOf(random, "/part")].map((take) => {
      try {
        return take(options as never);
      } catch (error) {
        return (error as Error).message;
      }
    });
    const told = expect.stringMatching(/^random\.mode: expected "secure" or "seeded", got [^1h]*$/);
    expect(refused).toEqual([told, told]);
  }
});
