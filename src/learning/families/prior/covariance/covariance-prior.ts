/**
 * Sharing rules that turn a noisy second moment of the tasks' models into a prior for all of them.
 * @module
 */
import type { Core, Pointer } from "../../../../core/index.js";
import { notDecomposed } from "../../../../linalg/not-decomposed.js";
import type { SharingRule } from "../../../round/sharing-rule.js";
import type { NoiseSpectrum } from "../../../../privacy/mechanisms/noise-law.js";
import { PriorCoordinates } from "./coordinates.js";
import type { ShrinkageOptions } from "../options.js";
import { shrinkSpectrum } from "../../../sharing/shrink-spectrum.js";

/** What a prior rule knows beside the release. All of it is public. */
export interface PriorRuleOptions extends ShrinkageOptions {
  /** Spectrum of the noise of a round. */
  readonly noise: (round: number) => NoiseSpectrum;
  /** K when every upload has norm K exactly; else the trace of the release is taken. */
  readonly norm: number | undefined;
  /** Whether rounds after the first are of the coordinates of the prior before; default where `norm` is given. */
  readonly refined?: boolean;
}

/** The coordinates that rounds after the first are of; undefined where these are the original ones. */
export function refinedCoordinates(
  { refined, norm }: PriorRuleOptions,
  core: Core,
  d: number,
): PriorCoordinates | undefined {
  return (refined ?? norm !== undefined) ? new PriorCoordinates(core, d, d) : undefined;
}

/** Float64s of a prior's broadcast: precision P[d,d], then center a[d]. */
export function priorBroadcastLength(d: number): number {
  return d * d + d;
}

/** A covariance on its way from a noisy release to the precision of a prior, by its spectrum. */
export class PriorSpectrum {
  readonly #core: Core;
  readonly #m: number;
  readonly #d: number;
  readonly #coordinates: PriorCoordinates | undefined;
  readonly #values: Pointer;
  readonly #vectors: Pointer;
  readonly #square: Pointer;
  readonly #work: Pointer;
  #informative = false;

  /** @param coordinates those of the prior before, which releases are expressed in once it is there. */
  constructor(
    { core, m, d }: { core: Core; m: number; d: number },
    coordinates: PriorCoordinates | undefined,
  ) {
    const { arena, kernels } = core;
    this.#core = core;
    this.#m = m;
    this.#d = d;
    this.#coordinates = coordinates;
    this.#values = arena.f64(d);
    this.#vectors = arena.f64(d * d);
    this.#square = arena.f64(d * d);
    this.#work = arena.bytes(
      Math.max(kernels.eighWorkspace(d), kernels.spectralProductWorkspace(d, d)),
    );
  }

  /**
   * Takes the noise out of a released second moment.
   * @returns the number of eigenvalues that stand out; 0 if it tells nothing.
   */
  read(statistic: Pointer, noise: NoiseSpectrum, total: number, options: ShrinkageOptions): number {
    this.#decompose(statistic);
    const spectrum = this.#core.arena.view(this.#values, this.#d);
    const rank = total > 0 ? shrinkSpectrum(spectrum, noise, total, this.#m, options) : 0;
    if (total <= 0) spectrum.fill(1);
    this.#informative = rank > 0;
    return rank;
  }

  /** C <- (1 - part) C + part d a a^T / ||a||^2: what the models have in common, beside how they differ. */
  addMean(a: Float64Array, part: number): void {
    const { arena, kernels } = this.#core;
    const d = this.#d;
    kernels.spectralProduct(this.#vectors, this.#values, this.#square, d, d, this.#work);
    const energy = a.reduce((sum, value) => sum + value * value, 0);
    const matrix = arena.view(this.#square, d * d);
    for (let j = 0; j < d; j++) {
      for (let k = 0; k < d; k++) {
        matrix[j * d + k] = (1 - part) * matrix[j * d + k]! + (part * d * a[j]! * a[k]!) / energy;
      }
    }
    this.#decompose(this.#square);
    this.#informative = true;
  }

  /** C^-1 in the original coordinates; as it was, at first the identity, where releases said nothing. */
  write(broadcast: Pointer): void {
    const { arena, kernels } = this.#core;
    const d = this.#d;
    if (this.#coordinates?.entered) {
      if (this.#informative) this.#coordinates.precisionOf(this.#vectors, this.#values, broadcast);
      return;
    }
    const spectrum = arena.view(this.#values, d);
    if (!this.#informative) {
      // The identity exactly, not up to the rounding of U U^T.
      const precision = arena.view(broadcast, d * d).fill(0);
      for (let j = 0; j < d; j++) precision[j * (d + 1)] = 1 / spectrum[0]!;
      return;
    }
    for (let j = 0; j < d; j++) spectrum[j] = 1 / spectrum[j]!;
    kernels.spectralProduct(this.#vectors, this.#values, broadcast, d, d, this.#work);
  }

  #decompose(matrix: Pointer): void {
    const { kernels } = this.#core;
    if (kernels.eigh(matrix, this.#values, this.#vectors, this.#d, this.#work) !== 0) {
      throw notDecomposed("the shared covariance");
    }
  }
}

/**
 * Prior of private multi-task feature learning: w ~ N(0, C / kappa), C from the noisy covariance.
 * Vectors of a known norm are read, from the second round on, as expressed in the coordinates of the
 * prior before: every round refines it. Broadcast: C^-1 [d,d], center 0 [d].
 *
 * @see Argyriou, Evgeniou, Pontil (2008), where C = (W W^T)^(1/2) / trace, without noise.
 */
export function covariancePriorRule(options: PriorRuleOptions): SharingRule {
  return {
    statistic: "covariance",
    broadcastLength: (_m, d) => priorBroadcastLength(d),
    prepare: ({ core, m, d }) => {
      const refined = refinedCoordinates(options, core, d);
      const spectrum = new PriorSpectrum({ core, m, d }, refined);
      return (statistic, broadcast, round) => {
        const noise = options.noise(round);
        const total =
          options.norm === undefined
            ? trace(core.arena.view(statistic, d * d), d) - d * noise.mean
            : m * options.norm ** 2;
        core.arena.view(broadcast + 8 * d * d, d).fill(0);
        const rank = spectrum.read(statistic, noise, total, options);
        spectrum.write(broadcast);
        refined?.enter(broadcast);
        return { rank };
      };
    },
  };
}

function trace(matrix: Float64Array, d: number): number {
  let sum = 0;
  for (let j = 0; j < d; j++) sum += matrix[j * (d + 1)]!;
  return sum;
}
