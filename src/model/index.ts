export type { ArchitectureCard } from "./architecture.js";
export { modelCard, MODEL_FORMAT, type ModelCard } from "./card.js";
export { decodeSafetensors, encodeSafetensors } from "./safetensors.js";
export { priorText, readPrior } from "./prior-file.js";
export {
  predictTable,
  type PredictTableOptions,
  type RowPrediction,
  type TablePredictions,
} from "./predict-table.js";
export { loadModel, saveModel } from "./save.js";
export {
  packFitJob,
  runCrossingFitJob,
  runFitJob,
  taskArrays,
  type FitJob,
  type FitJobResult,
} from "./fit-job.js";
export { FitPool, type PooledFitOptions } from "./fit-pool.js";
export type { FitProgress } from "./paced-rounds.js";
export {
  openWebFitPool,
  openWebTaskWorkers,
  serveFitJobs,
  serveTaskWorkers,
  type WebWorker,
  type WorkerScope,
} from "./web-worker.js";
export { WorkerPool, type Packed, type WorkerPort } from "./worker-pool.js";
export { answer, respond, type Request, type TellProgress } from "./answer-jobs.js";
