/**
 * The rounds of the record-level baselines: solve all tasks, release with the noise of one record.
 * @module
 */
import { largest } from "../../../core/largest.js";
import { OptionError, type Pointer } from "../../../core/index.js";
import type { TaskSet } from "../../../data/index.js";
import type { FittedModelState } from "../../fitted/model-state.js";
import { publicSizes } from "../../release/public-sizes.js";
import { PrivateReleases } from "../../release/private-releases.js";
import { Curator } from "../../round/curator.js";
import type { FitOptions } from "../../round/estimator.js";
import type { SharingRule } from "../../round/sharing-rule.js";
import type { Projection } from "../../steps/projection.js";
import type { ClippedTasks } from "./clipped-slopes.js";
import type { RecordLevelOptions } from "./options.js";
import { recordReleases, releaseBound } from "./release-plan.js";
import { knownSmoothness, solveToDistance } from "./solve-to-distance.js";

/** What tells one such baseline from another. */
export interface RecordLevelMethod {
  readonly method: string;
  readonly options: RecordLevelOptions;
  /** mu > 0, of the problem that is solved in every round. */
  readonly strongConvexity: number;
  readonly rounds: number;
  /** What is released of the solution: the tasks' "average", [d], or all "models", [m, d]. */
  readonly released: "average" | "models";
  /** prox of what couples the tasks in the next round, given the step; default nothing. */
  coupling?(tasks: ClippedTasks): (step: number) => Projection;
  /** Looks at a release, which is public. */
  see?(models: Float64Array, sizes: { m: number; d: number }): void;
  /** What was learned beside the models. */
  components?(): FittedModelState["components"] & object;
}

/** Broadcast: the release, as it is. */
const asReleased: SharingRule = {
  statistic: "vector",
  broadcastLength: (_m, d) => d,
  prepare:
    ({ core: { arena }, d }) =>
    (statistic, broadcast) => {
      arena.view(broadcast, d).set(arena.view(statistic, d));
      return {};
    },
};

/** The rounds of one fit. To be closed when it is over. */
export class RecordRounds {
  readonly #definition: RecordLevelMethod;
  readonly #data: TaskSet;
  readonly #tasks: ClippedTasks;
  readonly #hooks: FitOptions;
  /** How many vectors are averaged: an average is the sum of m vectors of length d, all models are one of length m d. */
  readonly parts: number;
  /** Float64s of what is released. */
  readonly length: number;
  /** How near solutions are to the exact ones. */
  readonly distance: number;
  /** How far one record moves what is released for each unit of its slope. */
  readonly #perSlope: number;
  /** L / mu, of public sizes. */
  readonly #condition: number;
  #releases: PrivateReleases | undefined;
  #curator: Curator | undefined;

  constructor(
    definition: RecordLevelMethod,
    data: TaskSet,
    tasks: ClippedTasks,
    hooks: FitOptions,
  ) {
    const { m, d, core, scales } = tasks;
    const { featureBound, slopeBound } = definition.options;
    this.#definition = definition;
    this.#data = data;
    this.#tasks = tasks;
    this.#hooks = hooks;
    this.parts = definition.released === "average" ? m : 1;
    this.length = (m * d) / this.parts;
    this.#perSlope =
      (largest(core.arena.view(scales, m)) * featureBound) /
      (definition.strongConvexity * this.parts);
    const declared = slopeBound === "data" ? 1 : slopeBound;
    this.#condition = checkedCondition(definition, tasks);
    this.distance = this.#boundAt(declared).distance;
  }

  /** Runs all rounds; says which releases were made, and where the last of them lies, [length]. */
  async run(): Promise<{ releases: PrivateReleases; released: Pointer }> {
    const { rounds } = this.#definition;
    for (let round = 1; round <= rounds; round++) {
      this.#hooks.signal?.throwIfAborted();
      await this.#run(round);
      this.#hooks.onRound?.({ round, rounds });
    }
    return { releases: this.#releases!, released: this.#curator!.broadcast };
  }

  close(): void {
    this.#releases?.close();
  }

  async #run(round: number): Promise<void> {
    const { m, d, core } = this.#tasks;
    const { arena } = core;
    const solution = await solveToDistance({
      tasks: this.#tasks,
      strongConvexity: this.#definition.strongConvexity,
      featureBound: this.#definition.options.featureBound,
      distance: this.distance,
      proximal: this.#definition.coupling?.(this.#tasks),
      signal: this.#hooks.signal,
    });
    // The papers' bound is read off the first solution and kept.
    this.#curator ??= this.#openCurator(this.#bound(solution));
    const shared = arena.view(solution, m * d);
    for (let j = 0; j < shared.length; j++) shared[j]! /= this.parts;
    this.#curator.round(solution, round);
    const released = arena.view(this.#curator.broadcast, this.length).slice();
    this.#definition.see?.(released, { m, d });
  }

  /** Half the sensitivity of what is released. */
  #bound(solution: Pointer): number {
    const { slopeBound } = this.#definition.options;
    const slope = slopeBound === "data" ? this.#tasks.largestSlope(solution) : slopeBound;
    return this.#boundAt(slope).clip;
  }

  #boundAt(slope: number): { distance: number; clip: number } {
    const { mostRows, d } = this.#tasks;
    const sizes = { mostRows, d, parts: this.parts };
    return releaseBound(this.#perSlope * slope, this.#condition, sizes);
  }

  #openCurator(clip: number): Curator {
    const { core } = this.#tasks;
    const { options, rounds } = this.#definition;
    const { journal, observe } = this.#hooks;
    const { parts, length } = this;
    const plan = recordReleases(options, publicSizes(this.#data), { length, clip, rounds });
    this.#releases = new PrivateReleases(plan, { core, random: options.random, journal });
    const privacy = this.#releases.stages[0];
    return new Curator({ core, m: parts, d: length, rule: asReleased, privacy, observe });
  }
}

/** Beyond it a solution takes more than some ten million steps. */
const WORST_CONDITION = 1e12;

/** @throws OptionError naming what to change where the problem is as good as without a penalty. */
function checkedCondition(
  { method, options, strongConvexity }: RecordLevelMethod,
  tasks: ClippedTasks,
): number {
  const condition = knownSmoothness(tasks, strongConvexity, options) / strongConvexity;
  if (condition <= WORST_CONDITION) return condition;
  throw new OptionError(
    `${method}: lambda: with rows as long as featureBound ${options.featureBound} it is too small to solve under; take a larger one, ` +
      "or declare a smaller featureBound and scale rows to it.",
  );
}
