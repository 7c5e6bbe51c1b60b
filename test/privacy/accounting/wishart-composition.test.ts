/**
 * Several one-sided Wishart rounds under replace: against the closed form of one round, an attack on
 * the real mechanism, and the same two steps taken by simulation.
 */
import seedrandom from "seedrandom";
import { describe, expect, test } from "vitest";
import { accountForDelta, deltaOf, epsilonOf } from "../../../src/privacy/accounting/account.js";
import { epsilonBounds } from "../../../src/privacy/accounting/bounds.js";
import { gaussianEvent, wishartEvent } from "../../../src/privacy/events/events.js";
import { createMechanism } from "../../../src/privacy/mechanisms/create.js";
import { allocateBudget } from "../../../src/privacy/allocate-budget.js";
import type { PrivacyEvent } from "../../../src/privacy/events/event-kinds.js";
import { someOf, thorough, thoroughTest } from "../../thorough.js";

const times = (n: number, event: PrivacyEvent) => new Array<PrivacyEvent>(n).fill(event);

test("one round is the closed form", () => {
  const cases = [
    [60, 2, 1e-6],
    [40, 1, 1e-3],
    [200, 0.3, 1e-6],
  ] as const;
  for (const [degreesOfFreedom, scale, delta] of someOf<(typeof cases)[number]>([...cases], 3)) {
    const event = wishartEvent({ dimension: 10, degreesOfFreedom, scale });
    const exact = epsilonOf([event], { delta, accountant: "exact" });
    const pld = epsilonOf([event], { delta, accountant: "pld" });
    expect(pld).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
    expect(pld).toBeLessThanOrEqual(exact * (1 + 1e-5));
  }
});

test("rounds cost more than under zero-out, less than by basic composition, and invert", () => {
  const sizes = { dimension: 10, degreesOfFreedom: 60, scale: 2 };
  const delta = 1e-4;
  const { epsilon, accountant } = accountForDelta(times(10, wishartEvent(sizes)), { delta });
  expect(accountant).toBe("pld");
  const removed = times(10, wishartEvent({ ...sizes, adjacency: "zero-out" }));
  expect(epsilon).toBeGreaterThan(epsilonOf(removed, { delta }));
  expect(epsilon).toBeLessThan(10 * epsilonOf([wishartEvent(sizes)], { delta: delta / 10 }));
  expect(deltaOf(times(10, wishartEvent(sizes)), { epsilon }) / delta).toBeCloseTo(1, 4);
  if (thorough) {
    const { lower, upper } = epsilonBounds(times(10, wishartEvent(sizes)), { delta });
    expect(lower).toBeLessThan(upper);
  }
  // A Gaussian choice beside them is paid for.
  const more = [...times(10, wishartEvent(sizes)), gaussianEvent({ sigma: 10 })];
  expect(epsilonOf(more, { delta })).toBeGreaterThan(epsilon);
});

test("the papers' degrees of freedom have no finite epsilon below their true delta", () => {
  const events = times(10, wishartEvent({ dimension: 30, degreesOfFreedom: 31, scale: 5 }));
  expect(epsilonOf(events, { delta: -Math.expm1(-1) * 0.999 })).toBe(Infinity);
});

thoroughTest("a plan of many rounds keeps its budget", () => {
  const mechanism = createMechanism({
    name: "wishart",
    statistic: "covariance",
    tasks: 50,
    dimension: 5,
    clip: 1,
    degreesOfFreedom: 60,
    delta: 1e-4,
  });
  const budget = { epsilon: 2, delta: 1e-4 };
  const plan = allocateBudget({ ...budget, mechanism, rounds: 8 });
  expect(plan.nominal).toBe(false);
  const spent = deltaOf(plan.events, { epsilon: budget.epsilon });
  expect(spent).toBeLessThanOrEqual(budget.delta);
  expect(spent).toBeGreaterThan(0.99 * budget.delta);
});

/** Three rounds of noise on 2 x 2 matrices, K = 1. */
const [nu, v, T] = [8, 0.5, 3];
const LOOKS = thorough ? 12_000 : 4_000;

/** Draws of chi-square and normal variables, apart from the package's own. */
function draws(seed: string) {
  const uniform = seedrandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const chiSquare = (n: number) => {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += normal() ** 2;
    return sum;
  };
  return { normal, chiSquare };
}

/** Mean and standard error of max(0, 1 - e^(eps - L)) over draws of the loss L. */
function divergence(losses: Float64Array, epsilon: number) {
  let [sum, square] = [0, 0];
  for (const loss of losses) {
    const value = Math.max(0, -Math.expm1(epsilon - loss));
    sum += value;
    square += value * value;
  }
  const mean = sum / losses.length;
  return { mean, error: Math.sqrt((square / losses.length - mean * mean) / losses.length) };
}

describe("three rounds on 2 x 2 matrices, by simulation", () => {
  const events = times(T, wishartEvent({ dimension: 2, degreesOfFreedom: nu, scale: v }));

  /** Loss of e1 e1^T + E against e2 e2^T + E, E = v L L^T with Bartlett's L; densities by determinant. */
  function attack(): Float64Array {
    const { normal, chiSquare } = draws("attack");
    return Float64Array.from({ length: LOOKS }, () => {
      let loss = 0;
      for (let t = 0; t < T; t++) {
        const [a, b] = [Math.sqrt(chiSquare(nu)), normal()];
        const [xx, xy, yy] = [v * a * a, v * a * b, v * (b * b + chiSquare(nu - 1))];
        // S - e2 e2^T = E + e1 e1^T - e2 e2^T: the traces are those of E.
        const other = (xx + 1) * (yy - 1) - xy * xy;
        if (yy <= 1 || other <= 0) return Infinity;
        loss += ((nu - 3) / 2) * Math.log((xx * yy - xy * xy) / other);
      }
      return loss;
    });
  }

  thoroughTest("no attack on two orthogonal columns gets beyond the bound", () => {
    const losses = attack();
    for (const epsilon of [0, 1, 2, 4]) {
      const { mean, error } = divergence(losses, epsilon);
      // Five standard errors: a false alarm less than once in a million.
      expect(deltaOf(events, { epsilon })).toBeGreaterThan(mean - 5 * error);
      expect(mean).toBeGreaterThan(1e-3);
    }
  });

  test("the bound is the best split of the simulated steps", () => {
    const { chiSquare } = draws("steps");
    const [n, b] = [nu - 1, 1 / v];
    const loss = (x: number) => (n / 2 - 1) * Math.log(x / (x - b)) - b / 2;
    const step = (present: boolean) =>
      Float64Array.from({ length: LOOKS }, () => {
        let sum = 0;
        for (let t = 0; t < T; t++) {
          const x = chiSquare(n) + (present ? b : 0);
          sum += x <= b ? Infinity : (present ? -1 : 1) * loss(x);
        }
        return sum;
      });
    const [gained, lost] = [step(true), step(false)];
    for (const epsilon of someOf([1, 3], 2)) {
      const splits = Array.from({ length: 31 }, (_, k) => (epsilon * k) / 30);
      const simulated = Math.min(
        ...[
          [gained, lost],
          [lost, gained],
        ].flatMap(([one, two]) =>
          splits.map(
            (e1) => divergence(one!, e1).mean + Math.exp(e1) * divergence(two!, epsilon - e1).mean,
          ),
        ),
      );
      expect(deltaOf(events, { epsilon }) / simulated).toBeCloseTo(1, 1);
    }
  });
});
