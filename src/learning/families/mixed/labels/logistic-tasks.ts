/**
 * The tasks' half of a logistic mixed model: uploads of each release and their own models at the end.
 * @module
 */
import { packed, triangle } from "../../../../linalg/packed-symmetric.js";
import { tanh } from "../../../../core/elementary.js";
import { diagonal, multiply } from "../../../../linalg/small-matrices.js";
import { clippedTo } from "../../../../linalg/norm.js";
import { centered } from "./evidence/evidence-shape.js";
import {
  infer,
  logEvidences,
  type GaussianPrior,
  type SignedRows,
} from "./posterior/expectation-propagation.js";
import type { MixedModels } from "../exchange.js";
import type { OwnUnits } from "../units/own-units.js";
import type { Units } from "../units/units.js";
import { inUnitsOf, unitsOfTasks } from "./priors/alone-in-own-units.js";
import { areSamePriors, sharedPriors, taskPriors } from "./priors/hypothesis-priors.js";
import {
  averagedModel,
  averagedOnceMore,
  COMPONENTS,
  type AveragedModel,
  type FirstLook,
} from "./posterior/logistic-average.js";
import { logSumExp } from "../../../../linalg/softmax.js";
import { heldEigenvalues } from "./effects/logistic-information.js";
import type { LogisticStep } from "./logistic-plan.js";
import { scoreCenters } from "./effects/score-centers.js";
import type { LogisticState } from "./logistic-state.js";
import type { TaskPriors } from "./posterior/task-priors.js";

/** Rows of a batch of tasks. */
export interface LogisticRows {
  /** [rows, d], the constant column last. */
  readonly x: Float64Array;
  /** Labels 1 and -1, [rows]. */
  readonly y: Float64Array;
  /** Where each task's rows begin, and the end, [tasks + 1]. */
  readonly offsets: ArrayLike<number>;
}

/** What tasks end with of one class against the rest, without what they have in common. */
export type OwnModels = Omit<MixedModels, "prior">;

/** The rows with a class of 0..C-1 as 1 and all others as -1. */
export const againstOthers = (rows: LogisticRows, label: number): LogisticRows => ({
  ...rows,
  y: rows.y.map((y) => (y === label ? 1 : -1)),
});

/** Evidence of every task, undefined where it cannot be computed under all of the priors. */
interface Compared {
  readonly priors: readonly GaussianPrior[];
  readonly evidences: readonly (Float64Array | undefined)[];
}

/** Log evidence of a task under each prior; undefined where one cannot be computed. */
function surfaceOf(task: SignedRows, priors: readonly GaussianPrior[]): Float64Array | undefined {
  const surface = logEvidences(task, priors);
  return surface.every(Number.isFinite) ? surface : undefined;
}

export class LogisticTasks {
  readonly #tasks: SignedRows[];
  /** Score of each task where scales and effects stand, kept between two uploads; undefined where inference breaks down. */
  #scores: (Float64Array | undefined)[] = [];
  /** Log evidence around zero, or a public model, of each task. */
  #alone: Float64Array[] | undefined;
  /** Priors under which tasks were compared with learning alone, and what each task made of them. */
  #compared: Compared | undefined;

  /** What each task's first model leaves for one that is made once more; undefined where inference breaks down. */
  readonly #looks: (FirstLook | undefined)[] = [];

  /** Each task's own units, where sizes of columns were voted on. */
  readonly #units: OwnUnits | undefined;

  /** @param came how the units of the rows came about; default: declared. */
  constructor({ x, y, offsets }: LogisticRows, d: number, came: Pick<Units, "voted">) {
    this.#units = unitsOfTasks({ x, y, offsets }, d, came);
    this.#tasks = Array.from({ length: offsets.length - 1 }, (_, i) => {
      const [from, to] = [offsets[i]!, offsets[i + 1]!];
      const rows = x.slice(from * d, to * d);
      for (let k = 0; k < rows.length; k++) rows[k]! *= y[from + Math.floor(k / d)]!;
      return { rows, n: to - from, d };
    });
  }

  upload(step: LogisticStep, state: LogisticState): Float64Array {
    if (step === "evidence") return this.#evidence(state);
    if (step === "information") return this.#information(state);
    if (step === "score") return this.#score(state);
    return this.#comparison(state);
  }

  /** One row of `length` numbers for every task. */
  #gather(length: number, row: (task: SignedRows, i: number) => Float64Array): Float64Array {
    const out = new Float64Array(this.#tasks.length * length);
    this.#tasks.forEach((task, i) => out.set(row(task, i), i * length));
    return out;
  }

  #evidence(state: LogisticState): Float64Array {
    const { grid, shape, clips } = state;
    const surfaces = this.#surfaces(sharedPriors(state));
    this.#alone ??= surfaces; // the first ones are around zero, or a public model
    return this.#gather(grid.count, (_, i) =>
      clippedTo(
        centered(surfaces[i]!).map((value, h) => (value * shape.weights[h]!) / clips.evidence),
        1,
      ),
    );
  }

  /** Log evidence of each task under each prior; zeros where one cannot be computed. */
  #surfaces(priors: readonly GaussianPrior[]): Float64Array[] {
    const evidences = this.#tasks.map((task) => surfaceOf(task, priors));
    this.#compared = { priors, evidences };
    return evidences.map((one) => one ?? new Float64Array(priors.length));
  }

  /** Log evidence of each task under the priors of learning alone: around a public model, where there is one, and zero. */
  #aloneSurfaces(given: TaskPriors): Float64Array[] {
    const first = this.#alone!;
    const { shared, inOwn } = given;
    const priors = given.priors.slice(shared);
    if (inOwn > 0) {
      const others = priors.length - inOwn;
      return this.#tasks.map((task, i) => {
        const mine = inUnitsOf(given, this.#units?.(i)).priors.slice(-inOwn);
        const own = surfaceOf(task, mine) ?? new Float64Array(inOwn);
        return Float64Array.of(...first[i]!.subarray(0, others), ...own);
      });
    }
    const zero = priors.slice(0, priors.length - (first[0]?.length ?? 0));
    if (zero.length === 0) return first;
    return this.#surfaces(zero).map((own, i) => Float64Array.of(...own, ...first[i]!));
  }

  #information(state: LogisticState): Float64Array {
    const { d, scales, informationClip } = state;
    const prior = { mean: state.effects(), root: diagonal(scales) };
    this.#scores = [];
    return this.#gather(triangle(d), (task) => {
      const found = infer(task, prior);
      const score = found?.mean;
      const information = found?.covariance.map(
        (value, at) => (at % (d + 1) === 0 ? 1 : 0) - value,
      );
      const isFinite = score?.every(Number.isFinite) && information?.every(Number.isFinite);
      this.#scores.push(isFinite ? score : undefined);
      if (!isFinite) return new Float64Array(triangle(d));
      // Positive semidefinite but for rounding; the sensitivity of a sum of moments needs it to be.
      const held = heldEigenvalues(information!, d, 0, 1);
      const upload = new Float64Array(triangle(d));
      packed(held, d, 1 / informationClip, upload);
      return clippedTo(upload, 1);
    });
  }

  #score(state: LogisticState): Float64Array {
    const { d, metric, clips, isExact, scales } = state;
    const { directions, factors } = metric!;
    const sent = (score: Float64Array) =>
      multiply(directions, score, d, d, 1).map((value, k) => (value * factors[k]!) / clips.score);
    const none = new Float64Array(d);
    const centerOf = isExact
      ? () => none
      : scoreCenters({ effects: state.effects(), scales }, sent);
    return this.#gather(d, (task, i) => {
      const score = this.#scores[i];
      if (!score) return none;
      const center = centerOf(task);
      return clippedTo(
        sent(score).map((value, k) => value - center[k]!),
        1,
      );
    });
  }

  /** (g, g^2 - 1) for g in [-1, 1]: its norm is at most 1. */
  #comparison(state: LogisticState): Float64Array {
    const given = taskPriors(state);
    const { priors, logWeights, shared: count } = given;
    const alone = this.#aloneSurfaces(given);
    const shared = this.#surfaces(priors.slice(0, count));
    return this.#gather(2, (_, i) => {
      const one = logSumExp(shared[i]!.map((value, h) => value + logWeights[h]!));
      const other = logSumExp(alone[i]!.map((value, h) => value + logWeights[count + h]!));
      // The weights include the part that is still to be compared for: it cancels.
      const odds =
        one -
        other -
        logSumExp(logWeights.subarray(0, count)) +
        logSumExp(logWeights.subarray(count));
      const g = tanh(odds / 2);
      return clippedTo(Float64Array.of(g, g * g - 1), 1);
    });
  }

  /**
   * Every task's own model under `taskPriors`.
   * @param isAgain whether `solveAgain` is to follow.
   */
  solve(given: TaskPriors, isAgain = false): OwnModels {
    const { priors, shared } = given;
    // What was uploaded last is of the same priors, unless another release came since.
    const compared = this.#compared;
    const isCompared = areSamePriors(priors.slice(0, shared), compared?.priors);
    const known = isCompared ? compared!.evidences : [];
    const d = priors[0]!.mean.length;
    const batch = this.#tasks.length;
    const out: OwnModels = {
      models: new Float64Array(batch * d),
      covariances: new Float64Array(batch * triangle(d)),
      mixtures: {
        weights: new Float64Array(batch * COMPONENTS),
        means: new Float64Array(batch * COMPONENTS * d),
        covariances: new Float64Array(batch * COMPONENTS * triangle(d)),
      },
      noise: new Float64Array(batch),
      alone: new Float64Array(batch),
    };
    this.#tasks.forEach((task, i) => {
      const look = isAgain ? (first: FirstLook) => (this.#looks[i] = first) : undefined;
      place(averagedModel(task, inUnitsOf(given, this.#units?.(i)), known[i], look), i, out);
    });
    return out;
  }

  /**
   * Models as they were, and once more those of tasks to whose rows something is added.
   * @param given  as of `solve` before, which made them.
   * @param added  as `SignedRows` has it, of every task; undefined of one whose model stays.
   */
  solveAgain(
    given: TaskPriors,
    added: readonly (Float64Array | undefined)[],
    before: OwnModels,
  ): OwnModels {
    const out = copied(before);
    this.#tasks.forEach((task, i) => {
      const [more, look] = [added[i], this.#looks[i]];
      if (!more || !look) return;
      const priors = inUnitsOf(given, this.#units?.(i));
      const model = averagedOnceMore({ ...task, added: more }, priors, look);
      if (model) place(model, i, out);
    });
    return out;
  }
}

function copied({ models, covariances, mixtures, noise, alone }: OwnModels): OwnModels {
  const { weights, means, covariances: spreads } = mixtures!;
  return {
    models: models.slice(),
    covariances: covariances.slice(),
    mixtures: { weights: weights.slice(), means: means.slice(), covariances: spreads.slice() },
    noise,
    alone: alone.slice(),
  };
}

/** A task's model in the arrays of all. */
function place({ whole, components, alone }: AveragedModel, i: number, out: OwnModels): void {
  const d = whole.mean.length;
  out.models.set(whole.mean, i * d);
  out.covariances.set(whole.covariance, i * triangle(d));
  out.alone[i] = alone;
  components.forEach(({ weight, mean, covariance }, k) => {
    const at = i * COMPONENTS + k;
    out.mixtures!.weights[at] = weight;
    out.mixtures!.means.set(mean, at * d);
    out.mixtures!.covariances.set(covariance, at * triangle(d));
  });
}
