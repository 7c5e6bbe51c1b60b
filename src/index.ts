/**
 * `mp-mtl`: private multi-task learning.
 * @module
 */
export { initialize, kernelBuild, VERSION, type InitializeOptions } from "./core/index.js";
export { ConvergenceError, DataError, HostError, MpMtlError, OptionError } from "./core/index.js";
export {
  Pipeline,
  readTable,
  simulate,
  simulateLeakage,
  Table,
  TableEncoding,
  tasksFromTable,
  TaskSet,
  type Column,
  type EncodedTable,
  type FeatureKind,
  type FileFormat,
  type Label,
  type LeakageOptions,
  type PipelineState,
  type SimulateOptions,
  type Simulation,
  type TableEncodingState,
  type TableSchema,
  type Task,
  type TaskInput,
  type TrainTest,
  type TransformSpec,
} from "./data/index.js";
export * from "./learning/index.js";
export {
  loadModel,
  modelCard,
  MODEL_FORMAT,
  openWebFitPool,
  runFitJob,
  saveModel,
  serveFitJobs,
  taskArrays,
  WorkerPool,
  type FitJob,
  type FitJobResult,
  type ModelCard,
  type WorkerPort,
} from "./model/index.js";
// What most programs want of the accounting; the rest is `mp-mtl/privacy`, without WebAssembly.
export {
  allocateBudget,
  BudgetExceededError,
  calibrate,
  compositionBound,
  deltaOf,
  epsilonOf,
  gaussianEvent,
  laplaceEvent,
  Ledger,
  pureEvent,
  subsampledGaussianEvent,
  twoSidedWishartEvent,
  wishartEvent,
  type Adjacency,
  type Guarantee,
  type MechanismName,
  type PrivacyEvent,
  type Schedule,
} from "./privacy/index.js";
