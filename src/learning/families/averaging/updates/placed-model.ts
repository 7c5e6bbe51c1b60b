/**
 * A model on the tasks of a context.
 * @module
 */
import type { DifferentiableModel } from "../../../models/differentiable-model.js";
import type { ResidentModel } from "../../../models/resident-model.js";

/** A model on the tasks of a context. */
export interface PlacedModel {
  readonly model: ResidentModel;
  /** Leading parameters that are shared; the others are intercepts, which stay at home. */
  readonly shared: number;
  /** null for the linear model. */
  readonly architecture: DifferentiableModel | null;
  /** w(0), [parameters]. */
  readonly initial: Float64Array;
}
