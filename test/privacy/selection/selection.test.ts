import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gaussianDelta } from "../../../src/privacy/accounting/gdp.js";
import { logSelectionRatio, selectionRdp } from "../../../src/privacy/accounting/selection.js";
import {
  accountForDelta,
  deltaOf,
  drawRepetitions,
  epsilonOf,
  gaussianEvent,
  Ledger,
  meanRepetitions,
  parseEvent,
  pureEvent,
  repetitionsOfMean,
  selectionEvent,
  type Repetitions,
} from "../../../src/privacy/index.js";
import { checkRepetitions } from "../../../src/privacy/selection/repetitions.js";
import { calibrateSelection } from "../../../src/privacy/selection/selection-budget.js";
import { thorough } from "../../thorough.js";

const negativeBinomial = (eta: number, gamma: number): Repetitions => ({
  kind: "negative-binomial",
  eta,
  gamma,
});

/** P[K = k], k = first, first + 1, … */
function* probabilities(repetitions: Repetitions) {
  if (repetitions.kind === "poisson") {
    let probability = Math.exp(-repetitions.mean);
    for (let k = 0; ; probability *= repetitions.mean / ++k) yield { k, probability };
  }
  const { eta, gamma } = repetitions;
  // The first is gamma^eta eta (1 - gamma) / (1 - gamma^eta), that is E[K] gamma^(eta + 1).
  let probability = meanRepetitions(repetitions) * gamma ** (eta + 1);
  for (let k = 1; ; k++) {
    yield { k, probability };
    probability *= ((1 - gamma) * (k + eta)) / (k + 1);
  }
}

/** P[K = k] until the rest is negligible. */
function law(repetitions: Repetitions): { k: number; probability: number }[] {
  const terms = [];
  for (const term of probabilities(repetitions)) {
    terms.push(term);
    if (term.probability < 1e-17 && term.k > 2 * meanRepetitions(repetitions)) break;
  }
  return terms;
}

/** The first 64 bits of a number in (0, 1). */
const bitsOf = (uniform: number) => () => BigInt(uniform * 2 ** 53) << 11n;

const laws: [string, Repetitions][] = [
  ["geometric", negativeBinomial(1, 0.2)],
  ["logarithmic", negativeBinomial(0, 0.05)],
  ["eta -1/2", negativeBinomial(-0.5, 0.02)],
  ["eta 3", negativeBinomial(3, 0.4)],
  ["poisson", { kind: "poisson", mean: 4 }],
  ["poisson, one run in the mean", { kind: "poisson", mean: 1 }],
  ["poisson, mostly none", { kind: "poisson", mean: 0.3 }],
];

describe("repetitions", () => {
  test.each(laws)("%s: probabilities add up to 1 and to the mean", (_name, repetitions) => {
    const terms = law(repetitions);
    expect(terms.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 10);
    const mean = terms.reduce((sum, { k, probability }) => sum + k * probability, 0);
    expect(mean).toBeCloseTo(meanRepetitions(repetitions), 8);
  });

  test("known laws: geometric and logarithmic", () => {
    const geometric = law(negativeBinomial(1, 0.2));
    geometric.slice(0, 20).forEach(({ k, probability }) => {
      expect(probability).toBeCloseTo(0.2 * 0.8 ** (k - 1), 12);
    });
    expect(meanRepetitions(negativeBinomial(1, 0.2))).toBeCloseTo(5, 12);
    law(negativeBinomial(0, 0.05))
      .slice(0, 20)
      .forEach(({ k, probability }) => {
        expect(probability).toBeCloseTo(0.95 ** k / (k * Math.log(20)), 12);
      });
  });

  test.each(laws)("%s: inversion draws every k as often as its probability says", (_name, law_) => {
    const draws = thorough ? 4000 : 800;
    const counts = new Map<number, number>();
    for (let i = 0; i < draws; i++) {
      const k = drawRepetitions(law_, bitsOf(Math.floor(((i + 0.5) / draws) * 2 ** 53) / 2 ** 53));
      counts.set(k, (counts.get(k) ?? 0) + 1);
    }
    // Evenly spaced uniforms: each count is within 1 of draws times the probability.
    for (const { k, probability } of law(law_)) {
      expect(Math.abs((counts.get(k) ?? 0) - draws * probability)).toBeLessThanOrEqual(1 + 1e-6);
    }
    expect(drawRepetitions(law_, bitsOf(1 - 2 ** -53))).toBeLessThan(1e6);
  });

  test("the mean goes smoothly through eta 0", () => {
    // (1 - gamma^eta) / eta = L (1 - u/2 + u^2/6 - u^3/24 + ...), L = -ln gamma, u = eta L.
    for (const gamma of [0.9, 0.05, 1e-6]) {
      const L = -Math.log(gamma);
      for (const u of [0, 3e-9, 9.9e-9, 1.01e-8, 1e-5]) {
        for (const sign of [1, -1]) {
          const series = L * (1 - (sign * u) / 2 + u ** 2 / 6 - (sign * u ** 3) / 24);
          const mean = (1 - gamma) / (gamma * series);
          const found = meanRepetitions(negativeBinomial((sign * u) / L, gamma));
          expect(Math.abs(found / mean - 1)).toBeLessThan(1e-14);
        }
      }
    }
  });

  test("repetitionsOfMean inverts the mean; nonsense is refused by name", () => {
    for (const eta of [-0.9, 0, 1, 2.5]) {
      expect(meanRepetitions(repetitionsOfMean(eta, 7))).toBeCloseTo(7, 6);
    }
    expect(() => repetitionsOfMean(0, 1)).toThrow("mean: expected mean > 1");
    expect(() => checkRepetitions({ kind: "fixed" })).toThrow('"negative-binomial" or "poisson"');
    expect(() => checkRepetitions(negativeBinomial(-1, 0.1))).toThrow("eta > -1");
    expect(() => checkRepetitions(negativeBinomial(0, 0))).toThrow("repetitions.gamma");
    // Of such a law no number would ever be drawn, after it was charged.
    expect(() => repetitionsOfMean(1000, 1e4)).toThrow("expected one run to have a probability");
    expect(drawRepetitions(repetitionsOfMean(100, 1e4), bitsOf(0.5))).toBeGreaterThan(9e3);
  });
});

/** The law of the best of K draws, term by term: sum_k P[K = k] (F(y)^k - F(y-)^k). */
function selected(q: readonly number[], terms: ReturnType<typeof law>): number[] {
  let below = 0;
  const out = q.map((mass, y) => {
    const upTo = y === q.length - 1 ? 1 : below + mass;
    const probability = terms.reduce(
      (sum, { k, probability: p }) => sum + p * (upTo ** k - below ** k),
      0,
    );
    below = upTo;
    return probability;
  });
  // The output of K = 0.
  const none = terms[0]!.k === 0 ? terms[0]!.probability : 0;
  return [...out, none];
}

const oneWay = (p: readonly number[], q: readonly number[], epsilon: number) =>
  p.reduce((sum, mass, y) => sum + Math.max(0, mass - Math.exp(epsilon) * q[y]!), 0);
const exactDelta = (p: readonly number[], q: readonly number[], epsilon: number) =>
  Math.max(oneWay(p, q, epsilon), oneWay(q, p, epsilon));
const divergence = (p: readonly number[], q: readonly number[], alpha: number) => {
  if (alpha === 1) return p.reduce((sum, x, y) => sum + (x > 0 ? x * Math.log(x / q[y]!) : 0), 0);
  const moment = p.reduce((sum, x, y) => sum + (x > 0 ? x ** alpha * q[y]! ** (1 - alpha) : 0), 0);
  return Math.log(moment) / (alpha - 1);
};
const exactRdp = (p: readonly number[], q: readonly number[], alpha: number) =>
  Math.max(divergence(p, q, alpha), divergence(q, p, alpha));

const distribution = fc
  .array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 })
  .map((weights) => {
    const total = weights.reduce((a, b) => a + b, 0);
    return weights.map((weight) => weight / total);
  });

describe.each(laws)(
  "%s: the bounds against the exact law of the selection",
  (_name, repetitions) => {
    const terms = law(repetitions);
    const epsilons = Array.from({ length: 60 }, (_, k) => k / 12);

    test("profile: delta of the best of K is within the statement", () => {
      fc.assert(
        fc.property(distribution, distribution, (p, q) => {
          const profile = (epsilon: number) => exactDelta(p, q, epsilon);
          const ratio = logSelectionRatio(repetitions, profile, epsilons);
          const [a, b] = [selected(p, terms), selected(q, terms)];
          for (const epsilon of [0, 0.1, 0.3, 1, 2]) {
            const bound = meanRepetitions(repetitions) * profile(epsilon);
            expect(exactDelta(a, b, epsilon + ratio)).toBeLessThanOrEqual(bound + 1e-12);
          }
        }),
        { numRuns: 150, seed: 1 },
      );
    });

    test("Renyi: Theorem 2, and that of a Poisson number", () => {
      fc.assert(
        fc.property(distribution, distribution, (p, q) => {
          const [a, b] = [selected(p, terms), selected(q, terms)];
          const base = {
            rdp: (alpha: number) => exactRdp(p, q, alpha),
            profile: (epsilon: number) => exactDelta(p, q, epsilon),
            orders: [1, 1.5, 2, 4, 8, 32],
          };
          for (const alpha of [1.1, 2, 5, 20]) {
            expect(exactRdp(a, b, alpha)).toBeLessThanOrEqual(
              selectionRdp(repetitions, base, alpha) + 1e-10,
            );
          }
        }),
        { numRuns: 150, seed: 2 },
      );
    });
  },
);

describe("closed forms", () => {
  test("Theorem 2 by hand", () => {
    const repetitions = negativeBinomial(1, 0.1);
    const base = { rdp: (alpha: number) => alpha * 0.02, orders: [10], profile: () => 0 };
    // 0.1 + 2 (0.9 * 0.2 + ln(10) / 10) + ln(10) / 4 at alpha 5; E[K] = 10.
    const expected = 0.1 + 2 * (0.18 + Math.log(10) / 10) + Math.log(10) / 4;
    expect(selectionRdp(repetitions, base, 5)).toBeCloseTo(expected, 10);
  });

  test("a Poisson number by hand: Theorem 6, and the atom at no run", () => {
    const seen: number[] = [];
    const profile = (epsilon: number) => (seen.push(epsilon), 1e-3);
    const base = { rdp: (alpha: number) => alpha * 0.02, orders: [], profile };
    const found = selectionRdp({ kind: "poisson", mean: 6 }, base, 5);
    const moment = Math.exp(-6) + 6 * Math.exp(4 * (0.1 + 6e-3));
    expect(found).toBeCloseTo(Math.log(moment) / 4, 10);
    expect(seen).toEqual([Math.log1p(1 / 4)]);
  });

  test("few runs in the mean do not come for nothing: one run, when there is one, is seen", () => {
    // The total variation of a run that is made with probability 1 - e^-mean, by the score alone.
    for (const mean of [0.01, 0.1, 0.5, 0.9]) {
      for (const sigma of [0.2, 1, 5]) {
        const plans = [[{ event: gaussianEvent({ sigma }), count: 1 }]];
        const one = selectionEvent({ repetitions: { kind: "poisson", mean }, plans });
        const apart = gaussianCdf(1 / (2 * sigma)) - gaussianCdf(-1 / (2 * sigma));
        const least = -Math.expm1(-mean) * apart - (mean * mean) / 2;
        for (const accountant of ["auto", "rdp", "selection"] as const) {
          expect(deltaOf([one], { epsilon: 0, accountant })).toBeGreaterThanOrEqual(least);
        }
        // Gaussian noise leaves some delta at every epsilon, be it below all numbers.
        expect(deltaOf([one], { epsilon: 300 / sigma })).toBeGreaterThan(0);
        const twice = [one, gaussianEvent({ sigma: 1e3 })];
        expect(deltaOf(twice, { epsilon: 0 })).toBeGreaterThanOrEqual(least);
      }
    }
  });

  test("a pure base: within (2 + eta) eps, and R in closed form", () => {
    for (const [eta, gamma, epsilon] of [
      [1, 0.1, 0.5],
      [0, 0.02, 1],
      [-0.5, 0.01, 0.2],
    ] as const) {
      const repetitions = negativeBinomial(eta, gamma);
      const event = selectionEvent({
        repetitions,
        plans: [[{ event: pureEvent({ epsilon }), count: 1 }]],
      });
      const total = epsilonOf([event], { delta: 0 });
      expect(total).toBeLessThanOrEqual((2 + eta) * epsilon);
      // Randomized response is the worst base; its corner is at p = 1/(1 + e^eps).
      const p = 1 / (1 + Math.exp(epsilon));
      const ratio = (gamma + (1 - gamma) * (1 - p)) / (gamma + (1 - gamma) * p);
      expect(total).toBeCloseTo(epsilon + (1 + eta) * Math.log(ratio), 8);
    }
  });

  test("as gamma falls, the cost of a geometric number tends to Liu and Talwar's 3 eps", () => {
    const event = selectionEvent({
      repetitions: negativeBinomial(1, 1e-7),
      plans: [[{ event: pureEvent({ epsilon: 0.3 }), count: 1 }]],
    });
    expect(epsilonOf([event], { delta: 0 })).toBeCloseTo(0.9, 5);
  });

  test("R of a Gaussian base is the largest quotient of its trade-off curve", () => {
    const mu = 0.4;
    const repetitions = negativeBinomial(0, 0.05);
    const many = Array.from({ length: 400 }, (_, k) => k / 100);
    const found = logSelectionRatio(repetitions, (e) => gaussianDelta(e, mu), many);
    // The curve g(p) = Phi(Phi^-1(p) + mu), by its parametrisation p = Phi(t), g = Phi(t + mu).
    const cdf = (t: number) => gaussianCdf(t);
    let best = 0;
    for (let t = -4; t <= 4; t += 5e-3) {
      best = Math.max(best, Math.log((0.05 + 0.95 * cdf(t + mu)) / (0.05 + 0.95 * cdf(t))));
    }
    expect(found).toBeGreaterThanOrEqual(best);
    expect(found).toBeLessThan(best * 1.001);
  });
});

/** Phi by Simpson's rule from -12: nothing of the project is used. */
function gaussianCdf(t: number): number {
  const steps = 2000;
  const h = (t + 12) / steps;
  let sum = 0;
  for (let k = 0; k <= steps; k++) {
    const z = -12 + k * h;
    sum += (k === 0 || k === steps ? 1 : k % 2 ? 4 : 2) * Math.exp((-z * z) / 2);
  }
  return (sum * h) / 3 / Math.sqrt(2 * Math.PI);
}

describe("the accountant of a selection event", () => {
  const event = (mu: number, repetitions: Repetitions, second = mu) =>
    selectionEvent({
      repetitions,
      plans: [
        [{ event: gaussianEvent({ sigma: 1 / mu }), count: 1 }],
        [{ event: gaussianEvent({ sigma: 2 / second }), count: 4 }],
      ],
    });

  test("is above the exact divergence of a Gaussian score's selection", () => {
    // The output is the best of K scores N(0, 1) or N(mu, 1): density f'(Phi(y)) phi(y).
    const mu = 0.5;
    const gamma = 0.1;
    const n = 4000;
    const density = (shift: number, y: number, cdf: number) =>
      Math.exp(-((y - shift) ** 2) / 2) /
      Math.sqrt(2 * Math.PI) /
      (gamma + (1 - gamma) * (1 - cdf));
    let [c0, c1] = [0, 0];
    const h = 20 / n;
    const cells: [number, number][] = [];
    for (let k = 0; k < n; k++) {
      const y = -10 + (k + 0.5) * h;
      const phi = (shift: number) =>
        (Math.exp(-((y - shift) ** 2) / 2) * h) / Math.sqrt(2 * Math.PI);
      cells.push([density(0, y, c0 + phi(0) / 2) * h, density(mu, y, c1 + phi(mu) / 2) * h]);
      c0 += phi(0);
      c1 += phi(mu);
    }
    const normal = cells.reduce((sum, [a]) => sum + a, 0);
    const p = cells.map(([a]) => a / normal);
    const q = cells.map(([, b]) => b / normal);
    const repetitions = negativeBinomial(0, gamma);
    for (const epsilon of [0.5, 1, 1.5, 2]) {
      const bound = deltaOf([event(mu, repetitions)], { epsilon });
      expect(exactDelta(p, q, epsilon)).toBeLessThanOrEqual(bound + 1e-6);
    }
  });

  test("is named, beats the Renyi form here, and takes the worst of the plans", () => {
    const repetitions = negativeBinomial(0, 0.05);
    const account = accountForDelta([event(0.3, repetitions)], { delta: 1e-5 });
    expect(account.accountant).toBe("selection");
    const renyi = epsilonOf([event(0.3, repetitions)], { delta: 1e-5, accountant: "rdp" });
    expect(account.epsilon).toBeLessThan(renyi);
    const alone = epsilonOf([gaussianEvent({ sigma: 1 / 0.3 })], { delta: 1e-5 });
    expect(account.epsilon).toBeGreaterThan(alone);
    // The second plan is 4 releases of mu = second / 2 each.
    const worse = epsilonOf([event(0.3, repetitions, 0.6)], { delta: 1e-5 });
    const same = epsilonOf([event(0.6, repetitions, 0.6)], { delta: 1e-5 });
    expect(worse).toBeCloseTo(same, 8);
    expect(worse).toBeGreaterThan(account.epsilon);
  });

  test("delta and epsilon are inverse", () => {
    const one = event(0.5, negativeBinomial(0.5, 0.1));
    const epsilon = epsilonOf([one], { delta: 1e-6 });
    expect(deltaOf([one], { epsilon })).toBeLessThanOrEqual(1e-6 * (1 + 1e-9));
    expect(deltaOf([one], { epsilon: epsilon * 0.999 })).toBeGreaterThan(1e-6);
  });

  test("composes with other events by the Renyi accountant only", () => {
    const events = [event(0.2, negativeBinomial(0, 0.1)), gaussianEvent({ sigma: 5 })];
    expect(accountForDelta(events, { delta: 1e-5 }).accountant).toBe("rdp");
    expect(() => epsilonOf(events, { delta: 1e-5, accountant: "selection" })).toThrow(
      /covers one selection alone/,
    );
  });

  test("survives JSON in a ledger, which charges it once", () => {
    const one = event(0.2, repetitionsOfMean(0, 5));
    const epsilon = epsilonOf([one], { delta: 1e-5 });
    const ledger = new Ledger({ epsilon, delta: 1e-5, adjacency: "replace", plan: [one] });
    expect(ledger.accountant).toBe("selection");
    ledger.charge(one, { round: 1, label: "selection" });
    expect(() => {
      ledger.charge(one, { round: 2 });
    }).toThrow(/All 1 planned/);
    const again = Ledger.fromJSON(JSON.parse(JSON.stringify(ledger)));
    expect(again.spent()).toEqual(ledger.spent());
    expect(parseEvent(JSON.parse(JSON.stringify(one)))).toEqual(one);
  });

  test("of all candidates shares a small budget out evenly, and charges every run", () => {
    const adjacency = "zero-out" as const;
    const { own, ledger, charge, plans } = calibrateSelection(
      (epsilon) => [1, 2, 3].map(() => [pureEvent({ epsilon, adjacency })]),
      { epsilon: 0.3, delta: 0, adjacency, repetitions: "all", relative: 1e-9 },
    );
    expect(own).toBeCloseTo(0.1, 8);
    expect(own).toBeLessThanOrEqual(0.1);
    charge("selection");
    expect(ledger.entries).toHaveLength(0);
    for (const plan of plans) charge("run", plan);
    expect(ledger.entries.map(({ round, label }) => [round, label])).toEqual([1, 2, 3].map((k) => [k, "candidate run"])); // prettier-ignore
    expect(() => charge("run", plans[0])).toThrow();
    const none = () => calibrateSelection(() => [[pureEvent({ epsilon: 1, adjacency })]], { epsilon: 0.3, delta: 0, adjacency, repetitions: "all", relative: 1e-9 }); // prettier-ignore
    expect(none).toThrow(/^epsilon: expected a budget that a private selection can share out/);
  });

  test("refuses what has no proof", () => {
    const repetitions = repetitionsOfMean(0, 5);
    const inner = event(0.2, repetitions);
    const plan = (one: Parameters<typeof selectionEvent>[0]["plans"][0][0]["event"]) => () =>
      selectionEvent({ repetitions, plans: [[{ event: one, count: 1 }]] });
    expect(plan(inner)).toThrow(/plans\[0\]\[0\]: a selection event/);
    expect(plan(gaussianEvent({ sigma: 1, adjacency: "zero-out" }))).toThrow(/adjacency/);
    expect(() => selectionEvent({ repetitions, plans: [] })).toThrow(/at least one/);
    expect(() => selectionEvent({ repetitions, plans: [[]] })).toThrow(
      "plans[0]: expected releases, got none",
    );
    const none = { event: gaussianEvent({ sigma: 1 }), count: 0 };
    expect(() => selectionEvent({ repetitions, plans: [[none]] })).toThrow(/count: expected/);
    const stored = JSON.parse(JSON.stringify(inner)) as { plans: { count: number }[][] };
    stored.plans[0]![0]!.count = 0.5;
    expect(() => parseEvent(stored)).toThrow(/plans\[0\]\[0\]\.count/);
  });
});
