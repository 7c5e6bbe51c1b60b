/**
 * Watches a fit from the curator's seat: what is shared, and noise against signal.
 * @module
 */
import type { RoundObserver, RoundView } from "../../../src/learning/index.js";
import type { Frame, NoiseAndSignal, Release } from "./messages.js";

/** Most pictures kept of a fit, and most numbers in all of them. */
const MOST_FRAMES = 60;
const MOST_NUMBERS = 4e6;

/** Statistics that are square matrices, and the largest that is drawn. */
const MATRICES: ReadonlySet<string> = new Set(["covariance", "augmented-covariance"]);
const MOST_COLUMNS = 300;

const norm = (values: Float64Array) => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0));

/** Collects pictures and sizes as the rounds go by. */
export class Trace {
  readonly frames: Frame[] = [];
  readonly releases: NoiseAndSignal[] = [];
  /** The last release of the models' statistic. */
  release: Release | null = null;
  readonly #every: number;
  #exact: Float64Array | undefined;
  #width: number | undefined;

  /** @param rounds planned, so that pictures are spread over all of them. */
  constructor(rounds: number, numbersPerFrame: number) {
    const most = Math.max(1, Math.min(MOST_FRAMES, Math.floor(MOST_NUMBERS / numbersPerFrame)));
    this.#every = Math.ceil(rounds / most);
  }

  readonly observe: RoundObserver = (view) => {
    if (view.stage === "uploads") this.#share(view);
    if (view.stage === "exact") this.#exact = view.values.slice();
    if (view.stage === "released") this.#release(view);
  };

  #share({ round, m, d, values }: RoundView): void {
    this.#width ??= d; // votes on a setting are shared too, and are no picture of models
    const due = (round - 1) % this.#every === 0;
    if (d !== this.#width || !due || values.length > MOST_NUMBERS) return;
    this.frames.push({ round, values: Float32Array.from(values.subarray(0, m * d)) });
  }

  #release({ round, statistic, values }: RoundView): void {
    const exact = this.#exact;
    if (exact?.length !== values.length) return;
    const noise = norm(values.map((value, i) => value - exact[i]!));
    this.releases.push({ round, statistic, noise, signal: norm(exact) });
    this.#exact = undefined;
    const columns = MATRICES.has(statistic) ? Math.sqrt(exact.length) : exact.length;
    if (statistic !== this.releases[0]!.statistic || columns > MOST_COLUMNS) return;
    const [noiseless, noisy] = [Float32Array.from(exact), Float32Array.from(values)];
    this.release = { round, statistic, exact: noiseless, noisy, columns };
  }
}
