/**
 * Rows as a method needs them.
 * @module
 */
import { Pipeline, TaskSet, type TransformSpec } from "../../../src/data/index.js";
import type { Scaling, SplitData } from "./messages.js";

/** Methods that bring columns of any size to a scale by themselves: by ranges, or each task by its own rows. */
const OWN_SCALE: ReadonlySet<string> = new Set([
  "auto",
  "mp-mixed",
  "mp-feature-learning",
  "mp-hierarchical",
  "single-task",
  "mixed-model",
  "pooled",
]);

/** Statistics are each task's own, so nothing is learned from several tasks together. */
const STANDARDIZED: readonly TransformSpec[] = [
  { kind: "standardize", scope: "task" },
  { kind: "unit-rows" },
];

function transformsOf(scaling: Scaling, method: string): readonly TransformSpec[] {
  switch (scaling) {
    case "none":
      return [];
    case "unit-rows":
      return [{ kind: "unit-rows" }];
    case "standardize":
      return STANDARDIZED;
    case "method":
      return OWN_SCALE.has(method) ? [] : STANDARDIZED;
  }
}

/** Tasks to fit with a method and to score its models on. */
export interface PreparedData {
  readonly train: TaskSet;
  readonly test: TaskSet;
}

/** Prepares data for a method. */
export function prepareFor(method: string, data: SplitData): PreparedData {
  const train = TaskSet.adopt(data.train);
  const pipeline = Pipeline.fit(train, transformsOf(data.scaling, method));
  return { train: pipeline.apply(train), test: pipeline.apply(TaskSet.adopt(data.test)) };
}
