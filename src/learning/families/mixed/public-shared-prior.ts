/**
 * A public prior as what a fit would have released, so that a task can start from it where nobody has fitted anything.
 * @module
 */
import { object } from "../../../core/checks.js";
import { requireTaskSet } from "../../../data/checks/require-task-set.js";
import type { TaskSet } from "../../../data/index.js";
import { diagonal } from "../../../linalg/small-matrices.js";
import { noGuarantee } from "../../fitted/build-model.js";
import { ofNoTask, type SharedPrior } from "../../fitted/unseen/shared-prior.js";
import {
  checkPublicPrior,
  publicEffects,
  type AnyPublicPrior,
} from "../../options/public-prior.js";
import type { LossName } from "../../tasks/losses.js";
import { targetsOf } from "../../tasks/targets.js";
import type { MixedPrior } from "./exchange.js";
import { mixedLoss } from "./mixed-losses.js";
import { priorComponents } from "./model-components.js";
import { publicClassesPrior } from "./labels/classes/public-lines.js";
import { publicLabelPrior } from "./labels/priors/public-label-prior.js";
import { START } from "./squared/squared-settings.js";
import { declaredUnits } from "./units/units.js";
import { modelInUnits, priorFromUnits } from "./units/change-units.js";

/** Losses of which a shared prior can be made from public numbers alone. */
export type PriorLoss = LossName;

/**
 * For `fitNewTask`: models spread widely around the public one, as wide as a private fit takes them to be before its first
 * release; of labels also around 0, as a task's rows say. Features and target are of declared ranges, or else taken to be of
 * about unit size.
 *
 * @param like tasks with the features and ranges of those to come; of labels all classes occur in it, or are declared.
 * @param options `loss`: "squared" (default) for numbers, "logistic" for two labels, "softmax" for several.
 * @throws OptionError if the prior is not of the loss's form, or its names are not those of features and classes; DataError if the target does not suit the loss.
 * @example fitNewTask(publicSharedPrior({ coefficients: { age: 0.2 }, intercept: 5 }, tasks), tasks)
 */
export function publicSharedPrior(
  prior: AnyPublicPrior,
  like: TaskSet,
  { loss = "squared" }: { readonly loss?: PriorLoss } = {},
): SharedPrior {
  object("prior", prior);
  requireTaskSet("like", like);
  checkPublicPrior(prior, loss);
  const { encoding } = like;
  const { classes } = targetsOf(like, loss);
  const units = declaredUnits(encoding, mixedLoss({ loss, unit: "task" }).rangeSize);
  const several = loss === "softmax" ? classes : null;
  const center = modelInUnits(units, publicEffects(prior, like, several));
  const inUnits =
    loss === "squared"
      ? ofNumbers(center)
      : several
        ? publicClassesPrior(center, several.length, encoding)
        : publicLabelPrior(center, encoding);
  const { table, target } = encoding;
  const preprocessing = ofNoTask({
    encoding: table,
    pipeline: null,
    ...(target.scale ? { targetScale: target.scale } : {}),
  });
  return {
    method: "mp-mixed",
    loss,
    lossScale: "mean",
    options: { publicPrior: prior },
    featureNames: like.featureNames,
    ...(classes ? { classes } : {}),
    guarantee: noGuarantee(
      "a prior declared public; nothing is claimed about the data it came from",
    ),
    ...(table || target.scale ? { preprocessing } : {}),
    components: priorComponents(priorFromUnits(units, inUnits), units),
  };
}

function ofNumbers(fixedEffects: Float64Array): MixedPrior {
  const d = fixedEffects.length;
  const none = new Float64Array(d * d);
  const variances = new Float64Array(d).fill(START.slopes / Math.max(d - 1, 1));
  variances[d - 1] = START.intercept;
  return {
    fixedEffects,
    stated: () => ({ fixedEffectsCovariance: none }),
    releaseCovariance: none,
    noise: START.noise,
    covariance: diagonal(variances),
  };
}
