/**
 * What `npm run paper` can make, by name: functions from the harness to figures.
 */
import {
  ageingFigures,
  landmineFigure,
  numberOfTasks,
  privacyAccuracyGroupSparse,
  privacyAccuracyLowRank,
  schoolFigures,
} from "./figures/accuracy.js";
import { bothAlgorithms } from "./figures/both-algorithms.js";
import { budgetAlpha, budgetAlphaTenth, budgetQ, budgetQTenth } from "./figures/budget.js";
import { finetuning } from "./figures/finetuning.js";
import { leakage } from "./figures/leakage.js";
import { noiseToSignal } from "./figures/noise-to-signal.js";
import { noiseToSignalPrinted } from "./figures/noise-to-signal-printed.js";
import { olderNoise, olderNoiseAlpha } from "./figures/older-noise.js";
import { pmtlFemnist } from "./figures/pmtl.js";
import { pmtlAlone } from "./figures/pmtl-alone.js";
import { pmtlLambda } from "./figures/pmtl-lambda.js";
import { pmtlSystems } from "./figures/pmtl-systems.js";
import { relationships } from "./figures/relationships.js";
import { relationshipsTenth, schoolRelationships } from "./figures/relationships-tenth.js";
import { schoolBaselines } from "./figures/school-baselines.js";
import { tuningAsPrinted, tuningFigures } from "./figures/tuning.js";
import { utilityBounds } from "./figures/utility-bounds.js";

export const EXPERIMENTS = {
  leakage,
  relationships,
  "relationships-tenth": relationshipsTenth,
  "school-relationships": schoolRelationships,
  "budget-alpha": budgetAlpha,
  "budget-Q": budgetQ,
  "budget-alpha-tenth": budgetAlphaTenth,
  "budget-Q-tenth": budgetQTenth,
  "noise-to-signal": noiseToSignal,
  "noise-to-signal-printed": noiseToSignalPrinted,
  tuning: tuningFigures,
  "tuning-as-printed": tuningAsPrinted,
  "utility-bounds": utilityBounds,
  "privacy-accuracy-low-rank": privacyAccuracyLowRank,
  "privacy-accuracy-group-sparse": privacyAccuracyGroupSparse,
  "both-algorithms": bothAlgorithms,
  "older-noise": olderNoise,
  "older-noise-alpha": olderNoiseAlpha,
  "number-of-tasks": numberOfTasks,
  school: schoolFigures,
  "school-baselines": schoolBaselines,
  landmine: landmineFigure,
  ageing: ageingFigures,
  "pmtl-femnist": pmtlFemnist,
  "pmtl-finetuning": finetuning,
  "pmtl-lambda": pmtlLambda,
  "pmtl-alone": pmtlAlone,
  "pmtl-systems": pmtlSystems,
};
