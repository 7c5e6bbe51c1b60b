import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeScale, paddedRange, shortNumber } from "../../src/charts/axes.js";

const axis = (scale: "linear" | "log", more = {}) => ({ title: "t", scale, ...more });

describe("scales", () => {
  test("put the ends of the range at the ends of the axis, ticks between them", () => {
    for (const kind of ["linear", "log"] as const) {
      const scale = makeScale(axis(kind), [0.05, 50], [10, 210], 6);
      expect([scale(0.05), scale(50)]).toEqual([10, 210]);
      expect(scale.ticks.length).toBeGreaterThan(2);
      expect(scale.ticks.every(({ at }) => at >= 9.9 && at <= 210.1)).toBe(true);
    }
    expect(makeScale(axis("log"), [1, 100], [0, 2], 3)(10)).toBeCloseTo(1, 12);
  });

  test("name round numbers, whole ones where asked, and those that are given", () => {
    const texts = (more: object, range: [number, number], kind: "linear" | "log" = "linear") =>
      makeScale(axis(kind, more), range, [0, 1], 9).ticks.map(({ text }) => text);
    expect(texts({ whole: true }, [1, 4])).toEqual(["1", "2", "3", "4"]);
    expect(texts({ ticks: [0.3, 7] }, [0.1, 10], "log")).toEqual(["0.3", "7"]);
    expect(texts({}, [0.1, 10], "log")).toEqual(["0.1", "0.2", "0.5", "1", "2", "5", "10"]);
  });

  test("draw about as many ticks as there is room for, at any size of numbers", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-12, max: 1e12, noNaN: true }),
        fc.double({ min: 1.01, max: 1e12, noNaN: true }),
        fc.constantFrom("linear", "log"),
        (least, ratio, kind) => {
          const { ticks } = makeScale(axis(kind), [least, least * ratio], [0, 300], 6);
          expect(ticks.length).toBeGreaterThan(0);
          expect(ticks.length).toBeLessThan(16);
          for (const { at } of ticks) expect(at).toSatisfy((x: number) => x > -1 && x < 301);
        },
      ),
    );
  });
});

describe("ranges", () => {
  test("are usable for one number, none, and zeros on a log axis", () => {
    expect(paddedRange([], "linear")).toEqual([0, 1]);
    const [least, most] = paddedRange([3], "linear");
    expect(least).toBeLessThan(3);
    expect(most).toBeGreaterThan(3);
    expect(paddedRange([0, 2], "log")[0]).toBeGreaterThan(0);
  });
});

test("numbers are short", () => {
  const texts = [0, 0.1 + 0.2, 12345.678, 1e-7, 2.5e9, -0.00012].map(shortNumber);
  expect(texts).toEqual(["0", "0.3", "12350", "1e-7", "2.5e9", "-1.2e-4"]);
});
