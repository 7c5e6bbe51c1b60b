/**
 * What a plan's schema says of its features and labels: it gives those that the plan leaves out, and those that it names must
 * be the schema's.
 * @module
 */
import { OptionError } from "../../../core/index.js";
import type { Label } from "../../../data/index.js";
import { declaredColumns, type DeclaredColumn } from "../../../data/schema/declared-encoding.js";
import { labelTexts } from "../../../data/schema/target-column.js";
import { someNames } from "../../../core/messages/some-names.js";
import { plannedSchema } from "./plan-schema.js";
import type { Plan, PlanInput, PlannedSchema } from "./plan-form.js";

/** The members of a plan that its schema may give. */
export type GivenBySchema = Pick<Plan, "features" | "classes" | "schema">;

/**
 * Features and labels of a plan, and its schema in one form.
 * @throws OptionError if the plan has neither features nor a schema that gives them, or they do not agree.
 */
export function givenBySchema({ features, classes = null, schema }: PlanInput): GivenBySchema {
  if (!schema) {
    if (features != null) return { features, classes };
    throw new OptionError(
      "plan: features is missing: names of the columns that every table has, in order, or a schema of them",
    );
  }
  const planned = plannedSchema(schema);
  const columns = declaredColumns(planned);
  return {
    features: features === undefined ? allOf(columns) : agreeing(features, columns),
    classes: labelsOf(planned, classes),
    schema: planned,
  };
}

function allOf(columns: readonly DeclaredColumn[]): string[] {
  const features = columns.flatMap((column) => column.features);
  if (features.length === 0) {
    throw new OptionError(
      "plan: features: the schema declares none; name them, or declare columns",
    );
  }
  const seen = new Set<string>();
  const twice = features.find((name) => seen.size === seen.add(name).size);
  if (twice === undefined) return features;
  throw new OptionError(
    `plan: schema: two columns give the feature ${JSON.stringify(twice)}; rename one of them`,
  );
}

/** Features must be those of whole columns, one column after another; of a schema of the target alone any. */
function agreeing(
  features: readonly string[],
  columns: readonly DeclaredColumn[],
): readonly string[] {
  if (columns.length === 0 || !Array.isArray(features)) return features;
  const known = allOf(columns);
  const byFirst = new Map(columns.map((column) => [column.features[0], column.features]));
  for (let at = 0; at < features.length;) {
    const own = byFirst.get(features[at]);
    if (!own || own.some((name, k) => name !== features[at + k])) {
      throw new OptionError(
        `plan: features: ${JSON.stringify(features[at])} is not what the schema gives there; it gives ${someNames(known)}, those of a ` +
          "column together and in this order. Leave features out to have all of them",
      );
    }
    at += own.length;
  }
  return features;
}

/** The plan's labels in the schema's spelling. */
function labelsOf({ target }: PlannedSchema, classes: Plan["classes"]): Plan["classes"] {
  if (target?.kind !== "category" || !target.levels) return classes;
  const labels = labelTexts(target.column, target.levels);
  const isSame = (given: readonly Label[]) =>
    given.length === labels.length && given.every((label, at) => String(label) === labels[at]);
  if (classes === null || isSame(classes)) return labels;
  throw new OptionError(
    "plan: classes: they are not the labels of the schema's target, in its order; leave classes out",
  );
}
