/**
 * What a report shows of single runs: noise against signal and eps over rounds, and a sketch of the
 * models. It looks behind the noise, as only a simulation may; evaluations are seeded, so nothing in
 * them is protected anyway.
 * @module
 */
import { norm } from "../../../linalg/norm.js";
import type { FittedModel, RoundObserver } from "../../../learning/index.js";
import { spentByRelease } from "../../../report/spending.js";

/** Over the releases of one private fit. */
export interface Trace {
  /** Norm of the noise over that of the exact statistic, release by release; null where that is 0. */
  readonly noiseToSignal: readonly (number | null)[];
  /** eps spent after each. */
  readonly spent: readonly number[];
}

/** Some tasks' weights, evenly spaced over all tasks and features. */
export interface Sketch {
  /** 1-based positions of the tasks shown, and of the features (parameters) shown. */
  readonly tasks: readonly number[];
  readonly features: readonly number[];
  /** Row-major, five significant digits. */
  readonly values: readonly number[];
}

const DIGITS = 5;
const rounded = (value: number) => Number(value.toPrecision(DIGITS));

/** Most tasks and parameters of a sketch. */
const SIDES = { tasks: 40, features: 40 };

/** Watches a fit's releases. */
export class Tracer {
  readonly #ratios: (number | null)[] = [];
  #exact: Float64Array | undefined;

  readonly observe: RoundObserver = ({ stage, values }) => {
    if (stage === "exact") this.#exact = values.slice();
    if (stage !== "released" || !this.#exact) return;
    const exact = this.#exact;
    const signal = norm(exact);
    const noise = norm(values.map((value, at) => value - exact[at]!));
    this.#ratios.push(signal > 0 ? rounded(noise / signal) : null);
  };

  /** What was seen; null for a method that made no release. */
  trace({ ledger }: FittedModel): Trace | null {
    if (!ledger || this.#ratios.length === 0) return null;
    return { noiseToSignal: this.#ratios, spent: spentByRelease(ledger).map(rounded) };
  }
}

/** At most `most` of 1..n, evenly spaced. */
function spaced(n: number, most: number): number[] {
  const step = Math.ceil(n / most);
  return Array.from({ length: Math.ceil(n / step) }, (_, k) => k * step + 1);
}

/** The sketch of a model. */
export function sketchOf({ weights, m, parameters }: FittedModel): Sketch {
  const tasks = spaced(m, SIDES.tasks);
  const features = spaced(parameters, SIDES.features);
  const values = tasks.flatMap((i) =>
    features.map((j) => rounded(weights[(i - 1) * parameters + j - 1]!)),
  );
  return { tasks, features, values };
}
