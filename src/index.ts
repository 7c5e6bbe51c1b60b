/**
 * `mp-mtl`: private multi-task learning.
 * @module
 */
export { initialize, kernelBuild, VERSION, type InitializeOptions } from "./core/index.js";
export { ConvergenceError, DataError, HostError, MpMtlError, OptionError } from "./core/index.js";
export {
  Pipeline,
  TaskSet,
  type Label,
  type Task,
  type TrainTest,
  type TransformSpec,
} from "./data/index.js";
export * from "./learning/index.js";
export * from "./model/index.js";
export {
  BudgetExceededError,
  Ledger,
  type Adjacency,
  type Guarantee,
  type MechanismName,
  type Schedule,
} from "./privacy/index.js";
