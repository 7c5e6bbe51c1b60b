/**
 * Figures to the last bit. Whether they are right, other tests say; these say that they do not move: what ledgers hold, plans
 * promise and models print is the same in the next version, or CHANGELOG.md says so. Where they should change:
 * `npx vitest run test/privacy/kept-figures.test.ts -u`.
 */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { openCore } from "../../src/core/index.js";
import * as account from "../../src/privacy/accounting/account.js";
import { bisect, largest, largestCostly, smallest } from "../../src/privacy/accounting/bisect.js";
import { epsilonBounds } from "../../src/privacy/accounting/bounds.js";
import { calibrate, largestRounds } from "../../src/privacy/accounting/calibrate.js";
import * as discrete from "../../src/privacy/accounting/discrete.js";
import { openFilter } from "../../src/privacy/accounting/filter.js";
import * as gdp from "../../src/privacy/accounting/gdp.js";
import * as kov from "../../src/privacy/accounting/kov.js";
import * as laplace from "../../src/privacy/accounting/laplace-profile.js";
import { outcomeLaws, ratioLaw } from "../../src/privacy/accounting/pld/allocation/allocation.js";
import { pessimistic } from "../../src/privacy/accounting/pld/discretize.js";
import { RealFft } from "../../src/privacy/accounting/pld/fft.js";
import { lossLaw } from "../../src/privacy/accounting/pld/laws.js";
import { optimistic } from "../../src/privacy/accounting/pld/optimistic.js";
import { outline } from "../../src/privacy/accounting/pld/outline.js";
import * as rr from "../../src/privacy/accounting/randomized-response.js";
import { eventRdp } from "../../src/privacy/accounting/accountants/rdp-accountant.js";
import * as rdp from "../../src/privacy/accounting/rdp.js";
import * as conversion from "../../src/privacy/accounting/rdp-conversion.js";
import { drawRepetitions } from "../../src/privacy/selection/draw-repetitions.js";
import * as rounding from "../../src/privacy/accounting/rounding.js";
import * as sampled from "../../src/privacy/accounting/sampled-gaussian.js";
import { selectionRdp } from "../../src/privacy/accounting/selection.js";
import { binomialAtLeast } from "../../src/privacy/accounting/special/binomial.js";
import * as erf from "../../src/privacy/accounting/special/erfc.js";
import * as gamma from "../../src/privacy/accounting/special/gamma.js";
import * as wishart from "../../src/privacy/accounting/wishart-profile.js";
import * as clopperPearson from "../../src/privacy/audit/clopper-pearson.js";
import * as delta from "../../src/privacy/delta.js";
import * as events from "../../src/privacy/events/events.js";
import * as summary from "../../src/privacy/guarantee/gaussian-summary.js";
import { liftBudget, recordBudget } from "../../src/privacy/group.js";
import { MECHANISM_NAMES, mechanismsFor } from "../../src/privacy/mechanisms/catalogue.js";
import { createMechanism } from "../../src/privacy/mechanisms/create.js";
import * as noise from "../../src/privacy/mechanisms/noise-law.js";
import { cellOf, roundedScale } from "../../src/privacy/mechanisms/exact/range.js";
import { noiselessDelta } from "../../src/privacy/noiseless.js";
import * as repetitions from "../../src/privacy/selection/repetitions.js";
import { allocateBudget } from "../../src/privacy/allocate-budget.js";
import { scheduleWeights } from "../../src/privacy/schedule.js";
import { selectionEvent } from "../../src/privacy/selection/selection-event.js";
import { sensitivity, type Statistic } from "../../src/privacy/sensitivity.js";
import { thoroughTest } from "../thorough.js";
import type { PrivacyEvent } from "../../src/privacy/events/event-kinds.js";

const adjacency = "zero-out" as const;

/** What is printed of a value: numbers as they are, long arrays as a digest of their bits. */
function show(value: unknown): string {
  if (value instanceof Float64Array && value.length > 8) {
    return createHash("sha256").update(new Uint8Array(value.buffer)).digest("hex").slice(0, 16);
  }
  if (typeof value === "function") return "";
  if (value instanceof Float64Array || Array.isArray(value)) return [...value].map(show).join(" ");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).map(([key, field]) => `${key} ${show(field)}`).join(" "); // prettier-ignore
  }
  return String(value);
}

/** A line of a function's values at points, each an argument list. */
function line<A extends unknown[]>(name: string, f: (...args: A) => unknown, points: A[]): string {
  const values = points.map((point) => {
    try {
      return show(f(...point));
    } catch (error) {
      return (error as Error).message;
    }
  });
  return `${name}: ${values.join(" | ")}\n`;
}

const EVENTS: Record<string, PrivacyEvent> = {
  gaussian: events.gaussianEvent({ sigma: 3, sensitivity: 1.5, adjacency }),
  sampled: events.subsampledGaussianEvent({ sigma: 1.5, rate: 0.05 }),
  discrete: events.discreteGaussianEvent({ sigma: 4, grid: 2 ** -8, entries: 9, adjacency }),
  shares: events.discreteGaussianEvent({ sigma: 4, grid: 0.1, entries: 9, shares: 6, adjacency }),
  "two-sided": events.twoSidedWishartEvent({ scale: 3, adjacency }),
  wishart: events.wishartEvent({ dimension: 3, degreesOfFreedom: 30, scale: 2, adjacency }),
  laplace: events.laplaceEvent({ scale: 4, adjacency }),
  spherical: events.sphericalLaplaceEvent({ scale: 5, adjacency }),
  pure: events.pureEvent({ epsilon: 0.2, adjacency }),
};
const event = (name: string) => EVENTS[name]!;

/** Groups of events, one for each way in which an accountant may go. */
const PLANS: Record<string, { event: PrivacyEvent; count: number }[]> = {
  ...Object.fromEntries(Object.keys(EVENTS).map((name) => [name, [{ event: event(name), count: 3 }]])),
  "one laplace": [{ event: event("laplace"), count: 1 }],
  "no events": [],
  "many pure": [{ event: event("pure"), count: 400 }],
  "pure of two kinds": [{ event: event("pure"), count: 5 }, { event: event("laplace"), count: 4 }],
  "gaussian and laplace": [{ event: event("gaussian"), count: 4 }, { event: event("laplace"), count: 4 }],
  "sampled and pure": [{ event: event("sampled"), count: 40 }, { event: event("pure"), count: 2 }],
  "wishart replaced": [{ event: { ...event("wishart"), adjacency: "replace" } as PrivacyEvent, count: 1 }],
}; // prettier-ignore

const ACCOUNTANTS = ["gdp", "exact", "kov", "rdp", "pld"] as const;
/** Where the best is not seen beside the others. */
const AUTOMATIC = ["discrete", "shares", "laplace", "no events"];

thoroughTest("accountants' figures", async () => {
  const lines = Object.entries(PLANS).flatMap(([name, groups]) =>
    [...ACCOUNTANTS, ...(AUTOMATIC.includes(name) ? (["auto"] as const) : [])].flatMap(
      (accountant) => [
        line(`${name}, ${accountant}, epsilon`, account.epsilonOfGroups, [
          [groups, 1e-5, accountant],
          [groups, 0, accountant],
        ]),
        line(`${name}, ${accountant}, delta`, account.deltaOfGroups, [[groups, 0.5, accountant]]),
      ],
    ),
  );
  await expect(lines.join("")).toMatchFileSnapshot("kept-figures/accountants.txt");
});

thoroughTest("bounds, calibration, filters, selection", async () => {
  const list = (name: string) => PLANS[name]!.flatMap(({ event: e, count }) => new Array<PrivacyEvent>(count).fill(e)); // prettier-ignore
  const bounded = ["laplace", "wishart", "sampled and pure"];
  const filterOf = (
    accountant: "auto" | "kov" | "gdp" | "rdp" | "pld",
    d: number,
    kind: string,
  ) => {
    const filter = openFilter(accountant, 3, d);
    filter.spend(event(kind));
    return [filter.name, filter.unit, filter.left, filter.cost(event(kind)), filter.spentEpsilon()];
  };
  const selection = (r: repetitions.Repetitions) =>
    selectionEvent({ repetitions: r, plans: [PLANS["gaussian"]!, [{ event: event("pure"), count: 2 }]], adjacency }); // prettier-ignore
  const R: repetitions.Repetitions[] = [
    { kind: "poisson", mean: 10 },
    { kind: "negative-binomial", eta: 1, gamma: 0.1 },
    { kind: "negative-binomial", eta: 0.5, gamma: 0.01 },
    { kind: "negative-binomial", eta: 0, gamma: 0.1 },
  ];
  const budget = { epsilon: 1, delta: 1e-5 };
  const lines = [
    line("bounds", (name: string) => epsilonBounds(list(name), { delta: 1e-6 }), bounded.map((name): [string] => [name])),
    line("calibrated", (make: (s: number) => PrivacyEvent, rounds: number, d: number) => calibrate({ epsilon: 1, delta: d, rounds, event: make }), [
      [(sigma) => events.gaussianEvent({ sigma }), 30, 1e-5],
      [(scale) => events.laplaceEvent({ scale }), 7, 0],
      [(scale) => events.laplaceEvent({ scale }), 7, 1e-6],
    ]),
    line("most rounds", (kind: string, e: number) => largestRounds({ ...budget, epsilon: e, event: event(kind) }), [
      ["gaussian", 0.3], ["gaussian", 9], ["laplace", 3], ["pure", 0.1], ["pure", 0.2], ["pure", 0.41],
    ]),
    line("a free event's rounds", () => largestRounds({ ...budget, event: events.pureEvent({ epsilon: 0 }) }), [[]]),
    line("filters", filterOf, [
      ["auto", 0, "pure"], ["kov", 0, "laplace"], ["auto", 0, "gaussian"], ["gdp", 1e-5, "gaussian"], ["gdp", 1e-5, "pure"], ["gdp", 0, "gaussian"],
      ["auto", 1e-5, "gaussian"], ["rdp", 1e-5, "sampled"], ["rdp", 1e-5, "pure"], ["rdp", 1e-5, "wishart"], ["rdp", 0, "pure"], ["pld", 1e-5, "pure"], ["kov", 1e-5, "pure"],
    ]),
    line("selection", (r: repetitions.Repetitions) => [account.epsilonOf([selection(r)], { delta: 1e-5 }), account.deltaOf([selection(r)], { epsilon: 2 })], R.map((r) => [r])),
    line("selection's divergence", (r: repetitions.Repetitions) => selectionRdp(r, { rdp: (a) => a * 0.01, orders: [1, 4, 30], profile: (e) => gdp.gaussianDelta(e, 0.1) }, 8), R.map((r) => [r])),
    line("mean repetitions", repetitions.meanRepetitions, R.map((r) => [r])),
    line("drawn repetitions", (r: repetitions.Repetitions, u: number) => drawRepetitions(r, () => BigInt(Math.floor(u * 2 ** 53)) << 11n), R.flatMap((r) => [0.01, 0.5, 0.97, 0.9999].map((u): [repetitions.Repetitions, number] => [r, u]))),
    line("repetitions of a mean", repetitions.repetitionsOfMean, [[1, 10], [0.5, 4], [0, 12], [1, 1], [2, 0.5]]),
  ]; // prettier-ignore
  await expect(lines.join("")).toMatchFileSnapshot("kept-figures/budgets.txt");
});

test("profiles and special functions, on either side of every change of formula", async () => {
  const xs = [
    -40, -27, -6, -1, -0.5, -0.46, -0.1, 0, 1e-9, 0.1, 0.46, 0.47, 1, 3.9, 4.1, 8, 27, 40, 1e8,
    1e200,
  ];
  const at = xs.map((x): [number] => [x]);
  const shapes = [0.5, 1, 2.5, 9, 14.5, 15, 40, 1e3, 1e6];
  const aroundMean = shapes.flatMap((a) =>
    [0.01 * a, 0.5 * a, 0.99 * a, a, a + 1, 1.01 * a, 2 * a, 30 + 4 * a].map(
      (x): [number, number] => [a, x],
    ),
  );
  const mus = [1e-6, 0.01, 0.3, 1, 4, 30];
  const profile = mus.flatMap((mu) =>
    [-3, -0.5, 0, 1e-3, 0.5, 3, 40, 600].map((e): [number, number] => [e, mu]),
  );
  const law = (n: number, b: number) => ({ n, b });
  const wisharts = [law(2, 2), law(8, 0.5), law(30, 0.1), law(101, 3)].flatMap((one) =>
    [0, 0.1, 1, 5, 800].map((e): [wishart.WishartLaw, number] => [one, e]),
  );
  const samples = [
    { rate: 0.01, sigma: 1 },
    { rate: 0.5, sigma: 3 },
    { rate: 0.999, sigma: 0.2 },
    { rate: 1e-5, sigma: 0.5 },
  ].flatMap((one) =>
    [-0.004, 0, 0.01, 1, 30].map((e): [sampled.SampledGaussian, number] => [one, e]),
  );
  const lines = [
    line("erfc", erf.erfc, at), line("erfcx", erf.erfcx, at), line("ln Phi", erf.logNormalCdf, at),
    line("Stirling's error", gamma.stirlingError, [...shapes, 0.1, 16, 17, 100].map((a) => [a])),
    line("ln Gamma", gamma.logGamma, [...shapes, 0.1, 0.99, 1.01, 7].map((a) => [a])),
    line("Poisson", gamma.logPoissonTerm, aroundMean), line("binomial", gamma.logBinomialTerm, [[10, 0, 0.1, 0.9], [10, 10, 0.1, 0.9], [10, 3, 0.1, 0.9], [1000, 1, 1e-3, 0.999], [40, 20, 0.5, 0.5]]),
    line("incomplete gamma", gamma.incompleteGamma, aroundMean), line("its logarithm", gamma.logIncompleteGamma, aroundMean),
    line("binomial tail", binomialAtLeast, [[10, 0, 0.1], [10, 1, 0.1], [10, 10, 0.1], [500, 3, 0.01], [500, 300, 0.5], [1e5, 51_000, 0.5]]),
    line("Clopper-Pearson", (k: number, n: number) => [clopperPearson.clopperPearsonLower(k, n, 0.05), clopperPearson.clopperPearsonUpper(k, n, 0.05)], [[0, 10], [1, 10], [10, 10], [37, 1000]]),
    line("Gaussian profile", gdp.gaussianProfile, profile), line("Gaussian delta", gdp.gaussianDelta, profile),
    line("Gaussian profile where its formula changes", gdp.gaussianProfile, [[-4.9 + 0.5, 1], [-5.1 + 0.5, 1], [38.5 + 0.5, 1], [38.7 + 0.5, 1], [1, 0], [-1, 0]]),
    line("Gaussian epsilon", gdp.gaussianEpsilon, mus.flatMap((mu) => [1e-300, 1e-12, 1e-5, 0.1, 0.7].map((d): [number, number] => [mu, d]))),
    line("mu", gdp.gaussianMu, [[0.1, 1e-5], [1, 1e-5], [10, 1e-9], [700, 1e-3], [0, 0.01], [1, 0.5]]),
    line("Laplace", laplace.laplaceDelta, [[0, 1], [0.5, 1], [1, 1], [2, 1], [0.3, 40]]), line("Laplace epsilon", laplace.laplaceEpsilon, [[0, 1], [0.1, 1], [0.39, 1], [0.4, 1], [1e-9, 40]]),
    line("chi-square", wishart.chiSquare, [[2, 2], [8, 2], [30, 50], [101, 101], [8, 0], [3, 1e9]]),
    ...(["wishartThreshold", "wishartWithoutWith", "wishartWithWithout", "wishartZeroOutDelta", "wishartReplaceDelta"] as const).map((name) => line(name, wishart[name], wisharts)),
    line("Wishart epsilon", wishart.wishartZeroOutEpsilon, [[law(8, 0.5), 1e-3], [law(30, 0.1), 1e-5], [law(2, 2), 0.5], [law(2, 2), 0.9]]),
    line("Wishart infinite", wishart.wishartInfiniteMass, [[law(8, 0.5)], [law(30, 0.1)]]),
    ...(["sampledThreshold", "sampledRemoveDelta", "sampledAddDelta"] as const).map((name) => line(name, sampled[name], samples)),
    line("Renyi, Gaussian", rdp.gaussianRdp, [[1.5, 2], [8, 0.1]]), line("Renyi, Laplace", rdp.laplaceRdp, [[1.5, 2], [8, 0.1], [64, 30], [2, 1e-9]]), line("Renyi, pure", rdp.pureRdp, [[1.5, 2], [8, 0.1], [64, 30], [2, 1e-9], [3, 800]]),
    line("Renyi, sampled", rdp.sampledGaussianRdp, [[1.5, 0.05, 1], [2, 0.05, 1], [8, 0.01, 2], [8.5, 0.01, 2], [64, 0.3, 4], [256, 1e-3, 0.7], [3, 0.5, 0.06]]),
    line("Renyi to epsilon", conversion.rdpToEpsilon, [[1.5, 0.1, 1e-5], [8, 0.1, 1e-5], [64, 0.001, 0.1]]), line("Renyi to delta", conversion.rdpToDelta, [[1.5, 0.1, 1], [8, 0.1, 1], [64, 0.001, 0.1]]),
    line("zCDP", conversion.zcdpEpsilon, [[0.1, 1e-5], [1e-6, 1e-5], [30, 1e-9]]),
    line("Renyi of events", (name: string) => [1.25, 4, 4.5, 80].map((a) => eventRdp(event(name), a)), Object.keys(EVENTS).map((name): [string] => [name])),
    line("KOV", kov.compositionBound, [[[0.1, 0.2, 0.3], 1e-5], [new Array<number>(100).fill(0.05), 1e-6], [[1], 0], [[3, 3], 0.9]]),
    line("atoms", (runs: kov.PureRun[], e: number, d: number) => { const atoms = rr.composedAtoms(runs); return [rr.atomCount(runs), atoms.loss, atoms.mass, rr.atomsDelta(atoms, e), rr.atomsEpsilon(atoms, d)]; }, [
      [[{ epsilon: 0.3, count: 3 }], 0.2, 1e-3], [[{ epsilon: 0.3, count: 20 }, { epsilon: 0.1, count: 2 }], 1, 1e-5], [[{ epsilon: 1, count: 1 }], 1, 0.2], [[{ epsilon: 1, count: 1 }], 0, 0.9],
    ]),
    line("rounding", (x: number) => [rounding.roundUp(x), rounding.roundDown(x), rounding.decimalAbove(x, 3), rounding.decimalBelow(x, 3), rounding.quotient(x, 3)], [0, 1, 0.1, 1e-310, 123.4567, Infinity].map((x) => [x])),
    line("root of squares", rounding.rootOfSquares, [[[]], [[{ x: 3, count: 1 }, { x: 4, count: 1 }]], [[{ x: 1e200, count: 2 }]], [[{ x: 1e-200, count: 2 }]], [[{ x: 0.1, count: 1000 }]]]),
    line("bisection", (f: (x: number) => boolean, x: number) => [largest(f, x), bisect(f, { inside: 0, outside: 40 }, 1e-3), smallest((y) => !f(y), x)], [[(x) => x * x < 2, 1], [(x) => x < 1e-7, 5], [(x) => x <= 1e9, 0.1]]),
    line("costly bisection", (target: number, start: number) => largestCostly((x) => x * x * Math.sqrt(x), target, start, 1e-9), [[2, 1], [1e-9, 1], [1e9, 0.01], [0, 1]]),
  ]; // prettier-ignore
  await expect(lines.join("")).toMatchFileSnapshot("kept-figures/functions.txt");
});

thoroughTest("losses on grids", async () => {
  const fft = new RealFft(64);
  const sequence = Float64Array.from({ length: 64 }, (_, i) => Math.sin(i * i));
  const directions = ["with-against-without", "without-against-with"] as const;
  const names = ["gaussian", "sampled", "laplace", "wishart", "pure"];
  const spectrum = fft.forward(sequence);
  const lines = names.flatMap((name) =>
    directions.flatMap((direction) => {
      const law = lossLaw(event(name), direction)!;
      const { tails, weakened, ...facts } = law;
      const at = { pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 };
      const parts = [{ law, count: 7 }];
      return [
        line(`${name} ${direction}`, () => facts, [[]]),
        line("tails", (loss: number) => (tails(loss, at), at), [-3, -0.25, -0.2, -0.01, 0, 0.01, 0.2, 0.25, 3].map((x) => [x])), // prettier-ignore
        line("up", pessimistic, [[law, 0.01, -60, 60], [law, 0.3, -2, 1]]), // prettier-ignore
        line("down", optimistic, [[law, 0.01, -60, 60], [law, 0.3, -2, 1], [law, 0.05, -40, -1]]), // prettier-ignore
        line("weakened", () => weakened?.(0.03).supremum, [[]]),
        line("outline", outline, [
          [parts, { kind: "delta", logDelta: -12 }, 1e-6],
          [parts, { kind: "epsilon", epsilon: 0.4 }, 1e-4],
          [[{ law, count: 200_000 }], { kind: "delta", logDelta: -12 }, 1e-7],
        ]),
      ];
    }),
  );
  lines.push(
    line("one of s rounds", ratioLaw, [[5, 1.2]]),
    line("outcomes of one of s rounds", outcomeLaws, [[5, 1.2]]),
  ); // prettier-ignore
  lines.push(line("transform", () => [spectrum.re, spectrum.im, fft.inverse(spectrum)], [[]]));
  await expect(lines.join("")).toMatchFileSnapshot("kept-figures/grids.txt");
});

test("mechanisms: what they spend, their noise, shift and memory", async () => {
  const core = openCore();
  const statistics: Statistic[] = ["covariance", "diagonal", "task-covariance", "augmented-covariance", "vector", "moment"]; // prettier-ignore
  const lines = statistics.flatMap((statistic) =>
    mechanismsFor(statistic).flatMap((name) =>
      (["replace", "zero-out"] as const).flatMap((neighbours) => [
        line(`${name} of ${statistic}, ${neighbours}`, (budget: number, options: object) => {
          const mechanism = createMechanism({ name, statistic, tasks: 7, dimension: 4, clip: 1.5, adjacency: neighbours, delta: 1e-5, ...options }); // prettier-ignore
          const { sound, exact, why, budgetKind } = mechanism;
          return [sound, exact, why.length, budgetKind, mechanism.event(budget), mechanism.noiseScale(budget), mechanism.shift(budget), mechanism.workspace(core)]; // prettier-ignore
        }, [
          [0.3, {}],
          [2, {}],
          [0.3, { discrete: true }],
          [1e-9, { discrete: true, tasks: 1000 }],
          [0.3, { discrete: true, sampling: { kind: "poisson", rate: 0.1 } }],
          [0.3, { sampling: { kind: "poisson", rate: 0.1 } }],
          [0.3, { degreesOfFreedom: 40 }],
          [0.3, { delta: 0 }],
        ]), // prettier-ignore
      ]),
    ),
  );
  lines.push(
    line("sensitivity", (statistic: Statistic, neighbours: "replace" | "zero-out", norm: "nuclear" | "frobenius") => sensitivity({ statistic, adjacency: neighbours, norm, tasks: 7, dimension: 4, clip: 1.5 }),
      statistics.flatMap((s) => (["replace", "zero-out"] as const).flatMap((a) => (["nuclear", "frobenius"] as const).map((n): [Statistic, "replace" | "zero-out", "nuclear" | "frobenius"] => [s, a, n])))),
    line("law of noise", (name: "semicircle" | "freeDifference" | "marchenkoPastur" | "chiSquareEntries" | "normalEntries" | "laplaceEntries", scale: number, n: number) => {
      const law = noise[name](scale, n) as unknown as Record<string, unknown>;
      return Object.entries(law).map(([key, value]) => typeof value === "function" ? [0, 0.5, 1, 3, 30].map((x) => (value as (x: number) => unknown)(x)) : [key, value]);
    }, (["semicircle", "freeDifference", "marchenkoPastur", "chiSquareEntries", "normalEntries", "laplaceEntries"] as const).flatMap((name) => [[name, 1, 1], [name, 0.5, 2], [name, 3, 27]] as [typeof name, number, number][])),
    line("rounded scale", (budget: number, dimension: number) => roundedScale({ budget, sensitivity: 1.5, dimension, clip: 1, tasks: 7, entries: dimension } as never, budget as never, dimension as never), [[0.3, 4], [1e-9, 1000], [50, 1]]),
    line("cells", cellOf, [[0.5, 1], [1.5, 1], [-0.5, 1], [0.3, 0.25], [1e9, 2 ** -20], [-7.49, 0.5]]),
  ); // prettier-ignore
  expect(MECHANISM_NAMES).toHaveLength(8);
  await expect(lines.join("")).toMatchFileSnapshot("kept-figures/mechanisms.txt");
});

test("plans, deltas, groups and summaries", async () => {
  const schedules = [undefined, { kind: "constant" }, { kind: "polynomial", exponent: 0.5 }, { kind: "polynomial", exponent: -1 }, { kind: "geometric", ratio: 0.9 }, { kind: "other" }] as never[]; // prettier-ignore
  const kinds = MECHANISM_NAMES.map(
    (mechanism) => [mechanism, /laplace/.test(mechanism) ? 0 : 1e-5] as const,
  );
  const lines = [
    line("weights", scheduleWeights, schedules.slice(1).map((s): [never, number] => [s, 6])),
    line("allocated", (mechanism: (typeof MECHANISM_NAMES)[number], d: number, schedule: never, extra: PrivacyEvent[]) => {
      const { events: planned, ...rest } = allocateBudget({ mechanism, epsilon: 0.8, delta: d, schedule, rounds: 5, extra });
      return [rest, planned.length];
    }, [...kinds.map(([m, d]): [typeof m, number, never, PrivacyEvent[]] => [m, d, schedules[2]!, []]), ["gaussian", 1e-5, schedules[0]!, [events.gaussianEvent({ sigma: 9 })]], ["gaussian", 1e-5, schedules[0]!, [events.pureEvent({ epsilon: 0.3 })]],
        ["two-sided-wishart", 0, schedules[0]!, []], ["laplace-diagonal", 0, schedules[0]!, [events.pureEvent({ epsilon: 0.9 })]], ["gaussian", 0.9, schedules[0]!, []]]),
    line("delta", delta.resolveDelta, (["auto", "papers", 1e-7, 0, 1, -1, NaN] as never[]).flatMap((choice) => [1, 2, 3, 139, 1_000_000].map((m): [never, number] => [choice, m]))),
    line("what a delta means", delta.readDelta, [[0.3035, 3], [0.5, 2], [0.51, 2], [1 / 7, 7], [0.14, 7], [1e-3, 20], [1.1e-3, 20], [0.01, 500, "record"], [0.09, 30]]),
    line("delta with no noise", (name: string) => noiselessDelta(PLANS[name]!), Object.keys(PLANS).map((name): [string] => [name])),
    line("of one record", recordBudget, [[{ epsilon: 1, delta: 1e-5 }, 1], [{ epsilon: 1, delta: 1e-5 }, 4], [{ epsilon: 0, delta: 0 }, 9]]), line("of a group", liftBudget, [[{ epsilon: 0.1, delta: 1e-9 }, 1], [{ epsilon: 0.1, delta: 1e-9 }, 30], [{ epsilon: 0, delta: 1e-9 }, 9], [{ epsilon: 300, delta: 0.1 }, 9]]),
    line("summary", (name: string) => { const runs = PLANS[name]!.flatMap(({ event: e, count }) => new Array<PrivacyEvent>(Math.min(count, 4)).fill(e)); return [summary.gaussianSummary(runs, { epsilon: 1, delta: 1e-5 }), summary.attackerGain({ epsilon: 1, delta: 1e-5 }, runs)]; }, Object.keys(PLANS).map((name): [string] => [name])),
    line("odds", summary.posteriorOdds, [[0, 0], [0.1, 1e-5], [1, 1e-5], [8, 1e-3], [1, 0.4]]), line("mu of pure", summary.muOfPure, [[0], [0.1], [1], [20], [800]]),
    line("sensitivity on the grid", (name: string) => [discrete.roundedSensitivity(event(name) as never), discrete.sharesGap(event(name) as never), discrete.continuous(PLANS[name]!, 0.5)], [["discrete"], ["shares"]]),
  ]; // prettier-ignore
  await expect(lines.join("")).toMatchFileSnapshot("kept-figures/plans.txt");
});
