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
export { FitPool } from "./fit-pool.js";
export {
  openWebFitPool,
  openWebTaskWorkers,
  serveFitJobs,
  serveTaskWorkers,
  type WebWorker,
  type WorkerScope,
} from "./web-worker.js";
export { WorkerPool, type Packed, type WorkerPort } from "./worker-pool.js";
export { answer, respond, type Request } from "./answer-jobs.js";
