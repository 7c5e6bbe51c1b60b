import fc from "fast-check";
import { expect, test } from "vitest";
import { compositionBound, compositionTerms } from "../../../src/privacy/accounting/kov.js";
import { allocateBudget } from "../../../src/privacy/allocate-budget.js";
import type { Schedule } from "../../../src/privacy/schedule.js";
import { describeReference, expectWithin } from "../reference.js";
import { thorough } from "../../thorough.js";

test("agrees with the formula worked by hand", () => {
  // Ten rounds of 0.1: sum 1; drift 10 * 0.1 * tanh(0.05); squares 0.1.
  const delta = 1e-2;
  const log = Math.tanh(0.05) + Math.sqrt(0.2 * Math.log(100));
  expect(compositionTerms([{ epsilon: 0.1, count: 10 }], delta).log).toBeCloseTo(log, 14);
  expect(compositionBound(new Array<number>(10).fill(0.1), 0)).toBeCloseTo(1, 12);
});

test("is monotone in every budget and antitone in delta, and never above the sum", () => {
  const epsilons = fc.array(fc.double({ min: 1e-8, max: 5, noNaN: true }), {
    minLength: 1,
    maxLength: 30,
  });
  const delta = fc.double({ min: 1e-15, max: 0.5, noNaN: true });
  fc.assert(
    fc.property(epsilons, delta, delta, (list, a, b) => {
      const bound = compositionBound(list, Math.min(a, b));
      expect(bound).toBeGreaterThanOrEqual(compositionBound(list, Math.max(a, b)));
      expect(compositionBound([...list, 0.01], a)).toBeGreaterThanOrEqual(
        compositionBound(list, a),
      );
      const sum = list.reduce((x, y) => x + y, 0);
      expect(bound).toBeLessThanOrEqual(sum * (1 + 1e-12));
    }),
  );
});

test("names the argument it refuses", () => {
  expect(() => compositionBound([0.1, -1], 0)).toThrow("epsilons[1]: expected epsilons[1] >= 0");
  expect(() => compositionBound([0.1], 1)).toThrow("delta: expected 0 <= delta < 1, got 1");
});

describeReference("accounting", "kov_cb", ({ params, expect: want, rtol, atol }) => {
  const runs = (params["eps_runs"] as [number, number][]).map(([epsilon, count]) => ({
    epsilon,
    count,
  }));
  const terms = compositionTerms(runs, params["delta"] as number);
  const least = Math.min(terms.basic, terms.log, terms.logE);
  expectWithin(least, want["cb"], rtol, atol);
  expectWithin(terms.basic, want["term_basic"], rtol, atol);
  expectWithin(terms.log, want["term_log"], rtol, atol);
  expectWithin(terms.logE, want["term_loge"], rtol, atol);
});

describeReference("accounting", "kov_eps0", ({ params, expect: want, rtol, atol }) => {
  const schedule: Schedule =
    params["schedule"] === "power"
      ? { kind: "polynomial", exponent: params["alpha"] as number }
      : { kind: "geometric", ratio: params["Q"] as number };
  const { scale, budgets } = allocateBudget({
    schedule,
    rounds: params["T"] as number,
    epsilon: params["eps"] as number,
    delta: params["delta"] as number,
    mechanism: "two-sided-wishart",
    accountant: "kov",
  });
  expectWithin(scale, want["eps0"], rtol, atol);
  expectWithin(budgets[0]!, want["eps_first"], rtol, atol);
  expectWithin(budgets.at(-1)!, want["eps_last"], rtol, atol);
  expectWithin(
    compositionBound(budgets, params["delta"] as number),
    want["cb_at_eps0"],
    rtol,
    atol,
  );
});

test("plans for few tasks, where the papers' delta is large, take all of the budget and no more", () => {
  const schedules = fc.oneof(
    fc.constant<Schedule>({ kind: "constant" }),
    fc.double({ min: -2, max: 3, noNaN: true }).map((exponent) => ({
      kind: "polynomial" as const,
      exponent,
    })),
    fc.double({ min: 0.6, max: 1.4, noNaN: true }).map((ratio) => ({
      kind: "geometric" as const,
      ratio,
    })),
  );
  const plan = fc.record({
    m: fc.constantFrom(2, 3, 4, 5, 6, 7, 8, 10),
    epsilon: fc.double({ min: -3, max: 2, noNaN: true }).map((power) => 10 ** power),
    rounds: fc.integer({ min: 1, max: 200 }),
    schedule: schedules,
    mechanism: fc.constantFrom("wishart", "two-sided-wishart"),
  });
  const property = fc.property(plan, ({ m, epsilon, rounds, schedule, mechanism }) => {
    const delta = m > 2 ? 1 / (m * Math.log(m)) : 0.7;
    const options = { epsilon, delta, rounds, schedule, mechanism, accountant: "kov" } as const;
    const { budgets } = allocateBudget(options);
    const share = compositionBound(budgets, delta) / epsilon;
    expect(share).toBeGreaterThanOrEqual(0.999);
    expect(share).toBeLessThanOrEqual(1);
  });
  fc.assert(property, { seed: 357, numRuns: thorough ? 1000 : 250 });
});
