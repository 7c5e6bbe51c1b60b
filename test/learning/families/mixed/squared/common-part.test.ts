/** What the fixed effects say of the variances. */
import { describe, expect, test } from "vitest";
import {
  commonPart,
  lowerLogs,
} from "../../../../../src/learning/families/mixed/squared/common-part.js";
import {
  BELIEF,
  COMMON,
} from "../../../../../src/learning/families/mixed/squared/squared-settings.js";
import { SquaredState } from "../../../../../src/learning/families/mixed/squared/squared-state.js";
import { diagonal, invertDefinite } from "../../../../../src/linalg/small-matrices.js";
import { apply } from "../../../../../src/linalg/small-matrices.js";

test("the common part is that of the slopes' second moment, whatever the intercept", () => {
  const covariance = Float64Array.of(1, 0.5, 0, 0.5, 3, 0, 0, 0, 100);
  expect(commonPart(Float64Array.of(3, -1, 50), covariance)).toBeCloseTo(10 / (10 + 4), 12);
  expect(commonPart(Float64Array.of(0, 0, 50), covariance)).toBe(0);
  expect(commonPart(Float64Array.of(7), Float64Array.of(1))).toBe(0);
});

/** Mean of the posterior of a normal prior and a normal likelihood of the precision given, at `seen`. */
function posterior(center: Float64Array, precision: Float64Array, seen: Float64Array) {
  const prior = 1 / BELIEF.spread ** 2;
  const whole = invertDefinite(
    precision.map((value, at) => value + (at % 4 === 0 ? prior : 0)),
    3,
  );
  const pull = apply(precision, seen, 3, 3).map((value, k) => value + prior * center[k]!);
  return { mean: apply(whole, pull, 3, 3), covariance: whole };
}

test("logarithms are as much lower as a prior that is centered lower would have left them", () => {
  const precision = Float64Array.of(2, 0.3, 0.1, 0.3, 1, -0.2, 0.1, -0.2, 4);
  const seen = Float64Array.of(-3, -1, 0.5);
  const part = 0.7;
  const lower = COMMON.lower * part;
  const usual = posterior(new Float64Array(3), precision, seen);
  const lowered = posterior(Float64Array.of(-lower, -lower, 0), precision, seen);
  const found = lowerLogs(part, usual.covariance);
  found.forEach((value, k) => expect(value).toBeCloseTo(usual.mean[k]! - lowered.mean[k]!, 9));
});

describe("the tasks' own prior", () => {
  const sizes = { m: 50, d: 3, meanRows: 6 };
  const stateOf = (effects: readonly number[], unsure: number) => {
    const state = new SquaredState(sizes);
    state.effects.set(effects);
    state.belief = diagonal([unsure, unsure, unsure]);
    return state;
  };

  test("is that of the releases where tasks have nothing in common, or the variances are sure", () => {
    for (const state of [stateOf([0, 0, 3], 2), stateOf([2, -1, 3], 0)]) {
      expect([...state.prior.covariance]).toEqual([...state.covariance]);
    }
  });

  test("is narrower where they have much in common, and the noise as it was", () => {
    const state = stateOf([100, -100, 3], BELIEF.spread ** 2 / 2);
    const { covariance, noise } = state.prior;
    // Nearly all is common: half of the way to a prior that is centered lower.
    for (const c of [0, 1, 2]) {
      expect(covariance[c * 4]! / state.covariance[c * 4]!).toBeCloseTo(
        Math.exp(-COMMON.lower / 2),
        3,
      );
    }
    expect(noise).toBe(state.noise);
  });

  test("is no narrower for a belief that rounds have made wider than the prior's", () => {
    const [wide, wider] = [2.25, 4].map((unsure) => stateOf([100, 0, 0], unsure).prior.covariance);
    expect([...wider!]).toEqual([...wide!]);
  });
});
