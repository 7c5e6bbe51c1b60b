/**
 * Whether the noise that was really drawn is as large as the events say, over all releases of a run.
 * @module
 */
import type { PrivacyEvent } from "../../src/privacy/index.js";
import { isMatrixStatistic } from "./sensitivity.js";
import type { Release, Watched } from "./watched-fit.js";

/** A figure of one draw in units of its scale, with the mean and variance that its law gives it. */
interface Figure {
  readonly value: number;
  readonly mean: number;
  readonly variance: number;
}

/** Undefined for laws that are not sampled as one figure. */
function figureOf(event: PrivacyEvent, release: Release): Figure | undefined {
  const noise = release.released.map((value, k) => value - release.exact[k]!);
  const n = noise.length;
  const square = isMatrixStatistic(release.statistic);
  const sum = (f: (x: number) => number) => noise.reduce((total, x) => total + f(x), 0);
  switch (event.kind) {
    case "gaussian":
    case "subsampled-gaussian":
    case "discrete-gaussian": {
      // The Frobenius norm of a symmetric matrix counts each of its n(n + 1)/2 normals once.
      const side = Math.sqrt(n);
      const freedom = square ? (side * (side + 1)) / 2 : n;
      return { value: sum((x) => (x / event.sigma) ** 2), mean: freedom, variance: 2 * freedom };
    }
    case "laplace":
      return { value: sum((x) => Math.abs(x / event.scale)), mean: n, variance: n };
    case "spherical-laplace":
      return { value: Math.hypot(...noise) / event.scale, mean: n, variance: n };
    case "two-sided-wishart": {
      // The trace is the difference of two chi-squares of n (n + 1) degrees.
      const side = Math.sqrt(n);
      const freedom = side * (side + 1);
      let trace = 0;
      for (let i = 0; i < n; i += side + 1) trace += noise[i]! / event.scale;
      const variance = 2 + 6 / freedom;
      return { value: trace ** 2 / (4 * freedom), mean: 1, variance };
    }
    default:
      return undefined;
  }
}

/** Sums of figures by kind of event. */
export class NoiseTally {
  readonly #sums = new Map<string, { value: number; mean: number; variance: number; draws: number }>(); // prettier-ignore

  /** Adds a fit's releases. */
  add({ releases, charged }: Watched): void {
    releases.forEach((release, k) => {
      const { event } = charged[k]!;
      const figure = figureOf(event, release);
      if (!figure) return;
      const kind = `${release.statistic}, ${event.kind}`;
      const total = this.#sums.get(kind) ?? { value: 0, mean: 0, variance: 0, draws: 0 };
      total.value += figure.value;
      total.mean += figure.mean;
      total.variance += figure.variance;
      total.draws++;
      this.#sums.set(kind, total);
    });
  }

  /**
   * How many standard deviations each sum is from its mean. Beyond 8 the noise is of another size: a chi-square
   * sum of any length goes there with probability below 1e-6, of some dozens of draws below 1e-12.
   */
  deviations(): { kind: string; draws: number; deviation: number }[] {
    return Array.from(this.#sums, ([kind, { value, mean, variance, draws }]) => ({
      kind,
      draws,
      deviation: (value - mean) / Math.sqrt(variance),
    }));
  }
}
