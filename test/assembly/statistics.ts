/**
 * What sampler tests need: moments, distribution functions, goodness of fit.
 * @module
 */

/** Mean, variance and standardised third and fourth moments. */
export function moments(sample: Float64Array) {
  const n = sample.length;
  let mean = 0;
  for (const x of sample) mean += x;
  mean /= n;
  let m2 = 0;
  let m3 = 0;
  let m4 = 0;
  for (const x of sample) {
    const d = x - mean;
    m2 += d * d;
    m3 += d ** 3;
    m4 += d ** 4;
  }
  m2 /= n;
  return { mean, variance: m2, skewness: m3 / n / m2 ** 1.5, kurtosis: m4 / n / m2 ** 2 };
}

/**
 * Kolmogorov's distance times sqrt(n). Under the law it exceeds 1.95 with probability 1e-3,
 * 2.33 with 4e-5, 2.65 with 1.6e-6 (2 exp(-2 x^2)).
 */
export function kolmogorov(sample: Float64Array, cdf: (x: number) => number): number {
  const sorted = sample.slice().sort();
  const n = sorted.length;
  let distance = 0;
  for (let i = 0; i < n; i++) {
    const p = cdf(sorted[i]!);
    distance = Math.max(distance, p - i / n, (i + 1) / n - p);
  }
  return distance * Math.sqrt(n);
}

/** log Gamma(a), Lanczos with g = 7, relative error near 1e-15. */
export function logGamma(a: number): number {
  const c = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
    -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
    1.5056327351493116e-7,
  ];
  const x = a - 1;
  const t = x + 7.5;
  const sum = c.reduce((s, ck, k) => (k === 0 ? ck : s + ck / (x + k)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Regularised lower incomplete gamma function P(a, x): series, or Lentz's continued fraction. */
export function gammaCdf(a: number, x: number): number {
  if (x <= 0) return 0;
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let k = 1; k < 10000 && term > sum * 1e-16; k++) {
      term *= x / (a + k);
      sum += term;
    }
    return front * sum;
  }
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let h = d;
  for (let k = 1; k < 10000; k++) {
    const an = -k * (k - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return 1 - front * h;
}

/** Standard normal distribution function. */
export function normalCdf(x: number): number {
  const half = 0.5 * gammaCdf(0.5, 0.5 * x * x);
  return x < 0 ? 0.5 - half : 0.5 + half;
}

/** Probability that chi-square with k degrees of freedom exceeds x. */
export function chiSquareTail(k: number, x: number): number {
  return 1 - gammaCdf(k / 2, x / 2);
}

/** Tail probability of Pearson's statistic of counts against expected counts (all >= 5). */
export function pearson(counts: number[], expected: number[]): number {
  const x = counts.reduce((s, o, i) => s + (o - expected[i]!) ** 2 / expected[i]!, 0);
  return chiSquareTail(counts.length - 1, x);
}
