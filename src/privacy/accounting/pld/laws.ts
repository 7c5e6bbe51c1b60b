/**
 * Laws of the privacy loss L = ln(P/Q) of dominating pairs (P, Q), as tail probabilities under both.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { pureEpsilonOf } from "../groups.js";
import { allocationLaw } from "./allocation/allocation-law.js";
import { sampledThreshold } from "../sampled-gaussian.js";
import { erfc } from "../special/erfc.js";
import { chiSquare, wishartThreshold } from "../wishart-profile.js";
import { wishartLaw } from "../accountants/exact-accountant.js";
import type { PrivacyEvent } from "../../events/event-kinds.js";
import type { Direction, LossLaw } from "./loss-law.js";

function range(low: number, high: number, count: number): number[] {
  // The last one exactly: it may be an atom.
  return Array.from({ length: count + 1 }, (_, i) =>
    i === count ? high : low + ((high - low) * i) / count,
  );
}

function ascending(values: number[]): Float64Array {
  return Float64Array.from(new Set(values.filter((value) => Number.isFinite(value)))).sort();
}

/** Both normal tails from one evaluation: [P(Z <= z), P(Z > z)]. */
function normalTails(z: number): [number, number] {
  const far = 0.5 * erfc(Math.abs(z) * Math.SQRT1_2);
  return z < 0 ? [far, 1 - far] : [1 - far, far];
}

/** Randomized response: +-eps. */
function pureLaw(epsilon: number): LossLaw {
  const up = 1 / (1 + math.exp(-epsilon));
  const down = 1 / (1 + math.exp(epsilon));
  return {
    infinite: 0,
    supremum: epsilon,
    weakened: (step) => pureLaw(step * Math.floor(epsilon / step)),
    discrete: true,
    atoms: [
      { loss: -epsilon, p: down, q: up },
      { loss: epsilon, p: up, q: down },
    ],
    nodes: ascending([-epsilon, epsilon]),
    tails(loss, out) {
      const first = loss >= -epsilon;
      const second = loss >= epsilon;
      out.pBelow = second ? 1 : first ? down : 0;
      out.qBelow = second ? 1 : first ? up : 0;
      out.pAbove = second ? 0 : first ? up : 1;
      out.qAbove = second ? 0 : first ? down : 1;
    },
  };
}

/** Laplace of scale 1 at 0 against at a. */
function laplaceLaw(a: number): LossLaw {
  return {
    infinite: 0,
    supremum: a,
    weakened: (step) => laplaceLaw(step * Math.floor(a / step)),
    discrete: false,
    atoms: [
      { loss: -a, p: 0.5 * math.exp(-a), q: 0.5 },
      { loss: a, p: 0.5, q: 0.5 * math.exp(-a) },
    ],
    nodes: ascending(range(-a, a, 200)),
    tails(loss, out) {
      const inside = loss >= -a && loss < a;
      const p = 0.5 * math.exp((loss - a) / 2);
      const q = 0.5 * math.exp(-(loss + a) / 2);
      out.pBelow = inside ? p : loss < -a ? 0 : 1;
      out.pAbove = inside ? 1 - p : loss < -a ? 1 : 0;
      out.qAbove = inside ? q : loss < -a ? 1 : 0;
      out.qBelow = inside ? 1 - q : loss < -a ? 0 : 1;
    },
  };
}

/** L ~ N(mu^2/2, mu^2) under P, N(-mu^2/2, mu^2) under Q. */
function gaussianLaw(mu: number): LossLaw {
  return {
    infinite: 0,
    supremum: Infinity,
    discrete: false,
    atoms: [],
    nodes: ascending(range(-20, 20, 400).map((z) => mu * (z + mu / 2))),
    tails(loss, out) {
      [out.pBelow, out.pAbove] = normalTails(loss / mu - mu / 2);
      [out.qBelow, out.qAbove] = normalTails(loss / mu + mu / 2);
    },
  };
}

function sampledLaw(rate: number, sigma: number, direction: Direction): LossLaw {
  const law = { rate, sigma };
  const forward = direction === "with-against-without";
  const xs = [
    ...range(-20 * sigma, 20 * sigma, 300),
    ...range(1 - 20 * sigma, 1 + 20 * sigma, 300),
    ...range(0, 1, 50),
  ];
  const lossAt = (x: number) => {
    const exponent = (2 * x - 1) / (2 * sigma * sigma);
    return exponent > 700 ? exponent + math.log(rate) : math.log1p(rate * math.expm1(exponent)); // ln(1 - q + q e^exponent)
  };
  return {
    infinite: 0,
    supremum: forward ? Infinity : -math.log1p(-rate),
    discrete: false,
    atoms: [],
    nodes: ascending(xs.map((x) => (forward ? lossAt(x) : -lossAt(x)))),
    tails(loss, out) {
      const x = sampledThreshold(law, forward ? loss : -loss);
      const [below0, above0] = normalTails(x / sigma);
      const [below1, above1] = normalTails((x - 1) / sigma);
      const mixtureBelow = (1 - rate) * below0 + rate * below1;
      const mixtureAbove = (1 - rate) * above0 + rate * above1;
      if (forward) {
        [out.pBelow, out.pAbove, out.qBelow, out.qAbove] = [
          mixtureBelow,
          mixtureAbove,
          below0,
          above0,
        ];
      } else {
        [out.pBelow, out.pAbove, out.qBelow, out.qAbove] = [
          above0,
          below0,
          mixtureAbove,
          mixtureBelow,
        ];
      }
    },
  };
}

/** Two degrees of freedom: an exponential variable, of constant likelihood ratio e^(b/2) beyond b. */
function exponentialLaw(b: number, direction: Direction): LossLaw {
  const without = direction === "without-against-with";
  const kept = math.exp(-b / 2);
  const atom = without ? { loss: -b / 2, p: kept, q: 1 } : { loss: b / 2, p: 1, q: kept };
  return {
    infinite: without ? -math.expm1(-b / 2) : 0,
    supremum: atom.loss,
    discrete: true,
    atoms: [atom],
    nodes: ascending([atom.loss]),
    tails(loss, out) {
      const above = loss < atom.loss;
      out.pAbove = above ? 1 : without ? 1 - kept : 0;
      out.pBelow = above ? 0 : atom.p;
      out.qAbove = above ? atom.q : 0;
      out.qBelow = 1 - out.qAbove;
    },
  };
}

/** See wishart-profile.ts: X against X + b. */
function chiSquareLaw(n: number, b: number, direction: Direction): LossLaw {
  if (n === 2) return exponentialLaw(b, direction);
  const law = { n, b };
  const without = direction === "without-against-with";
  const spread = n + b + 15 * Math.sqrt(2 * n) + 100;
  const ys = [
    ...range(math.log(1e-12 * b), math.log(spread), 400).map(math.exp),
    ...range(0, spread, 400),
  ];
  // Loss of X = b + y, without against with.
  const lossAt = (y: number) => (n / 2 - 1) * math.log1p(b / y) - b / 2;
  const nodes = ys.filter((y) => y > 0).map(lossAt);
  return {
    infinite: without ? chiSquare(n, b).lower : 0,
    supremum: without ? Infinity : b / 2,
    discrete: false,
    atoms: [],
    nodes: ascending(nodes.map((loss) => (without ? loss : -loss))),
    tails(loss, out) {
      const t = wishartThreshold(law, without ? loss : -loss);
      const absent = chiSquare(n, t);
      const present = chiSquare(n, t - b);
      if (without) {
        out.pAbove = absent.lower;
        out.pBelow = absent.upper;
        out.qAbove = present.lower;
        out.qBelow = present.upper;
      } else {
        out.pAbove = present.upper;
        out.pBelow = present.lower;
        out.qAbove = absent.upper;
        out.qBelow = absent.lower;
      }
    },
  };
}

/** Whether the event's loss has the same law in both directions. */
export function isSymmetric(event: PrivacyEvent): boolean {
  return !["subsampled-gaussian", "random-allocation", "wishart"].includes(event.kind);
}

/** The law of an event; undefined if no dominating pair is known. */
export function lossLaw(event: PrivacyEvent, direction: Direction): LossLaw | undefined {
  switch (event.kind) {
    case "laplace":
      return laplaceLaw(pureEpsilonOf(event)!);
    case "gaussian":
      return gaussianLaw(event.sensitivity / event.sigma);
    case "subsampled-gaussian":
      return sampledLaw(event.sampling.rate, event.sigma / event.sensitivity, direction);
    case "random-allocation": {
      const { rounds, picks, sigma, sensitivity } = event;
      // Of more picks there is one of each block.
      return picks === 1 ? allocationLaw(rounds, sigma / sensitivity, direction) : undefined;
    }
    case "wishart": {
      if (event.adjacency !== "zero-out") return undefined;
      const { n, b } = wishartLaw(event);
      return chiSquareLaw(n, b, direction);
    }
    default: {
      const epsilon = pureEpsilonOf(event);
      return epsilon === undefined ? undefined : pureLaw(epsilon);
    }
  }
}
