/**
 * Subspace learning as an exchange: tasks upload vectors of norm at most 1, everyone is told their noisy sums, and
 * everyone draws the same subspace from them, so that nothing but the releases leaves the curator.
 * @module
 */
import { sumOfSquares } from "../../../linalg/norm.js";
import { unpacked } from "../../../linalg/packed-symmetric.js";
import { Room } from "../../../linalg/room.js";
import { alone, sharedHypotheses, type Hypothesis } from "./hypotheses.js";
import type { Released } from "./model-components.js";
import { ownFit, type OwnFit } from "./own-fit.js";
import type { OwnRows } from "./own-rows.js";
import type { SubspaceRelease, SubspaceSizes } from "./plan.js";
import { binAt, binsOf, clipOf, type SizeBins } from "./size-quantile.js";
import { standingOut, type StartingSubspace, type Subspace } from "./spectrum.js";
import { nextSubspace, type NoisySum } from "./step.js";
import { taskGradients, type TaskGradients } from "./task-gradients.js";

/** Noise of a release: standard deviation of an entry (on the diagonal, of a matrix), and a matrix' spectral edge. */
export interface ReleaseNoise {
  readonly deviation: number;
  readonly edge: number;
}

/** A batch of tasks in the exchange: all of a local fit, one participant's of a federated run. */
export class SubspaceExchange {
  readonly #rows: OwnRows;
  readonly #sizes: SubspaceSizes;
  readonly #room = new Room();
  #start: StartingSubspace | undefined;
  #subspace: Subspace | undefined;
  #clip: number | undefined;
  #gram: NoisySum | undefined;
  /** The tasks' gradients in the subspace as it is now; undefined after it moved. */
  #gradients: TaskGradients | undefined;
  readonly #alone: readonly Hypothesis[];
  #hypotheses: readonly Hypothesis[] | undefined;

  constructor(rows: OwnRows, sizes: SubspaceSizes) {
    this.#rows = rows;
    this.#sizes = sizes;
    this.#alone = [alone(sizes.d)];
  }

  /** The directions that were found, once the first sum was received. */
  get subspace(): Subspace {
    return this.#subspace!;
  }

  /** All that the sums said. */
  get released(): Released {
    const { spectrum, covariance } = this.#start!;
    return { subspace: this.subspace, spectrum, covariance };
  }

  /** Writes the batch's uploads of a release, [batch, length], each of norm at most 1. */
  upload(release: SubspaceRelease, into: Float64Array): void {
    into.fill(0);
    const { m } = this.#rows;
    const length = into.length / m;
    for (let i = 0; i < m; i++) {
      const own = into.subarray(i * length, (i + 1) * length);
      this.#write(release, i, own);
      shorten(own);
    }
  }

  #write(release: SubspaceRelease, i: number, into: Float64Array): void {
    if (release.kind === "start") {
      direction(ownFit(this.#rows.task(i), this.#alone, this.#room).model, into);
      return;
    }
    const { k, d } = this.subspace;
    if (k === 0) return;
    const { g, zh, sizes } = this.#gradientsNow();
    const size = sizes[i]!;
    if (release.kind === "sizes") {
      into[binAt(this.#bins(release.round), size)] = 1;
      return;
    }
    if (size < 0) return;
    const clip = this.#clip!;
    if (release.kind === "gradient") {
      const factor = 1 / Math.max(clip, size);
      for (let a = 0; a < k; a++) {
        const along = factor * zh[i * k + a]!;
        for (let j = 0; j < d; j++) into[a * d + j] = along * g[i * d + j]!;
      }
      return;
    }
    const weight = clip / Math.max(clip, size);
    for (let a = 0, at = 0; a < k; a++) {
      for (let b = 0; b <= a; b++) {
        const value = weight * zh[i * k + a]! * zh[i * k + b]!;
        into[at++] = a === b ? value : value * Math.SQRT2;
      }
    }
  }

  /** Receives the noisy sum over all tasks of the run. */
  receive(release: SubspaceRelease, sum: Float64Array, { deviation, edge }: ReleaseNoise): void {
    const { m, d, most } = this.#sizes;
    if (release.kind === "start") {
      this.#start = standingOut(sum, d, { edge, most, m });
      this.#subspace = this.#start;
      return;
    }
    const { k } = this.subspace;
    if (k === 0) return;
    switch (release.kind) {
      case "sizes":
        this.#clip = clipOf(this.#bins(release.round), sum, { deviation, m });
        return;
      case "gram":
        this.#gram = { values: unpacked(sum, k), deviation };
        return;
      case "gradient": {
        const clip = this.#clip!;
        const values = sum.subarray(0, k * d).map((value) => clip * value);
        const gradient = { values, deviation: clip * deviation };
        this.#subspace = nextSubspace(this.subspace, { gradient, gram: this.#gram! });
        this.#gradients = undefined;
      }
    }
  }

  /** Task i's own fit, once all sums were received. */
  fit(i: number): OwnFit {
    this.#hypotheses ??= sharedHypotheses(this.subspace, this.#start!.covariance);
    return ownFit(this.#rows.task(i), this.#hypotheses, this.#room);
  }

  #gradientsNow(): TaskGradients {
    return (this.#gradients ??= taskGradients(this.#rows, this.subspace));
  }

  #bins(round: number): SizeBins {
    return binsOf(round, this.#before(round), this.#sizes.d);
  }

  #before(round: number): number | undefined {
    return round === 0 ? undefined : this.#clip;
  }
}

/** The unit vector along a model; nothing of a model that is none. */
function direction(model: Float64Array, into: Float64Array): void {
  const most = model.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  if (!(most > 0 && most < Infinity)) return;
  let square = 0;
  for (let j = 0; j < model.length; j++) square += (into[j] = model[j]! / most) ** 2;
  const root = Math.sqrt(square);
  for (let j = 0; j < model.length; j++) into[j]! /= root;
}

/** Holds a vector to norm 1, whatever rounding made of it. */
function shorten(vector: Float64Array): void {
  const square = sumOfSquares(vector);
  if (!(square < Infinity)) vector.fill(0);
  else if (square > 1) {
    const root = Math.sqrt(square);
    for (let j = 0; j < vector.length; j++) vector[j]! /= root;
  }
}
