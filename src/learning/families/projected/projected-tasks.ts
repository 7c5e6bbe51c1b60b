/**
 * Tasks of Algorithms 2, 3 and 4 at their start: with all of their rows, or without folds of them.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import type { Replayer } from "../../local-selection/broadcast-log.js";
import { fixedMomentum, type Momentum } from "../../steps/momentum.js";
import { PlacedBroadcasts } from "./placed-broadcasts.js";
import { MOST_FEATURES, QuadraticReplay } from "./quadratic-replay.js";
import { matrixProjection, singleProjection, type Projection } from "../../steps/projection.js";
import { ProximalGradient } from "../../steps/proximal-gradient.js";
import type { FoldEntries } from "../../tasks/fold-entries.js";
import type { LocalPenalty, MakePenalty } from "../../convex/penalties/penalty.js";
import {
  gradientSource,
  usesQuadratics,
  QuadraticTasks,
  type GradientSource,
} from "../../tasks/quadratic-tasks.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { plannedClip } from "../../options/clip-option.js";
import { clipNow, type Clip } from "../../round/learned-clip/learned-clip.js";
import type { Participants } from "../../round/participants.js";
import type { PublicSizes } from "../../round/halves.js";
import type { SharingRule } from "../../round/sharing-rule.js";
import { privateSmoothness, type GradientMethodOptions } from "./options.js";
import { copyModels, type LocalModels, type PlacedModels } from "../../tasks/local-models.js";

/** What tells one such method from another. */
export interface ProjectedMethod {
  /** f of Algorithm 1, from the threshold eta lambda. */
  rule(threshold: number): SharingRule;
  /** How a task applies the broadcast. */
  projection(core: Core, m: number, d: number): Projection;
  /** Algorithm 4's second part Q, which never leaves its task. */
  readonly local?: MakePenalty<LocalPenalty>;
  /** Whether Q starts where P does (the papers) or at zero (default). */
  readonly localStartsAtInitial?: boolean;
  /** K, where it is learned; else the option. */
  readonly clip?: Clip;
}

/** L and eta as everyone knows them; the gradient in (P, Q) jointly is twice as steep. */
export function publicStep(
  { local }: ProjectedMethod,
  options: GradientMethodOptions,
  sizes: PublicSizes,
) {
  const parts = local ? 2 : 1;
  const smoothness = parts * privateSmoothness(options, sizes);
  const step = typeof options.stepSize === "number" ? options.stepSize : 1 / smoothness;
  return { parts, smoothness, step };
}

/** Tasks that go through the rounds, and where their models are. */
export type StepsOnFolds = (Participants | Replayer) & {
  readonly weights: Pointer;
  readonly intercepts: Pointer;
};

/** Makes the tasks of such a method, in the core where their rows are. */
export class ProjectedTasks {
  readonly #definition: ProjectedMethod;
  readonly #options: GradientMethodOptions;
  readonly #sizes: PublicSizes;
  #broadcasts: PlacedBroadcasts | undefined;

  constructor(definition: ProjectedMethod, options: GradientMethodOptions, sizes: PublicSizes) {
    this.#definition = definition;
    this.#options = options;
    this.#sizes = sizes;
  }

  /** Tasks with all of these rows. */
  of(tasks: ResidentTasks, initial: LocalModels): ProximalGradient {
    const source = gradientSource(tasks, this.#sizes, this.#options.rounds);
    return this.#start(source, this.#steps(tasks.m, tasks), initial);
  }

  /** Makes room, for as long as the core lasts, for what the tasks of all entries read: before the first of them are asked for. */
  prepareFolds(tasks: ResidentTasks): void {
    if (!this.#inPlace(tasks) || !this.#inOneCall(tasks)) return;
    const { core, d } = tasks;
    this.#broadcasts = new PlacedBroadcasts(core, d, this.#momentum(), this.#options.rounds);
  }

  /** The tasks of these entries, as the log of broadcasts replays them. @param place puts the rows that are left into the core. @param initial stay as they are. */
  withoutFolds(
    tasks: ResidentTasks,
    entries: FoldEntries,
    place: () => ResidentTasks,
    initial: PlacedModels,
  ): StepsOnFolds {
    const count = entries.owners.length;
    const copied = () => copyModels(tasks.core.arena, initial, count, tasks.d);
    const projection = this.keepsHalves(tasks) ? singleProjection : this.#definition.projection;
    if (!this.#inPlace(tasks)) {
      const left = place();
      const own = gradientSource(left, this.#sizes, this.#options.rounds);
      return this.#start(own, this.#steps(left.m, left), copied(), projection);
    }
    const steps = this.#steps(count);
    if (!this.#inOneCall(tasks)) {
      return this.#start(QuadraticTasks.withoutFolds(tasks, entries), steps, copied(), projection);
    }
    const { strongConvexity } = this.#options;
    return new QuadraticReplay(tasks, entries, {
      clip: clipNow(this.#clip),
      steps,
      strongConvexity,
      momentum: this.#momentum(),
      starts: initial,
      broadcasts: this.#broadcasts,
    });
  }

  /** Bytes that a round reads of an entry, where they are not those of the rows left. */
  entryBytes(tasks: ResidentTasks): (() => number) | undefined {
    // Of forms in doubles; those in single precision are read four at a time, for all rounds, so that twice as many may be made at once.
    const size = this.#inOneCall(tasks) ? 2 : 8;
    return this.#inPlace(tasks) ? () => size * tasks.d * tasks.d : undefined;
  }

  /** Whether broadcasts are symmetric matrices so large that half of each is kept; small ones are replayed in one call. */
  keepsHalves({ d }: ResidentTasks): boolean {
    return this.#definition.projection === matrixProjection && d > MOST_FEATURES;
  }

  /** Whether nothing but the quadratics of the rows left is needed of a fold. */
  #inPlace(tasks: ResidentTasks): boolean {
    const { rounds, stepSize } = this.#options;
    return stepSize !== "own" && usesQuadratics(tasks, this.#sizes, rounds);
  }

  /** Whether all steps between two looks at the models are one kernel. */
  #inOneCall({ d }: ResidentTasks): boolean {
    const { projection, local } = this.#definition;
    const plain = projection === matrixProjection && !local;
    return plain && this.#options.clipIterate && d <= MOST_FEATURES;
  }

  get #clip(): Clip {
    return this.#definition.clip ?? plannedClip(this.#options.clip);
  }

  #momentum(): Momentum {
    const { acceleration, strongConvexity } = this.#options;
    const { smoothness } = publicStep(this.#definition, this.#options, this.#sizes);
    return fixedMomentum(acceleration, strongConvexity, smoothness);
  }

  #start(
    source: GradientSource,
    steps: Float64Array,
    initial: LocalModels,
    projection = this.#definition.projection,
  ): ProximalGradient {
    const { local, localStartsAtInitial = false } = this.#definition;
    const { clipIterate, strongConvexity } = this.#options;
    const { m, d, core } = source;
    return new ProximalGradient(source, {
      clip: this.#clip,
      clipIterate,
      steps,
      strongConvexity,
      momentum: this.#momentum(),
      projection: projection(core, m, d),
      localPart: local?.({ core, m, d, steps }).projection,
      initial: initial.weights,
      initialLocal: localStartsAtInitial ? initial.weights : undefined,
      initialIntercepts: initial.intercepts,
    });
  }

  /**
   * The public step for all of m tasks; or 1 / (L_i + mu) / parts, L_i measured by task i on its own rows, used
   * in its own step only.
   */
  #steps(m: number, tasks?: ResidentTasks): Float64Array {
    const { stepSize, strongConvexity: mu } = this.#options;
    const { parts, step } = publicStep(this.#definition, this.#options, this.#sizes);
    if (stepSize !== "own" || !tasks) return new Float64Array(m).fill(step);
    return tasks.smoothness().map((own) => (own > 0 ? 1 / (parts * (own + mu)) : 0));
  }
}
