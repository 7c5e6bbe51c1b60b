/**
 * Scores of a model's outputs on tasks with targets: those of its loss, on one scale for outputs and targets.
 * @module
 */
import {
  binaryLabels,
  classLabels,
  fromUnit,
  relativeWeights,
  type TaskSet,
} from "../../../data/index.js";
import type { FittedModelState, Preprocessing } from "../model-state.js";
import { scoreBinary, scoreClasses, scoreRegression, type Scores } from "./scores.js";

interface Scored extends Pick<FittedModelState, "classes" | "loss"> {
  readonly preprocessing: Pick<Preprocessing, "targetScale"> | null;
}

/**
 * @param outputs of the model for every row: [N], or [N, C] logits.
 * @throws DataError if a label is not one of the model's classes.
 */
export function scoreOutputs(model: Scored, outputs: Float64Array, tasks: TaskSet): Scores {
  const { classes, loss } = model;
  const rest = [tasks.offsets, relativeWeights(tasks)] as const;
  if (!classes) return scoreRegression(...onOneScale(model, outputs, tasks), ...rest);
  return loss === "softmax"
    ? scoreClasses(outputs, classLabels(tasks, classes).y, ...rest)
    : scoreBinary(outputs, binaryLabels(tasks, classes).y, ...rest);
}

/** Outputs and targets unchanged if they are on the same scale, else both in raw units. */
function onOneScale(
  { preprocessing }: Scored,
  outputs: Float64Array,
  { y, encoding }: TaskSet,
): [Float64Array, Float64Array] {
  const [own, other] = [preprocessing?.targetScale ?? null, encoding.target.scale];
  if (own?.center === other?.center && own?.halfWidth === other?.halfWidth) return [outputs, y];
  return [
    own ? outputs.map((z) => fromUnit(own, z)) : outputs,
    other ? y.map((z) => fromUnit(other, z)) : y,
  ];
}
