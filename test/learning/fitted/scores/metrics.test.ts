import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  accuracyPerTask,
  auc,
  aucPerTask,
  nmse,
  nmsePerTask,
} from "../../../../src/learning/fitted/scores/metrics.js";
import { scoreBinary, scoreClasses } from "../../../../src/learning/fitted/scores/scores.js";
import { errorOf } from "../../../../src/learning/tuning/error-of.js";

const f64 = (...values: number[]) => Float64Array.from(values);
const u32 = (...values: number[]) => Uint32Array.from(values);

describe("nmse", () => {
  test("agrees with the definition worked by hand", () => {
    // errors 1, 0, -1, 0: mean square 1/2; targets 0, 2, 4, 6: variance 5.
    expect(nmse(f64(1, 2, 3, 6), f64(0, 2, 4, 6))).toBeCloseTo(0.1, 15);
  });

  test("predicting the mean scores exactly one, and perfection zero", () => {
    expect(nmse(f64(3, 3, 3), f64(1, 3, 5))).toBe(1);
    expect(nmse(f64(1, 3, 5), f64(1, 3, 5))).toBe(0);
  });

  test("a constant target has no nmse, whatever the rounding of its mean", () => {
    expect(nmse(f64(0, 0, 0), f64(0.1, 0.1, 0.1))).toBeNull();
    expect(nmse(f64(), f64())).toBeNull();
    expect(JSON.stringify({ nmse: nmse(f64(1), f64(1)) })).toBe('{"nmse":null}');
  });

  test("does not depend on the unit of the target", () => {
    const values = fc.array(
      fc.tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: -99, max: 99 })),
      { minLength: 2 },
    );
    fc.assert(
      fc.property(values, (pairs) => {
        const p = Float64Array.from(pairs.map(([a]) => a));
        const y = Float64Array.from(pairs.map(([, b]) => b));
        const scaled = nmse(
          p.map((v) => 8 * v),
          y.map((v) => 8 * v),
        ); // exact in binary
        expect(scaled).toBe(nmse(p, y));
      }),
    );
  });

  test("names what does not fit", () => {
    expect(() => nmse(f64(1), f64(1, 2))).toThrow(
      "predictions: expected 2 entries, one per target, got 1",
    );
    expect(() => nmsePerTask(f64(1), f64(1), u32(0, 2))).toThrow(
      "offsets: expected the last to be 1, the number of targets, got 2",
    );
  });
});

describe("nmsePerTask", () => {
  test("is the mean of each task's own, constant targets and tasks of fewer than six rows left out and counted", () => {
    const three = (...values: number[]) => f64(...[...values, ...values, ...values]);
    const y = f64(...three(0, 2), ...three(7, 7), ...three(0, 4), 0, 2, 0, 2, 0);
    const p = f64(...three(1, 1), ...three(7, 0), ...three(0, 4), 9, 9, 9, 9, 9);
    expect(nmsePerTask(p, y, u32(0, 6, 12, 18, 23))).toEqual({ value: 0.5, tasks: 2, leftOut: 2 });
    expect(nmsePerTask(f64(1, 2), f64(3, 3), u32(0, 1, 2))).toEqual({
      value: null,
      tasks: 0,
      leftOut: 2,
    });
  });
});

describe("auc", () => {
  test("counts a tie half", () => {
    expect(auc(f64(1, 1), f64(-1, 1))).toBe(0.5);
    expect(auc(f64(0, 1, 1, 2), f64(-1, -1, 1, 1))).toBe(0.875);
  });

  test("is the share of pairs in the right order", () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.boolean()), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(rows, (pairs) => {
        const scores = Float64Array.from(pairs.map(([score]) => score));
        const y = Float64Array.from(pairs.map(([, positive]) => (positive ? 1 : 0)));
        let wins = 0;
        let count = 0;
        for (const [p, isP] of pairs) {
          for (const [n, isN] of pairs) {
            if (!isP || isN) continue;
            wins += p > n ? 1 : p === n ? 0.5 : 0;
            count++;
          }
        }
        const expected = count === 0 ? null : wins / count;
        if (expected === null) expect(auc(scores, y)).toBeNull();
        else expect(auc(scores, y)).toBeCloseTo(expected, 12);
      }),
    );
  });

  test("refuses NaN scores", () => {
    expect(() => auc(f64(NaN, 1), f64(1, 0))).toThrow(/^scores: expected numbers, entry 0 is NaN$/);
  });
});

test("aucPerTask leaves out tasks with one class and counts them", () => {
  const y = f64(-1, 1, 1, 1, 1, -1);
  expect(aucPerTask(f64(0, 1, 5, 5, 0, 1), y, u32(0, 2, 4, 6))).toEqual({
    value: 0.5,
    tasks: 2,
    leftOut: 1,
  });
});

test("accuracyPerTask weighs tasks, not rows, equally", () => {
  const accuracy = accuracyPerTask(f64(1, 1, 0, 0), f64(1, 0, 0, 0), u32(0, 1, 4));
  expect(accuracy.value).toBeCloseTo((1 + 2 / 3) / 2, 15);
  expect(accuracy.leftOut).toBe(0);
});

describe("log-loss", () => {
  test("is the mean over rows of -ln p of the own label, for two classes and for several", () => {
    const margins = f64(0, Math.log(3), -Math.log(3));
    const two = scoreBinary(margins, f64(1, 1, 1), u32(0, 1, 3));
    expect(two.logLoss).toBeCloseTo(-(Math.log(1 / 2) + Math.log(3 / 4) + Math.log(1 / 4)) / 3, 14);
    const logits = f64(0, 0, 0, Math.log(2), 0, 0);
    const three = scoreClasses(logits, f64(1, 0), u32(0, 2));
    expect(three.logLoss).toBeCloseTo((Math.log(3) + Math.log(2)) / 2, 14);
  });

  test("stays finite for wrong labels at any margin, and is what cross-validation minimises", () => {
    const scores = scoreBinary(f64(-1000), f64(1), u32(0, 1));
    expect(scores.logLoss).toBe(1000);
    expect(errorOf(scores)).toBe(1000);
  });
});

describe("guessing", () => {
  test("is by the labels alone: the most frequent one, and their shares", () => {
    const { guessing } = scoreBinary(f64(9, 9, 9, 9), f64(-1, -1, 1, -1), u32(0, 1, 4));
    // The first task's only row is right, and two of the second's three.
    expect(guessing!.accuracy).toBeCloseTo((1 + 2 / 3) / 2, 15);
    expect(guessing!.logLoss).toBeCloseTo(-(0.75 * Math.log(0.75) + 0.25 * Math.log(0.25)), 15);
  });

  test("weighs rows, leaves absent labels out and says nothing of no rows", () => {
    const logits = f64(0, 0, 0, 0, 0, 0);
    const weighed = scoreClasses(logits, f64(2, 0), u32(0, 2), f64(0.5, 1.5)).guessing!;
    expect(weighed.accuracy).toBeCloseTo(0.75, 15);
    expect(weighed.logLoss).toBeCloseTo(-(0.75 * Math.log(0.75) + 0.25 * Math.log(0.25)), 15);
    expect(scoreBinary(f64(1), f64(1), u32(0, 1)).guessing).toEqual({ accuracy: 1, logLoss: 0 });
    expect(scoreBinary(f64(), f64(), u32(0)).guessing).toEqual({ accuracy: null, logLoss: null });
  });
});
