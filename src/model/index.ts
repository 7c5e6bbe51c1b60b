export { modelCard, MODEL_FORMAT, type ModelCard } from "./card.js";
export { loadModel, saveModel } from "./save.js";
export {
  answer,
  runFitJob,
  taskArrays,
  type FitJob,
  type FitJobResult,
  type Reply,
  type Request,
} from "./fit-job.js";
export { openWebFitPool, serveFitJobs } from "./web-worker.js";
export { WorkerPool, type WorkerPort } from "./worker-pool.js";
