/**
 * What an adversary of one task, the canary, sees of a whole fit: releases, broadcasts, the other tasks' models.
 * @module
 */
import {
  subsampledGaussianEvent,
  type LedgerEntry,
  type PrivacyEvent,
} from "../../privacy/index.js";
import { pureEpsilonOf } from "../../privacy/accounting/groups.js";
import { attacksOn, noiseScaleOf, ScoreSum, type Attack } from "../../privacy/audit/attacks.js";
import { outer } from "../../privacy/audit/neighbours.js";
import {
  noiseSample,
  type NoiseSample,
  type ObservedRun,
} from "../../privacy/audit/release-checks.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import type { RoundView } from "../round/observer.js";

/** One release. The adversary knows all other tasks. */
interface Release {
  readonly round: number;
  /** The canary's contribution, without noise. */
  readonly contribution: Float64Array;
  /** What it would have been in the other world; undefined where that is not known. */
  readonly other: Float64Array | undefined;
  /** The release without the other tasks' part: contribution and noise. */
  readonly residual: Float64Array;
  readonly exact: Float64Array;
  readonly released: Float64Array;
}

/** Which of the two worlds a fit is in. */
export type World = "present" | "neighbour";

/** A vector's part in a statistic that is a sum over tasks; undefined for other statistics. */
function contributionOf(view: RoundView, vector: Float64Array): Float64Array | undefined {
  switch (view.statistic) {
    case "covariance":
      return outer(vector);
    case "augmented-covariance":
      return outer(Float64Array.of(...vector, 1));
    case "diagonal":
      return vector.map((x) => x * x);
    case "vector":
    case "moment":
      return vector;
    default:
      return undefined;
  }
}

/** Records one fit; give `observe` to it. */
export class FitRecorder {
  readonly releases: Release[] = [];
  readonly #canary: number;
  readonly #axes: readonly [number, number];
  readonly #broadcasts: number[] = [];
  #vector = new Float64Array(0);
  #other: Float64Array | undefined;
  #silent = true;
  #exact = new Float64Array(0);

  constructor(canary: number, axes: readonly [number, number]) {
    this.#canary = canary;
    this.#axes = axes;
  }

  /** To be called before a release with what the canary would upload in the other world. */
  readonly otherSelf = (upload: Float64Array): void => {
    this.#other = upload;
  };

  readonly observe = (view: RoundView): void => {
    const { stage, round, values, m, d } = view;
    switch (stage) {
      case "uploads":
        // One vector for models that are solved together: all of it depends on the canary.
        this.#vector =
          m > this.#canary
            ? values.slice(this.#canary * d, (this.#canary + 1) * d)
            : values.slice();
        this.#silent &&= this.#vector.every((x) => x === 0);
        break;
      case "exact":
        this.#exact = values.slice();
        break;
      case "released": {
        const exact = this.#exact;
        const released = values.slice();
        const contribution = contributionOf(view, this.#vector) ?? new Float64Array(exact.length);
        const residual = released.map((value, k) => value - exact[k]! + contribution[k]!);
        const other = this.#other && contributionOf(view, this.#other);
        this.#other = undefined;
        // A vector of another length, as for blocks with a release of their own, cannot be compared.
        const fits = other?.length === exact.length;
        this.releases.push({ round, contribution, other: fits ? other : undefined, residual, exact, released }); // prettier-ignore
        break;
      }
      case "broadcast":
        this.#broadcasts.push(...this.#pick(values, d));
    }
  };

  /** The entries of a broadcast, [d] or [d, d], at the canary's features; of any other the first 16. */
  #pick(values: Float64Array, d: number): number[] {
    const [j, k] = this.#axes;
    if (values.length === d && Math.max(j, k) < d) return [values[j]!, values[k]!];
    if (values.length >= d * d && Math.max(j, k) < d)
      return [values[j * d + j]!, values[k * d + k]!, values[j * d + k]!];
    return [...values.subarray(0, 16)];
  }

  /** Whether all uploads of the canary so far were zero. */
  get isSilent(): boolean {
    return this.#silent;
  }

  /** The entries of all broadcasts at the canary's features. */
  get broadcasts(): Float64Array {
    return Float64Array.from(this.#broadcasts);
  }

  /** Means over the other tasks of their models' first and second moments in those features. */
  othersOf(model: FittedModel): Float64Array {
    const features = new Float64Array(5);
    const [j, k] = this.#axes;
    const width = model.weights.length / model.m;
    for (let i = 0; i < model.m; i++) {
      if (i === this.#canary) continue;
      const a = model.weights[i * width + j]!;
      const b = model.weights[i * width + k]!;
      [a, b, a * a, b * b, a * b].forEach((x, f) => (features[f]! += x / (model.m - 1)));
    }
    return features;
  }

  /** Squared distance of the worlds in units of the noise, summed over releases; undefined where one is not known. */
  movedBy(model: FittedModel): number | undefined {
    let sum = 0;
    for (const { round, contribution, other } of this.releases) {
      if (!other) return undefined;
      const scale = noiseScaleOf(eventOf(model, round));
      contribution.forEach((value, k) => (sum += ((value - other[k]!) / scale) ** 2));
    }
    return sum;
  }

  /** The rounds that were released and those that were charged. */
  runOf(model: FittedModel): ObservedRun {
    return {
      released: this.releases.map(({ round }) => round),
      charged: model.ledger?.entries.map(({ round }) => round) ?? [],
    };
  }

  /** The noise of every release, with its scale. */
  samplesOf(model: FittedModel): NoiseSample[] {
    return this.releases.map(({ round, exact, released }) =>
      noiseSample(released, exact, noiseScaleOf(eventOf(model, round))),
    );
  }
}

/** The event charged for a round; where none was charged the noise is unknown, and any event will do. */
function eventOf(model: FittedModel, round: number): PrivacyEvent {
  const entries = model.ledger?.entries ?? [];
  const entry = entries.find((charged) => charged.round === round) ?? entries[0];
  return ofOneRound(entry?.event, entries) ?? { kind: "pure", epsilon: 0, adjacency: "replace" };
}

/**
 * The event of one round. A random allocation is charged once, with its first round; an attack on one of its rounds meets the task with
 * probability at most 1 / size, of the shortest block.
 */
function ofOneRound(
  event: PrivacyEvent | undefined,
  entries: readonly LedgerEntry[],
): PrivacyEvent | undefined {
  const isFree = event !== undefined && pureEpsilonOf(event) === 0;
  const whole = isFree
    ? entries.map((entry) => entry.event).find(({ kind }) => kind === "random-allocation")
    : event;
  if (whole?.kind !== "random-allocation") return event;
  const { sigma, sensitivity, picks, rounds } = whole;
  return subsampledGaussianEvent({ sigma, sensitivity, rate: 1 / Math.floor(rounds / picks) });
}

/**
 * The canary's contribution to every release of a rehearsal. Where tasks are sampled, it is zero in rounds without the canary: there
 * the contribution of another round stands in.
 */
function contributionsOf({ releases }: FitRecorder, sampled: boolean): Float64Array[] {
  const all = releases.map(({ contribution }) => contribution);
  if (!sampled) return all;
  const silent = (values: Float64Array) => values.every((x) => x === 0);
  const drawn = all.find((values) => !silent(values));
  return all.map((values) => (drawn && silent(values) ? drawn : values));
}

/**
 * Attacks the releases of a fit. The adversary knows both candidate tasks and all others, and so the canary's contribution in either
 * world after the same broadcasts. Where the fit does not tell that, a rehearsal does.
 */
export class ReleaseAttack {
  readonly attacks: readonly Attack[];
  readonly #present: readonly Float64Array[];
  readonly #neighbour: readonly Float64Array[];

  constructor(rehearsed: { present: FitRecorder; neighbour: FitRecorder }, model: FittedModel) {
    const first = rehearsed.present.releases[0];
    const event = first && eventOf(model, first.round);
    this.attacks = event ? attacksOn(event) : [];
    const sampled = event?.kind === "subsampled-gaussian";
    this.#present = contributionsOf(rehearsed.present, sampled);
    this.#neighbour = contributionsOf(rehearsed.neighbour, sampled);
  }

  /** The score of every attack on one fit, which ran in this world. */
  scores(recorder: FitRecorder, model: FittedModel, world: World): number[] {
    return this.attacks.map((attack) => {
      const sum = new ScoreSum();
      recorder.releases.forEach((release, t) => {
        const { round, residual } = release;
        const { present, neighbour } = this.#contributions(release, t, world);
        if (!present || !neighbour) return;
        const event = eventOf(model, round);
        sum.add(attack.score({ values: residual, present, neighbour, event }));
      });
      return sum.value;
    });
  }

  #contributions({ contribution, other }: Release, t: number, world: World) {
    if (!other) return { present: this.#present[t], neighbour: this.#neighbour[t] };
    return world === "present"
      ? { present: contribution, neighbour: other }
      : { present: other, neighbour: contribution };
  }
}
