import { expect, test } from "vitest";
import {
  erfc,
  erfcx,
  logNormalCdf,
  normalCdf,
} from "../../../src/privacy/accounting/special/erfc.js";
import {
  incompleteGamma,
  logBinomialTerm,
  logGamma,
  logPoissonTerm,
  stirlingError,
} from "../../../src/privacy/accounting/special/gamma.js";

const relative = (got: number, want: number) => Math.abs(got / want - 1);

// mpmath, 50 digits.
test.each([
  [-3, 1.9999779095030015],
  [0.2, 0.7772974107895215],
  [0.46875, 0.507386526782062],
  [1, 0.15729920705028513],
  [4, 1.541725790028002e-8],
  [10, 2.088487583762545e-45],
  [26, 5.663192408856143e-296],
])("erfc(%d) to 4e-16 relative", (x, want) => {
  expect(relative(erfc(x), want)).toBeLessThan(4e-16 * (1 + Math.abs(x)));
});

test("erfcx is erfc scaled, and 1/(x sqrt(pi)) far out", () => {
  for (const x of [-2, 0.1, 0.5, 3, 8]) {
    expect(relative(erfcx(x), Math.exp(x * x) * erfc(x))).toBeLessThan(1e-13);
  }
  expect(relative(erfcx(1e9), 1 / (1e9 * Math.sqrt(Math.PI)))).toBeLessThan(1e-15);
});

test("the normal distribution function has both tails and a logarithm", () => {
  expect(normalCdf(0)).toBe(0.5);
  for (const x of [-30, -5, -0.3, 0.3, 5]) {
    if (x < 1) expect(relative(logNormalCdf(x), Math.log(normalCdf(x)))).toBeLessThan(1e-13);
    expect(normalCdf(x) + normalCdf(-x)).toBeCloseTo(1, 15);
  }
  expect(logNormalCdf(-1e5)).toBeCloseTo(-5e9 - Math.log(1e5 * Math.sqrt(2 * Math.PI)), 3);
});

test("log-gamma is exact at integers and obeys duplication", () => {
  let factorial = 1;
  for (let n = 1; n <= 18; n++) {
    expect(Math.abs(logGamma(n) - Math.log(factorial))).toBeLessThan(2e-14);
    factorial *= n;
  }
  for (const x of [0.3, 2.7, 40.1, 1e4]) {
    const left = logGamma(x) + logGamma(x + 0.5);
    const right = (1 - 2 * x) * Math.LN2 + 0.5 * Math.log(Math.PI) + logGamma(2 * x);
    expect(Math.abs(left - right)).toBeLessThan(1e-14 * (1 + Math.abs(right)));
  }
  expect(stirlingError(1e6)).toBeCloseTo(1 / 12e6, 18);
});

test("Poisson and binomial terms sum to one", () => {
  const poisson = Array.from({ length: 200 }, (_, k) => Math.exp(logPoissonTerm(k, 30)));
  expect(poisson.reduce((a, b) => a + b)).toBeCloseTo(1, 13);
  const binomial = Array.from({ length: 101 }, (_, k) =>
    Math.exp(logBinomialTerm(100, k, 0.3, 0.7)),
  );
  expect(binomial.reduce((a, b) => a + b)).toBeCloseTo(1, 13);
});

test("incomplete gamma functions: closed forms of whole and half orders, both tails", () => {
  for (const x of [1e-3, 0.7, 3, 40, 300]) {
    // a = 1: an exponential; a = 3: e^-x (1 + x + x^2/2); a = 1/2: erfc(sqrt x).
    expect(relative(incompleteGamma(1, x).upper, Math.exp(-x))).toBeLessThan(1e-13);
    const three = Math.exp(-x) * (1 + x + (x * x) / 2);
    expect(relative(incompleteGamma(3, x).upper, three)).toBeLessThan(1e-12);
    if (x < 100) {
      expect(relative(incompleteGamma(0.5, x).upper, erfc(Math.sqrt(x)))).toBeLessThan(1e-12);
    }
    const { lower, upper } = incompleteGamma(7.3, x);
    expect(lower + upper).toBeCloseTo(1, 14);
  }
  // The lower tail keeps its relative accuracy: P(a, x) -> x^a / Gamma(a + 1).
  const leading = Math.exp(20 * Math.log(1e-6) - logGamma(21));
  expect(relative(incompleteGamma(20, 1e-6).lower, leading)).toBeLessThan(1e-6);
});
