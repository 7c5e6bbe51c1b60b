/**
 * Between what an exchange ends with and a fitted model: the named arrays that say what was learned.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";
import type { Component } from "../../fitted/model-state.js";
import type { MixtureComponents } from "../../fitted/posterior/posterior-mixture.js";
import type { BatchModels } from "../../round/halves.js";
import { TASK_LIMITS } from "../../fitted/feature-limits.js";
import { ownLimits } from "../../fitted/own-limits.js";
import { UNPLACED } from "../../fitted/unplaced.js";
import { UNTOLD } from "../../fitted/unseen/untold.js";
import { splitIntercepts } from "../../tasks/constant-column.js";
import type { LossName } from "../../tasks/losses.js";
import type { MixedMixtures, MixedModels, MixedPrior } from "./exchange.js";
import { unseenHypotheses } from "./squared/unseen-task.js";
import {
  LABEL_COMPONENTS,
  labelComponents,
  labelPriorOf,
  TASK_PRIORS,
} from "./labels/label-components.js";
import { VARIANCES } from "./squared/squared-state.js";
import { taskLimits } from "./undeclared/task-limits.js";
import { limitsArray, unitsArray, unitsOf, type Units } from "./units/units.js";

type Components = Record<string, Component>;

/** What rows are held within. */
const LIMITS = "featureLimits";

/** Of all tasks together: from releases and public sizes alone. */
const SHARED_COMPONENTS = [
  "fixedEffects",
  "fixedEffectsCovariance",
  "releaseCovariance",
  "covariance",
  "noise",
  "units",
  LIMITS,
] as const;

/** Of the same, with the squared loss. */
const NUMBER_COMPONENTS = ["newTaskWeights", "newTaskSpreads", "newTaskNoises"] as const;

/** Those that a model with a loss must have to say something of other tasks that have rows. */
export const neededComponents = (
  loss: LossName,
  components: Readonly<Components>,
): readonly string[] =>
  components[UNTOLD]
    ? [
        ...SHARED_COMPONENTS.filter((name) => name !== LIMITS),
        ...(loss === "squared" ? [] : TASK_PRIORS),
      ]
    : [...SHARED_COMPONENTS, ...(loss === "squared" ? NUMBER_COMPONENTS : LABEL_COMPONENTS)];

/** Of the same, where the fit says how unsure the variances are; models of older versions do not. */
const VARIANCE_ERRORS = "varianceErrors";

/** Of the same, with the squared loss and noise for tasks: how far a task never seen lies from the fixed effects. */
const UNSEEN_COVARIANCE = "newTaskCovariance";

/** Of the same, of labels, and where columns were declared to be a task's own: what is stated of the fixed effects. */
const STATED = "statedEffects";

/** Of the same, where there are any: positions of the features whose units tasks voted on. */
const VOTED = "votedFeatures";

/** The names of those that a model with a loss has. */
export const sharedComponentsOf = (
  loss: LossName,
  components: Readonly<Components>,
): readonly string[] => [
  ...neededComponents(loss, components),
  ...[VARIANCE_ERRORS, UNSEEN_COVARIANCE, STATED, VOTED, UNPLACED, UNTOLD].filter(
    (name) => components[name],
  ),
];

/** With a row for each task. */
export const COMPONENTS_BY_TASK = [
  "posteriorCovariances",
  "taskNoise",
  "alone",
  "noiseWeights",
  "noiseParts",
  "mixtureWeights",
  "mixtureMeans",
  "mixtureCovariances",
  TASK_LIMITS,
] as const;

/** The models of the tasks in `data`. @param shared whether with what all tasks together say, default true. */
export function batchModels(
  { models, covariances, mixtures, noise, noises, alone, denied, prior }: MixedModels,
  units: Units,
  data: TaskSet,
  shared = true,
): BatchModels {
  const { m } = data;
  const vector = (data: Float64Array): Component => ({ shape: [data.length], data });
  const C = classesOf(prior, units);
  const axis = C > 1 ? [C] : [];
  const byTask = (data: Float64Array): Component => ({
    shape: [m, ...axis, data.length / (m * C)],
    data,
  });
  return {
    ...splitIntercepts(classesLast(models, C, units.centers.length), m, C),
    components: {
      ...(shared ? priorComponents(prior, units) : {}),
      posteriorCovariances: byTask(covariances),
      taskNoise: vector(noise),
      alone: { shape: [m, ...axis], data: alone },
      ...(noises
        ? {
            noiseLevels: vector(noises.levels),
            noiseWeights: byTask(noises.weights),
            noiseParts: byTask(noises.parts),
          }
        : {}),
      ...(mixtures ? mixtureComponents(mixtures, [m, ...axis], units.centers.length) : {}),
      // Where features lie is not known of all tasks together.
      ...(units.untold
        ? ownLimits(data)
        : denied
          ? taskLimits({ models, alone, denied }, units, data)
          : {}),
    },
  };
}

function mixtureComponents(
  { weights, means, covariances }: MixedMixtures,
  models: readonly number[],
  d: number,
): MixtureComponents {
  const count = weights.length / models.reduce((all, size) => all * size, 1);
  const shape = [...models, count];
  return {
    mixtureWeights: { shape, data: weights },
    mixtureMeans: { shape: [...shape, d], data: means },
    mixtureCovariances: { shape: [...shape, (d * (d + 1)) / 2], data: covariances },
  };
}

/** How many models a task has: 1, or one for each of several classes. */
const classesOf = ({ fixedEffects }: MixedPrior, { centers }: Units) =>
  fixedEffects.length / centers.length;

/** Models [m, C, d] as [m, d, C]. */
function classesLast(models: Float64Array, C: number, d: number): Float64Array {
  if (C === 1) return models;
  const out = new Float64Array(models.length);
  models.forEach((value, at) => {
    const [c, j] = [Math.floor(at / d) % C, at % d];
    out[at - c * d - j + j * C + c] = value;
  });
  return out;
}

/** What all tasks together say, as components. */
export function priorComponents(prior: MixedPrior, units: Units): Components {
  const d = units.centers.length;
  const C = classesOf(prior, units);
  const axis = C > 1 ? [C] : [];
  const matrix = (data: Float64Array): Component => ({ shape: [...axis, d, d], data });
  const vector = (data: Float64Array): Component => ({ shape: [data.length], data });
  const { untold } = units;
  const { statedEffects, fixedEffectsCovariance } = prior.stated();
  return {
    fixedEffects: { shape: [...axis, d], data: prior.fixedEffects },
    ...(statedEffects ? { [STATED]: { shape: [...axis, d], data: statedEffects } } : {}),
    fixedEffectsCovariance: matrix(fixedEffectsCovariance),
    releaseCovariance: matrix(prior.releaseCovariance),
    covariance: matrix(prior.covariance),
    noise: vector(Float64Array.of(prior.noise)),
    units: { shape: [2, d], data: unitsArray(units) },
    // Where levels are every task's own, nothing is known of a task without rows, nor where a feature lies.
    ...(untold
      ? { [UNTOLD]: vector(Float64Array.from(untold)) }
      : { [LIMITS]: { shape: [2, d - 1], data: limitsArray(units) } }),
    ...(prior.ofTasks
      ? labelComponents(untold ? { ...prior, unseen: undefined } : prior, axis, d)
      : untold
        ? {}
        : {
            ...unseenNumbers(prior),
            ...(prior.unseenCovariance
              ? { [UNSEEN_COVARIANCE]: matrix(prior.unseenCovariance) }
              : {}),
          }),
    ...(prior.unsure
      ? { [VARIANCE_ERRORS]: { shape: [VARIANCES, VARIANCES], data: prior.unsure } }
      : {}),
    ...(units.voted?.length ? { [VOTED]: vector(Float64Array.from(units.voted)) } : {}),
    ...(units.unplaced?.length ? { [UNPLACED]: vector(Float64Array.from(units.unplaced)) } : {}),
  };
}

/** How far rows of a task never seen lie from the fixed effects. */
function unseenNumbers({ noise, unseenCovariance }: MixedPrior): Components {
  const vector = (data: Float64Array): Component => ({ shape: [data.length], data });
  const { weights, spreads, noises } = unseenHypotheses(noise, unseenCovariance !== undefined);
  return {
    newTaskWeights: vector(weights),
    newTaskSpreads: vector(spreads),
    newTaskNoises: vector(noises),
  };
}

/** Prior and units of the components of a model with a loss. */
export function priorOfComponents(
  loss: LossName,
  components: Readonly<Components>,
): { prior: MixedPrior; units: Units } {
  const data = (name: (typeof SHARED_COMPONENTS)[number]) => components[name]!.data;
  return {
    prior: {
      fixedEffects: data("fixedEffects"),
      stated: () => ({
        statedEffects: components[STATED]?.data,
        fixedEffectsCovariance: data("fixedEffectsCovariance"),
      }),
      releaseCovariance: data("releaseCovariance"),
      covariance: data("covariance"),
      noise: data("noise")[0]!,
      unsure: components[VARIANCE_ERRORS]?.data,
      unseenCovariance: components[UNSEEN_COVARIANCE]?.data,
      ...(loss === "squared" ? {} : labelPriorOf(components)),
    },
    units: {
      ...unitsOf(data("units")),
      voted: Array.from(components[VOTED]?.data ?? []),
      unplaced: Array.from(components[UNPLACED]?.data ?? []),
      untold: components[UNTOLD] && Array.from(components[UNTOLD].data),
    },
  };
}
