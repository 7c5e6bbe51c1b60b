/**
 * A public prior as what a fit would have released, so that a task can start from it where nobody has fitted anything.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";
import { diagonal } from "../../../linalg/small-matrices.js";
import { noGuarantee } from "../../fitted/build-model.js";
import type { SharedPrior } from "../../fitted/shared-prior.js";
import { publicEffects, type PublicPrior } from "../../options/public-prior.js";
import { mixedLoss } from "./mixed-losses.js";
import { priorComponents } from "./model-components.js";
import { START } from "./squared-settings.js";
import { declaredUnits, modelInUnits, priorFromUnits } from "./units.js";

/**
 * For `fitNewTask`: models spread widely around the public one, as wide as a private fit takes them to be before its first
 * release. Features and target are of declared ranges, or else taken to be of about unit size.
 *
 * @param like tasks with the features and ranges of those to come.
 * @throws OptionError if the prior's names are not those of the features.
 * @example fitNewTask(publicSharedPrior({ coefficients: { age: 0.2 }, intercept: 5 }, tasks), tasks)
 */
export function publicSharedPrior(prior: PublicPrior, like: TaskSet): SharedPrior {
  const units = declaredUnits(
    like.encoding,
    mixedLoss({ loss: "squared", unit: "task" }).rangeSize,
  );
  const d = like.d + 1;
  const none = new Float64Array(d * d);
  const variances = new Float64Array(d).fill(START.slopes / Math.max(d - 1, 1));
  variances[d - 1] = START.intercept;
  const inUnits = {
    fixedEffects: modelInUnits(units, publicEffects(prior, like)),
    ...{ fixedEffectsCovariance: none, releaseCovariance: none, noise: START.noise },
    covariance: diagonal(variances),
  };
  const { table, target } = like.encoding;
  const preprocessing = {
    ...{ encoding: table, pipeline: null },
    ...(target.scale ? { targetScale: target.scale } : {}),
  };
  return {
    ...{ method: "mp-mixed", loss: "squared", lossScale: "mean", options: { publicPrior: prior } },
    featureNames: like.featureNames,
    guarantee: noGuarantee(
      "a prior declared public; nothing is claimed about the data it came from",
    ),
    ...(table || target.scale ? { preprocessing } : {}),
    components: priorComponents(priorFromUnits(units, inUnits), units),
  };
}
