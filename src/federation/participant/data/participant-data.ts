/**
 * A participant's data, held to a plan and prepared as it says.
 * @module
 */
import { DataError } from "../../../core/index.js";
import { Pipeline, type TaskSet } from "../../../data/index.js";
import type { LossName } from "../../../learning/index.js";
import { requirePrecision, type RowForm } from "../../../learning/tasks/row-precision.js";
import { targetsOf } from "../../../learning/tasks/targets.js";
import { requireNothingLearned } from "./nothing-learned.js";
import { requirePlannedSchema } from "./planned-schema.js";
import { undeclaredColumns } from "../../protocol/plan/learned-scale.js";
import { planEstimator } from "../../protocol/plan/planned-method.js";
import type { Plan } from "../../protocol/plan/plan-form.js";

/** Data as the method wants it, and what was done to it. */
export interface PreparedData {
  readonly data: TaskSet;
  readonly pipeline: Pipeline | undefined;
}

/**
 * Checks features, how they were made of columns, labels, and what the method asks of a participant's own tasks; scales rows where
 * the plan says so.
 * @throws DataError naming what does not fit.
 */
export function prepareData(data: TaskSet, plan: Plan): PreparedData {
  const { features, classes, normalize, options } = plan;
  const { featureNames } = data;
  const estimator = planEstimator(plan);
  // What the method does not take is told first.
  estimator.rowsFor(data);
  if (features.length !== featureNames.length || features.some((x, j) => x !== featureNames[j])) {
    throw new DataError(
      `features: the plan has ${features.length} (${some(features)}), the data ` +
        `${featureNames.length} (${some(featureNames)}); they must be the same, in the same order`,
    );
  }
  requirePlannedSchema(data, plan);
  targetsOf(data, options["loss"] as LossName, classes);
  requireNothingLearned(data, plan);
  const pipeline = normalize === "none" ? undefined : Pipeline.fit(data, [{ kind: "unit-rows" }]);
  const scaled = pipeline ? pipeline.apply(data) : data;
  const { rowPrecision = "float64" } = options as RowForm;
  requirePrecision(scaled, rowPrecision);
  const prepared = estimator.rowsFor(scaled);
  estimator.halves.requireOwn?.(prepared, { undeclared: undeclaredColumns(plan), classes });
  return { data: prepared, pipeline };
}

const some = (names: readonly string[]) =>
  names.length > 4 ? `${names.slice(0, 4).join(", ")}, ...` : names.join(", ");
